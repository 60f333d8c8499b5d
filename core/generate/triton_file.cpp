// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/text.h"
#include "core/generate/body_text.h"
#include "core/generate/device_choice.h"
#include "core/generate/row_index.h"
#include "core/generate/triton_functions.h"
#include "core/generate/triton_writer.h"
#include "core/lang/lexer.h"

namespace kernelgen {

namespace {

/// "a, b," and so on, in lines that fit a page.
std::vector<std::string> lines_of(const std::vector<std::string>& parameters) {
    constexpr std::size_t longest = 110;
    std::vector<std::string> lines(1);
    for (const std::string& each : parameters) {
        if (lines.back().size() + each.size() > longest) lines.emplace_back();
        lines.back() += (lines.back().empty() ? "" : " ") + each + ",";
    }
    return lines;
}

std::string imports() {
    return "import os\n\nimport torch\n\n" + std::string(npu_import) + "\n" + std::string(device_choice) +
           "\nimport triton\nimport triton.language as tl\n";
}

/// Triton's interpreter has other numbers of 8 bits than its compiler: it is given float32.
bool has_own_bytes(const Tensor& tensor) { return tensor.dtype && is_float_of_8_bits(*tensor.dtype); }

/// Words that the integer language and Python write in different ways.
constexpr std::pair<std::string_view, std::string_view> python_words[] = {
    {"/", "//"},  {"&&", "and"},           {"||", "or"},
    {"!", "not"}, {"cdiv", "triton.cdiv"}, {"pow2ceil", "triton.next_power_of_2"}};

/// The properties of a CUDA device in PyTorch.
constexpr std::pair<std::string_view, std::string_view> device_properties[] = {
    {"multiprocessors", "multi_processor_count"},
    {"threads_per_multiprocessor", "max_threads_per_multi_processor"},
    {"registers_per_multiprocessor", "regs_per_multiprocessor"},
    {"shared_per_multiprocessor", "shared_memory_per_multiprocessor"},
    {"shared_per_block", "shared_memory_per_block_optin"},
    {"l2_bytes", "L2_cache_size"}};

/// "torch.cuda.get_device_properties(x.device).multi_processor_count"
std::string device_number(std::string_view name, const std::string& device) {
    name.remove_prefix(device_prefix.size());
    const std::string properties = "torch.cuda.get_device_properties(" + device + ").";
    if (name == "threads")
        return properties + "multi_processor_count * " + properties + "max_threads_per_multi_processor";
    const auto property =
        std::ranges::find(device_properties, name, &std::pair<std::string_view, std::string_view>::first);
    return properties + std::string(property == std::end(device_properties) ? name : property->second);
}

}  // namespace

std::string TritonWriter::write() {
    write_kernel();
    find_parameters();
    SourceText signature, wrapper, head;
    write_signature(signature);
    write_head(head);
    write_wrapper(wrapper);
    std::set<std::string> functions = expression_.needs().functions;
    functions.insert(needs_of_operands_.functions.begin(), needs_of_operands_.functions.end());
    return head.text() + imports() + interpreter_choice() + triton_functions(functions) + "\n\n" + signature.text() +
           source_.text() + "\n\n" + passing_function() + wrapper.text();
}

/// The kernel's parameters: what its lines name.
void TritonWriter::find_parameters() {
    const PythonNeeds& needs = expression_.needs();
    std::vector<std::string> integers = interface_.symbols;
    integers.push_back("elements");
    if (row_count_ != row_product() && form_ != TritonForm::attention) integers.push_back(row_count_);
    for (const NamedSize& each : sizes_) integers.push_back(each.wish);
    const auto is_named = [&](const std::string& each) {
        return needs.names.contains(each) || needs_of_operands_.names.contains(each);
    };
    for (const std::string& each : integers) {
        if (used_.contains(each) || is_named(each)) integers_.push_back(each);
    }
    for (const std::string& each : interface_.attributes) {
        if (is_named(each)) constants_.push_back({each, each});
    }
    constants_.push_back({"T", "T"});
    if (needs.fast || needs_of_operands_.fast) {
        std::vector<std::string> sizes;
        for (const std::string& each : interface_.outputs) sizes.push_back(each + ".dtype.itemsize");
        constants_.push_back({"FAST", (sizes.size() == 1 ? sizes[0] : "max(" + join(sizes, ", ") + ")") + " <= 2"});
    }
    if (uses_policy_) constants_.push_back({"POLICY", "policy"});
    if (form_ == TritonForm::tiles) constants_.push_back({"ROWS_FIRST", "rows_first"});
    if (form_ == TritonForm::contraction) {
        // Triton multiplies no tiles of float64: their columns and rows are multiplied one by one.
        for (const char* each : {"BLOCK_M", "BLOCK_N", "GROUP_M", "SPLIT_K"}) constants_.push_back({each, each});
        constants_.push_back({"STEP", step_});
        constants_.push_back({"ON_CPU", "INTERPRETED"});
        constants_.push_back({"BLOCK_K", "1 if T == tl.float64 else BLOCK_K"});
        return;
    }
    if (form_ == TritonForm::attention) {
        const std::string size = this->dimension(body_.attention->head_size);
        if (!body_.attention->scale) constants_.push_back({"SCALE", size + " ** -0.5"});
        constants_.push_back({"BLOCK_M", "BLOCK_M"});
        constants_.push_back({"BLOCK_N", "1 if T == tl.float64 else BLOCK_N"});
        constants_.push_back({"HEAD_SIZE", "max(16, triton.next_power_of_2(" + size + "))"});
        constants_.push_back({"ON_CPU", "DEVICE == \"cpu\""});
        if (body_.attention->is_backward()) constants_.push_back({"OF_KEYS", "of_keys"});
        return;
    }
    if (form_ == TritonForm::rows)
        constants_.push_back({"WHOLE_ROW", this->dimension(body_.space.back()) + " <= BLOCK_N"});
    if (form_ != TritonForm::flat && has_rows()) constants_.push_back({"BLOCK_M", "BLOCK_M"});
    constants_.push_back({"BLOCK_N", form_ == TritonForm::rows ? "tile" : "BLOCK_N"});
}

void TritonWriter::write_head(SourceText& source) const {
    source.line("# SPDX-License-Identifier: Apache-2.0");
    const std::vector<std::string> statements = body_statements(definition_);
    source.line("\"\"\"" + definition_.name + " as a Triton kernel:");
    source.line();
    for (const std::string& each : statements) source.line("    " + each);
    source.line();
    const std::string arithmetic = definition_.arithmetic
                                       ? "in " + torch_dtype(*definition_.arithmetic).substr(6)
                                       : std::string("in float32, or in float64 where the tensors are float64");
    source.line("Arithmetic is " + arithmetic + ". NaN and infinities are as PyTorch has them.");
    source.line("\"\"\"");
}

void TritonWriter::write_signature(SourceText& source) const {
    std::vector<std::string> parameters;
    for (const int input : inputs_read(body_)) parameters.push_back(input_pointers_[static_cast<std::size_t>(input)]);
    parameters.insert(parameters.end(), output_pointers_.begin(), output_pointers_.end());
    if (form_ == TritonForm::contraction) parameters.push_back(locals_.at("parts_ptr"));
    parameters.insert(parameters.end(), integers_.begin(), integers_.end());
    for (const Constant& each : constants_) parameters.push_back(each.name + ": tl.constexpr");
    source.line("@triton.jit");
    const std::string line = "def " + kernel_name() + "(" + join(parameters, ", ") + "):";
    if (line.size() <= 110) return source.line(line);
    source.open("def " + kernel_name() + "(");
    const auto split_at = parameters.end() - static_cast<std::ptrdiff_t>(constants_.size());
    source.line(join({parameters.begin(), split_at}, ", ") + ",");
    for (const std::string& each : lines_of({split_at, parameters.end()})) source.line(each);
    source.close("):");
}

void TritonWriter::write_wrapper(SourceText& source) {
    interface_.write_signature(source);
    source.line("\"\"\"" + join(body_statements(definition_), "; ") + "\"\"\"");
    interface_.write_checks(source);
    for (const NamedSize& each : sizes_)
        source.line(each.wish + " = " + interface_.integers(each.text.substr(1, each.text.size() - 2)));
    if (row_count_ != row_product() && form_ != TritonForm::attention) source.line(row_count_ + " = " + row_product());
    if (form_ == TritonForm::attention) write_longest_head(source);
    source.line();
    write_outputs(source);
    source.line();
    write_launch(source);
    source.line("return " + results());
    source.end();
    write_dispatch(source);
    interface_.write_main(source, true);
}

void TritonWriter::write_longest_head(SourceText& source) const {
    const std::string size = this->dimension(body_.attention->head_size);
    source.open("if " + size + " > " + std::to_string(longest_triton_head) + ":");
    source.line("raise ValueError(f\"a head must have at most " + std::to_string(longest_triton_head) +
                " elements; it has {" + size + "}\")");
    source.end();
}

void TritonWriter::write_outputs(SourceText& source) const {
    std::vector<std::string> counts;
    for (std::size_t i = 0; i < definition_.outputs.size(); ++i) {
        const Tensor& tensor = definition_.outputs[i];
        const auto like = std::ranges::find_if(definition_.inputs, [&](const Tensor& each) {
            return each.shape == tensor.shape && each.dtype == tensor.dtype && !has_own_bytes(tensor);
        });
        const std::string& name = interface_.outputs[i];
        counts.push_back(name + ".numel()");
        if (like != definition_.inputs.end()) {
            source.line(name + " = torch.empty_like(" +
                        interface_.inputs[static_cast<std::size_t>(like - definition_.inputs.begin())] + ")");
        } else {
            source.line(name + " = torch.empty(" + interface_.shape(tensor.shape) +
                        ", dtype=" + (has_own_bytes(tensor) ? "torch.float32 if INTERPRETED else " : "") +
                        interface_.dtype_of(tensor) + ", device=" + interface_.device() + ")");
        }
    }
    source.open("if " + (counts.size() == 1 ? counts[0] : "max(" + join(counts, ", ") + ")") + " == 0:");
    source.line("return " + results());
    source.end();
}

/// What the function returns. Outputs of 8 bits are written by Triton's interpreter in float32.
std::string TritonWriter::results() const {
    std::vector<std::string> all;
    for (std::size_t i = 0; i < definition_.outputs.size(); ++i) {
        const Tensor& tensor = definition_.outputs[i];
        const bool is_converted = has_own_bytes(tensor);
        all.push_back(interface_.outputs[i] + (is_converted ? ".to(" + interface_.dtype_of(tensor) + ")" : ""));
    }
    return join(all, ", ");
}

bool TritonWriter::is_ruled(const std::string& tunable) const {
    return std::ranges::any_of(rules_, [&](const ConfigurationRule& each) { return each.values.contains(tunable); });
}

/// The value of a launch's option.
std::string TritonWriter::option(const std::string& tunable) const {
    return is_ruled(tunable) ? tunable : std::to_string(std::ranges::find(tunables_, tunable, &Tunable::name)->value);
}

/// A rule's condition in Python. Numbers of the device are only known on a GPU.
std::string TritonWriter::condition(const std::string& when) const {
    Diagnostics ignored;
    std::vector<std::string> words;
    bool names_device = false;
    for (const Token& token : tokenise(when, "when", ignored)) {
        const auto same =
            std::ranges::find(python_words, token.text, &std::pair<std::string_view, std::string_view>::first);
        if (same != std::end(python_words)) words.emplace_back(same->second);
        else if (token.text == "dtype_bytes") words.push_back(interface_.dtype() + ".itemsize");
        else if (token.text.starts_with(device_prefix)) words.push_back(device_number(token.text, interface_.device()));
        else words.push_back(token.kind == TokenKind::name ? this->dimension(token.text) : token.text);
        names_device = names_device || token.text.starts_with(device_prefix);
    }
    const std::string text = join(words, " ");
    return names_device ? "DEVICE == \"cuda\" and (" + std::string(trim(text)) + ")" : std::string(trim(text));
}

void TritonWriter::write_tunables(SourceText& source) const {
    for (const Tunable& each : tunables_) {
        const bool is_option = each.name.starts_with("num_");
        const bool is_constant = std::ranges::contains(constants_, each.name, &Constant::name);
        const bool is_used = each.name == "BLOCK_N" || (each.name == "LOAD_CACHE" ? uses_policy_ : is_constant);
        if (is_option ? !is_ruled(each.name) : !is_used) continue;
        const bool is_longest = each.name == "BLOCK_N" && form_ == TritonForm::rows;
        source.line(each.name + " = " + std::to_string(each.value) +
                    (is_longest ? "  # the longest tile: a longer row is read in parts" : ""));
    }
    for (std::size_t i = 0; i < rules_.size(); ++i) {
        source.open((i == 0 ? "if " : "elif ") + condition(rules_[i].when) + ":");
        for (const auto& [name, value] : rules_[i].values) source.line(name + " = " + std::to_string(value));
        source.end();
    }
    if (uses_policy_) source.line("policy = {0: \"\", 2: \"evict_first\", 3: \"evict_last\"}[LOAD_CACHE]");
}

/// The line that tells whether Triton's interpreter runs the kernel, where that matters.
std::string TritonWriter::interpreter_choice() const {
    const bool matters = form_ == TritonForm::contraction || std::ranges::any_of(definition_.inputs, has_own_bytes) ||
                         std::ranges::any_of(definition_.outputs, has_own_bytes);
    return matters ? "\nINTERPRETED = os.environ.get(\"TRITON_INTERPRET\") == \"1\"\n" : "";
}

/// The function by which operands of 8 bits are passed, where there are any.
std::string TritonWriter::passing_function() const {
    const bool has_bytes = std::ranges::any_of(inputs_read(body_), [&](int input) {
        return has_own_bytes(definition_.inputs[static_cast<std::size_t>(input)]);
    });
    if (!has_bytes) return "";
    return "def on_device(x):\n"
           "    \"\"\"The tensor, in float32 for Triton's interpreter, which takes NaN of 8 bits for an "
           "infinity.\"\"\"\n"
           "    return x.float() if INTERPRETED else x\n\n\n";
}

/// The programs that have `block` of the lines of every head.
std::string TritonWriter::blocks_of(const std::string& lines, const std::string& block, const Shape& heads) const {
    const std::string count =
        product_text(heads, {.dimension = [&](const std::string& name) { return this->dimension(name); }});
    return "triton.cdiv(" + this->dimension(lines) + ", " + block + ")" + (count == "1" ? "" : " * " + count);
}

void TritonWriter::write_launch(SourceText& source) const {
    const std::string columns = this->dimension(body_.space.back());
    const bool has_block_m = std::ranges::contains(constants_, "BLOCK_M", &Constant::name);
    write_tunables(source);
    source.line(std::string("T = ") +
                (definition_.arithmetic ? "tl." + torch_dtype(*definition_.arithmetic).substr(6)
                                        : "tl.float64 if " + interface_.dtype() + " == torch.float64 else tl.float32"));
    if (form_ == TritonForm::flat) {
        source.line("elements = " + interface_.outputs[0] + ".numel()");
        source.line("grid = (triton.cdiv(elements, BLOCK_N),)");
    } else if (form_ == TritonForm::contraction) {
        const std::string rows = this->dimension(body_.contraction->rows());
        const std::string batches = product_text(
            body_.contraction->batch(), {.dimension = [&](const std::string& name) { return this->dimension(name); }});
        source.line("grid = (triton.cdiv(" + rows + ", BLOCK_M) * triton.cdiv(" + columns + ", BLOCK_N)" +
                    (batches == "1" ? "" : " * " + batches) + ",)");
    } else if (form_ == TritonForm::attention) {
        const Attention& of = *body_.attention;
        source.line("grid = (" + blocks_of(of.rows, "BLOCK_M", {of.batch, of.heads}) + ",)");
        if (of.is_backward()) {
            source.line("column_block = 1 if T == tl.float64 else BLOCK_N");
            source.line("column_grid = (" + blocks_of(of.columns, "column_block", {of.batch, of.kv_heads}) + ",)");
        }
    } else if (form_ == TritonForm::tiles) {
        source.line("grid = (triton.cdiv(" + row_count_ + ", BLOCK_M), triton.cdiv(" + columns + ", BLOCK_N))");
        source.line("rows_first = grid[0] > 65535");
    } else {
        const bool may_be_empty = !schedule_.row_outputs.empty();
        source.line("grid = (" + (has_block_m ? "triton.cdiv(" + row_count_ + ", BLOCK_M)" : "1") + ",)");
        source.line("tile = min(BLOCK_N, triton.next_power_of_2(" +
                    (may_be_empty ? "max(" + columns + ", 1)" : columns) + "))");
    }
    std::vector<std::string> arguments, constants;
    for (const int input : inputs_read(body_)) {
        const std::string& name = interface_.inputs[static_cast<std::size_t>(input)];
        const bool is_passed = has_own_bytes(definition_.inputs[static_cast<std::size_t>(input)]);
        arguments.push_back(is_passed ? "on_device(" + name + ")" : name);
    }
    arguments.insert(arguments.end(), interface_.outputs.begin(), interface_.outputs.end());
    if (form_ == TritonForm::contraction) arguments.push_back(parts_);
    arguments.insert(arguments.end(), integers_.begin(), integers_.end());
    for (const Constant& each : constants_) constants.push_back(each.name + "=" + each.value);
    const bool has_steps = form_ == TritonForm::contraction;
    if (has_steps) {
        source.line("# Several programs share the depth of a tile: their sums are added in a second step.");
        source.line(parts_ + " = " + interface_.outputs[0]);
        source.open("if SPLIT_K > 1:");
        source.line(parts_ + " = torch.empty((SPLIT_K, " + row_count_ + ", " + columns +
                    "), dtype=torch.float64 if T == tl.float64 else torch.float32, device=" + interface_.device() +
                    ")");
        source.end();
        source.open("for " + step_ + " in (1, 2) if SPLIT_K > 1 else (0,):");
    }
    const bool is_backward = form_ == TritonForm::attention && body_.attention->is_backward();
    if (is_backward) source.open("for of_keys in (False, True):");
    const std::string grid = is_backward                  ? "column_grid if of_keys else grid"
                             : form_ == TritonForm::tiles ? "grid if rows_first else grid[::-1]"
                             : has_steps                  ? "grid + (SPLIT_K if " + step_ + " == 1 else 1,)"
                                                          : "grid";
    source.open(kernel_name() + "[" + grid + "](");
    source.line(join(arguments, ", ") + ",");
    source.line(join(constants, ", ") + ",");
    source.line("num_warps=" + option("num_warps") + ", num_stages=" + option("num_stages") + ",");
    source.close(")");
    if (has_steps || is_backward) source.end();
}

}  // namespace kernelgen
