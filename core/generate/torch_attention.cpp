// SPDX-License-Identifier: Apache-2.0
#include "core/generate/torch_attention.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <vector>

#include "core/base/text.h"
#include "core/generate/python_expression.h"
#include "core/generate/row_index.h"

namespace kernelgen {

namespace {

std::string with_hidden(const std::string& seen, const std::string& value) {
    return seen.empty() ? value : "torch.where(" + seen + ", " + value + ", float(\"-inf\"))";
}

bool hides_by_place(const Attention& attention) { return attention.last_seen() || attention.window_left >= 0; }

}  // namespace

TorchAttention::TorchAttention(const Operator& definition, const Body& body, const PythonInterface& interface,
                               Names& names, SourceText& source)
    : definition_(definition),
      body_(body),
      attention_(*body.attention),
      interface_(interface),
      names_(names),
      source_(source) {}

bool TorchAttention::is_faster_compiled(const Attention& attention) {
    const bool has_window = attention.window_left >= 0 || (attention.last_seen() && !attention.is_causal);
    return !attention.is_backward() && attention.lengths < 0 && attention.mask < 0 && attention.bias < 0 &&
           attention.dropout == 0 && (has_window || attention.softcap > 0);
}

bool TorchAttention::has_lse() const {
    return std::ranges::any_of(body_.outputs, [&](int output) { return result_of(output) > 0; });
}

/// Which of attention's results an output of the body is: 0 is the first.
int TorchAttention::result_of(int output) const {
    return body_.nodes[static_cast<std::size_t>(output)].index - static_cast<int>(definition_.inputs.size());
}

bool TorchAttention::is_in_one_dtype() const {
    const auto dtype = [&](int number) { return definition_.inputs[static_cast<std::size_t>(number)].dtype; };
    // Operands of 8 bits are read in the dtype of the result.
    const auto queries =
        has_byte_operands(definition_, attention_) ? definition_.outputs[0].dtype : dtype(attention_.queries);
    return !definition_.arithmetic && (attention_.bias < 0 || dtype(attention_.bias) == queries) &&
           definition_.outputs[0].dtype == queries;
}

/// PyTorch's own attention computes all that is wanted.
bool TorchAttention::is_fused() const {
    return !attention_.is_backward() && attention_.softcap == 0 && attention_.dropout == 0 && !has_lse() &&
           is_in_one_dtype();
}

/// FlexAttention computes all that is wanted, and what it skips follows from the sizes alone.
bool TorchAttention::is_flex() const {
    return !attention_.is_backward() && attention_.dropout == 0 && attention_.lengths < 0 && attention_.mask < 0 &&
           attention_.bias < 0 && is_in_one_dtype();
}

/// Its tensors have one dtype of 16 bits, but for a log-sum-exp in f32.
bool TorchAttention::has_library_gradients(const Operator& definition, const Body& body) {
    if (!body.attention || !body.attention->is_backward()) return false;
    const Attention& of = *body.attention;
    const bool sees_all = !hides_by_place(of) && of.lengths < 0 && of.mask < 0;
    const auto follows = [](const Tensor& tensor) { return !tensor.dtype; };
    const int operands[] = {of.queries, of.keys, of.values, of.output, of.output_gradient};
    return (sees_all || is_causal_only(of)) && of.bias < 0 && of.dropout == 0 && of.softcap == 0 &&
           !definition.arithmetic && body.outputs.size() == 3 && std::ranges::all_of(definition.outputs, follows) &&
           std::ranges::all_of(
               operands, [&](int input) { return follows(definition.inputs[static_cast<std::size_t>(input)]); });
}

/// Rows see the columns up to their own, and nothing else is hidden.
bool TorchAttention::is_causal_only(const Attention& attention) {
    return attention.is_causal && attention.last_seen() == 0 && attention.window_left < 0 && attention.lengths < 0 &&
           attention.mask < 0 && attention.bias < 0;
}

std::string TorchAttention::local(const std::string& wish) {
    const auto found = locals_.find(wish);
    return found != locals_.end() ? found->second : locals_[wish] = names_.take(wish);
}

/// A tensor over the scores with two axes or more, as PyTorch's attention takes it.
std::string TorchAttention::score_tensor(int number) const {
    const std::size_t axes = definition_.inputs[static_cast<std::size_t>(number)].shape.size();
    return input(number) + (axes == 0 ? "[None, None]" : axes == 1 ? "[None, :]" : "");
}

void TorchAttention::write_head() {
    if (is_flex() && hides_by_place(attention_)) {
        source_.line("import functools");
        source_.line();
    }
    source_.line("import torch");
    if (is_fused()) source_.line("from torch.nn.attention import SDPBackend, sdpa_kernel");
    source_.line();
    if (is_flex()) {
        source_.open("if torch.cuda.is_available():");
        source_.line("from torch.nn.attention import bias as attention_bias, flex_attention");
        source_.end();
        source_.line();
    }
    source_.line("torch.backends.cuda.matmul.allow_tf32 = False  # float32 is multiplied as float32");
    if (is_fused()) {
        source_.line("# The kernels of PyTorch's attention, in the order in which they are tried.");
        source_.line("KERNELS = [SDPBackend.CUDNN_ATTENTION, SDPBackend.FLASH_ATTENTION, " +
                     std::string("SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]"));
    }
    source_.line();
    if (is_flex() && hides_by_place(attention_)) write_block_mask();
}

/// The condition on a row i and a column j under which the row sees the column by their places.
std::string TorchAttention::places(const std::string& row, const std::string& column) const {
    std::vector<std::string> seen;
    if (const auto last = attention_.last_seen()) seen.push_back("(" + column + " <= " + at_distance(row, *last) + ")");
    if (attention_.window_left >= 0)
        seen.push_back("(" + column + " >= " + at_distance(row, -attention_.window_left) + ")");
    return join(seen, " & ");
}

void TorchAttention::write_block_mask() {
    source_.line();
    source_.line("@torch.compiler.disable");
    source_.line("@functools.lru_cache");
    source_.open("def block_mask(rows: int, columns: int, device: torch.device):");
    source_.line(
        "\"\"\"The blocks of scores that FlexAttention computes; the last row's own column is the last one.\"\"\"");
    source_.line("distance = columns - rows");
    source_.open("def seen(batch, head, i, j):");
    source_.line("return " + places("i + distance", "j"));
    source_.end();
    source_.line("return flex_attention.create_block_mask(seen, None, None, rows, columns, device=device)");
    source_.end();
    source_.line();
}

std::string TorchAttention::write_seen() {
    const Attention& of = attention_;
    const std::string rows = interface_.dimension(of.rows), columns = interface_.dimension(of.columns);
    const std::string device = "device=" + interface_.device();
    const auto last = of.last_seen();
    const bool has_diagonal = last || of.window_left >= 0;
    const std::string i = has_diagonal ? local("own_column") : "",
                      j = has_diagonal || of.lengths >= 0 ? local("column") : "";
    if (!j.empty()) source_.line(j + " = torch.arange(" + columns + ", " + device + ")");
    if (has_diagonal)
        source_.line(i + " = torch.arange(" + rows + ", " + device + ")[:, None] + (" + columns + " - " + rows +
                     ")  # the last row's own column is the last one");
    std::vector<std::string> seen;
    if (last)
        seen.push_back("(" + j + " <= " + i +
                       (*last == 0 ? "" : (*last < 0 ? " - " : " + ") + std::to_string(std::abs(*last))) + ")");
    if (of.window_left >= 0) seen.push_back("(" + j + " >= " + i + " - " + std::to_string(of.window_left) + ")");
    if (of.lengths >= 0) seen.push_back("(" + j + " < " + input(of.lengths) + "[:, None, None, None])");
    if (of.mask >= 0) seen.push_back("(" + score_tensor(of.mask) + " != 0)");
    if (seen.empty()) return "";
    source_.line(local("seen") + " = " + join(seen, " & "));
    return local("seen");
}

std::string TorchAttention::scale_argument() const {
    return attention_.scale ? ", scale=" + python_number(*attention_.scale) : "";
}

std::string TorchAttention::call(const std::string& options) const {
    return "torch.nn.functional.scaled_dot_product_attention(" + input(attention_.queries) + ", " +
           input(attention_.keys) + ", " + input(attention_.values) + options + scale_argument();
}

/// Keys and values of a paged cache in a row for each batch: PyTorch's attention takes no others.
void TorchAttention::write_gathered() {
    const std::string places = local("places");
    source_.line(places + " = " + input(attention_.block_table) + ".clamp(0, " +
                 interface_.dimension(attention_.blocks) + " - 1).long()");
    source_.line("# The blocks of each batch are brought together, which takes memory for all of them.");
    for (const int each : std::set{attention_.keys, attention_.values})
        source_.line(input(each) + " = " + input(each) + "[" + places + "].transpose(1, 2).flatten(2, 3)");
}

void TorchAttention::write() {
    if (attention_.is_paged()) write_gathered();
    const bool is_shared = attention_.heads != attention_.kv_heads;
    if (is_flex() || has_library_gradients() || (is_fused() && is_shared)) write_device();
    if (has_byte_operands(definition_, attention_)) write_wide_operands();
    if (is_flex()) write_flex();
    if (is_shared) write_shared_heads();
    if (has_library_gradients()) write_library_gradients();
    if (is_fused() && is_causal_only(attention_)) {
        write_causal();
        if (attention_.rows == attention_.columns) return;
    }
    const std::string seen = write_seen();
    if (attention_.is_backward()) write_gradients(seen);
    else if (is_fused()) write_fused(seen);
    else write_scores(seen);
}

void TorchAttention::write_device() {
    source_.line(local("is_fast") + " = " + interface_.device() + ".type == \"cuda\" and " + interface_.dtype() +
                 " in (torch.float16, torch.bfloat16)");
}

void TorchAttention::write_flex() {
    const bool is_shared = attention_.heads != attention_.kv_heads;
    source_.open("if " + local("is_fast") + " and torch.compiler.is_compiling():");
    std::string options;
    if (attention_.softcap > 0) {
        const std::string cap = python_number(attention_.softcap);
        source_.open("def " + local("capped") + "(score, batch, head, i, j):");
        source_.line("return " + cap + " * torch.tanh(score / " + cap + ")");
        source_.end();
        options += ", score_mod=" + local("capped");
    }
    if (hides_by_place(attention_))
        options += ", block_mask=block_mask(" + interface_.dimension(attention_.rows) + ", " +
                   interface_.dimension(attention_.columns) + ", " + interface_.device() + ")";
    options += scale_argument();
    if (is_shared) options += ", enable_gqa=True";
    if (has_lse()) options += ", return_lse=True";
    const std::string flex = "flex_attention.flex_attention(" + input(attention_.queries) + ", " +
                             input(attention_.keys) + ", " + input(attention_.values) + options + ")";
    if (!has_lse()) source_.line("return " + flex);
    else {
        source_.line(local("result") + ", " + local("log_sum") + " = " + flex);
        std::vector<std::string> results;
        for (std::size_t i = 0; i < body_.outputs.size(); ++i) {
            const Tensor& output = definition_.outputs[i];
            const bool is_lse = result_of(body_.outputs[i]) > 0;
            const bool is_reduced = std::ranges::contains(body_.reduced_outputs, output.name);
            results.push_back((is_lse ? local("log_sum") + (is_reduced ? "" : ".unsqueeze(-1)") : local("result")) +
                              ".to(" + interface_.dtype_of(output) + ")");
        }
        source_.line("return " + join(results, ", "));
    }
    source_.end();
}

/// The scales of an operand as a factor of it; "" where it has none.
std::string TorchAttention::scale_of_rows(const OperandScale& scale, const std::string& rows) {
    if (!scale.is_given()) return "";
    if (scale.input < 0) return " * " + python_number(scale.number);
    const std::string name = input(scale.input) + ".to(" + local("wide") + ")";
    if (!scale.is_by_block()) return " * " + name;
    return " * " + name + ".repeat_interleave(" + std::to_string(attention_.scale_block) + ", dim=-1)[..., :" + rows +
           ", None]";
}

/// PyTorch's attention takes no operands of 8 bits.
void TorchAttention::write_wide_operands() {
    const Attention& of = attention_;
    const bool is_narrowed = is_fused() || is_flex();
    const std::string dtype = is_narrowed ? ".to(" + interface_.dtype_of(definition_.outputs[0]) + ")" : "";
    source_.line("# PyTorch's attention takes no operands of 8 bits: it gets them dequantised" +
                 std::string(is_narrowed ? " to the dtype of the result." : "."));
    source_.line(local("wide") + " = " +
                 (definition_.arithmetic ? torch_dtype(*definition_.arithmetic)
                                         : "torch.promote_types(" + interface_.dtype() + ", torch.float32)"));
    const auto widen = [&](int number, const OperandScale& scale, const std::string& dimension) {
        const std::string factor = scale_of_rows(scale, interface_.dimension(dimension));
        const std::string wide = input(number) + ".to(" + local("wide") + ")" + factor;
        source_.line(input(number) + " = " + (factor.empty() || dtype.empty() ? wide : "(" + wide + ")") + dtype);
    };
    widen(of.queries, of.query_scale, of.rows);
    if (of.keys != of.queries) widen(of.keys, of.key_scale, of.columns);
    if (of.values != of.queries && of.values != of.keys) widen(of.values, of.value_scale, of.columns);
}

/// Keys and values once for each head, but where the kernels read them in place.
void TorchAttention::write_shared_heads() {
    source_.line(std::string("# Heads of a group share keys") +
                 (is_fused() ? ", which the kernels in 16 bits read in place." : "."));
    if (is_fused()) source_.open("if not " + local("is_fast") + ":");
    for (const int each : std::set{attention_.keys, attention_.values})
        source_.line(input(each) + " = " + input(each) + ".repeat_interleave(" +
                     interface_.dimension(attention_.heads) + " // " + interface_.dimension(attention_.kv_heads) +
                     ", dim=1)");
    if (is_fused()) source_.end();
}

/// `is_causal` is anchored at the top left, so that it serves as many rows as columns.
void TorchAttention::write_causal() {
    const std::string rows = interface_.dimension(attention_.rows), columns = interface_.dimension(attention_.columns),
                      shared = attention_.heads != attention_.kv_heads ? ", enable_gqa=" + local("is_fast") : "";
    const bool is_square = attention_.rows == attention_.columns;
    if (!is_square) source_.open("if " + rows + " == " + columns + ":");
    source_.open("with sdpa_kernel(KERNELS, set_priority=True):");
    source_.line("return " + call(", is_causal=True" + shared) + ")");
    source_.end();
    if (is_square) return;
    source_.end();
    if (!is_flex()) return;
    source_.open("if " + local("is_fast") + " and " + rows + " < " + columns + ":");
    source_.line(local("seen") + " = attention_bias.causal_lower_right(" + rows + ", " + columns + ")");
    source_.line("return " + call(", attn_mask=" + local("seen") + shared) + ")");
    source_.end();
}

void TorchAttention::write_fused(const std::string& seen) {
    std::string mask = seen;
    if (attention_.bias >= 0) mask = with_hidden(seen, score_tensor(attention_.bias));
    const std::string text = call((mask.empty() ? "" : ", attn_mask=" + mask) +
                                  (attention_.heads != attention_.kv_heads ? ", enable_gqa=" + local("is_fast") : "")) +
                             ")";
    source_.open("with sdpa_kernel(KERNELS, set_priority=True):");
    source_.line((seen.empty() ? "return " : local("result") + " = ") + text);
    source_.end();
    if (seen.empty()) return;
    source_.line("return torch.where(" + seen + ".any(dim=-1, keepdim=True), " + local("result") +
                 ", 0)  # a row that sees nothing is 0");
}

/// Philox4x32-10 in integers of 64 bits, for every column the words of its group of four.
void TorchAttention::write_dropout(const std::string& weights) {
    const Attention& of = attention_;
    const std::string column = local("dropped_column"), words = local("words"), first = local("first"),
                      second = local("second"), low = local("low_key"), high = local("high_key");
    const auto axis = [&](const std::string& dimension, const std::string& place) {
        return "torch.arange(" + interface_.dimension(dimension) + ", device=" + interface_.device() + ")" + place;
    };
    source_.line("# Philox4x32-10 drops the same weights in every language.");
    source_.line(column + " = " + axis(of.columns, ""));
    source_.line(words + " = [" + column + " // 4, " + axis(of.rows, "[:, None]") + ", " +
                 axis(of.heads, "[:, None, None]") + ", " + axis(of.batch, "[:, None, None, None]") + "]");
    source_.line(low + ", " + high + " = " + std::to_string(of.seed & 0xFFFFFFFF) + ", " +
                 std::to_string(of.seed >> 32));
    source_.open("for _ in range(10):");
    source_.line(first + ", " + second + " = " + words + "[0] * 0xD2511F53, " + words + "[2] * 0xCD9E8D57");
    source_.line(words + " = [(" + second + " >> 32 & 0xFFFFFFFF) ^ " + words + "[1] ^ " + low + ", " + second +
                 " & 0xFFFFFFFF, (" + first + " >> 32 & 0xFFFFFFFF) ^ " + words + "[3] ^ " + high + ", " + first +
                 " & 0xFFFFFFFF]");
    source_.line(low + ", " + high + " = " + low + " + 0x9E3779B9 & 0xFFFFFFFF, " + high +
                 " + 0xBB67AE85 & 0xFFFFFFFF");
    source_.end();
    std::string word = words + "[3]";
    for (int i = 2; i >= 0; --i)
        word = "torch.where(" + column + " % 4 == " + std::to_string(i) + ", " + words + "[" + std::to_string(i) +
               "], " + word + ")";
    source_.line(weights + " = torch.where(" + word + " < " + std::to_string(of.dropped_below()) + ", 0, " + weights +
                 " * " + python_number(of.kept_factor()) + ")");
}

/// The logits in the arithmetic; -inf where a column is not seen.
void TorchAttention::write_logits(const std::string& seen) {
    const Attention& of = attention_;
    const std::string scores = local("scores");
    source_.line("T = " + (definition_.arithmetic
                               ? torch_dtype(*definition_.arithmetic)
                               : "torch.float64 if " + interface_.dtype() + " == torch.float64 else torch.float32"));
    source_.line(scores + " = " + input(of.queries) + ".to(T) @ " + input(of.keys) + ".to(T).transpose(-1, -2) * " +
                 (of.scale ? python_number(*of.scale) : interface_.dimension(of.head_size) + " ** -0.5"));
    if (of.softcap > 0) {
        const std::string cap = python_number(of.softcap), share = local("share");
        source_.line(share + " = torch.tanh(" + scores + " / " + cap + ")");
        source_.line(scores + " = " + cap + " * " + share);
    }
    if (of.bias >= 0) source_.line(scores + " = " + scores + " + " + score_tensor(of.bias) + ".to(T)");
    if (!seen.empty()) source_.line(scores + " = " + with_hidden(seen, scores));
}

void TorchAttention::write_scores(const std::string& seen) {
    const Attention& of = attention_;
    const std::string scores = local("scores"), lse = local("log_sum"), weights = local("weights");
    write_logits(seen);
    source_.line(lse + " = torch.logsumexp(" + scores + ", dim=-1, keepdim=True)");
    source_.line(weights + " = torch.exp(" + scores + " - torch.where(" + lse + " == float(\"-inf\"), 0, " + lse +
                 "))  # a row that sees nothing is 0");
    if (of.dropout > 0) write_dropout(weights);
    std::vector<std::string> results;
    for (std::size_t i = 0; i < body_.outputs.size(); ++i) {
        const Tensor& output = definition_.outputs[i];
        std::string text = "(" + weights + " @ " + input(of.values) + ".to(T))";
        if (result_of(body_.outputs[i]) > 0)
            text = lse + (std::ranges::contains(body_.reduced_outputs, output.name) ? ".squeeze(-1)" : "");
        results.push_back(text + ".to(" + interface_.dtype_of(output) + ")");
    }
    source_.line("return " + join(results, ", "));
}

/// A gradient of a group's keys or values from those of its heads; "" where each head has its own.
std::string TorchAttention::sum_of_group() const {
    if (attention_.heads == attention_.kv_heads) return "";
    return ".unflatten(1, (" + interface_.dimension(attention_.kv_heads) + ", -1)).sum(dim=2)";
}

/// The kernel is anchored at the top left, so that it serves as many rows as columns where rows see no later ones.
void TorchAttention::write_library_gradients() {
    const std::string rows = interface_.dimension(attention_.rows), columns = interface_.dimension(attention_.columns),
                      seed = local("no_seed");
    const bool has_last_axis = definition_.inputs[static_cast<std::size_t>(attention_.lse)].shape.size() == 4;
    const std::string size = interface_.dimension(attention_.head_size), fits = local("fits");
    source_.line(fits + " = " + size + " % 8 == 0 and " + size + " <= 128 and " + rows + " > 1 and " + columns +
                 " > 1" + (attention_.is_causal && rows != columns ? " and " + rows + " == " + columns : "") +
                 "  # sizes that cuDNN's kernel takes");
    source_.open("if " + local("is_fast") + " and " + fits + " and torch.cuda.get_device_capability(" +
                 interface_.device() + ")[0] >= 8:");
    source_.line(seed + " = torch.zeros((), dtype=torch.int64, device=" + interface_.device() + ")");
    source_.open(local("gradients") + " = torch.ops.aten._scaled_dot_product_cudnn_attention_backward(");
    source_.line(input(attention_.output_gradient) + ", " + input(attention_.queries) + ", " + input(attention_.keys) +
                 ", " + input(attention_.values) + ", " + input(attention_.output) + ", " + input(attention_.lse) +
                 ".to(torch.float32)" + (has_last_axis ? "" : "[..., None]") + ",");
    source_.line(seed + ", " + seed + ", None, None, None, " + rows + ", " + columns + ", 0.0, " +
                 (attention_.is_causal ? "True" : "False") + scale_argument() + ",");
    source_.close(")");
    std::vector<std::string> results;
    for (const int output : body_.outputs) {
        const int place = result_of(output);
        results.push_back(local("gradients") + "[" + std::to_string(place) + "]" + (place == 0 ? "" : sum_of_group()));
    }
    source_.line("return " + join(results, ", "));
    source_.end();
}

/// The gradients from the given result and log-sum-exp, as matrices of the scores.
void TorchAttention::write_gradients(const std::string& seen) {
    const Attention& of = attention_;
    const std::string scores = local("scores"), lse = local("log_sum"), weights = local("weights"),
                      kept = local("kept"), delta = local("delta"), gradients = local("gradients"),
                      results = local("output_gradient");
    const bool has_last_axis = definition_.inputs[static_cast<std::size_t>(of.lse)].shape.size() == 4;
    write_logits(seen);
    source_.line(lse + " = " + input(of.lse) + ".to(T)" + (has_last_axis ? "" : "[..., None]"));
    source_.line(weights + " = torch.where(" + scores + " == float(\"-inf\"), 0, torch.exp(" + scores + " - " + lse +
                 "))");
    source_.line(results + " = " + input(of.output_gradient) + ".to(T)");
    source_.line(delta + " = (" + input(of.output) + ".to(T) * " + results + ").sum(dim=-1, keepdim=True)");
    source_.line(gradients + " = " + results + " @ " + input(of.values) + ".to(T).transpose(-1, -2)");
    if (of.dropout > 0) {
        source_.line(kept + " = torch.ones_like(" + weights + ")");
        write_dropout(kept);
        source_.line(gradients + " = " + gradients + " * " + kept);
    }
    source_.line(gradients + " = torch.where(" + scores + " == float(\"-inf\"), 0, " + weights + " * (" + gradients +
                 " - " + delta + ")" +
                 (of.softcap > 0 ? " * (1 - " + local("share") + " * " + local("share") + ")" : "") + ")");
    if (of.dropout > 0) source_.line(weights + " = " + weights + " * " + kept);
    const std::string scale =
        " * " + (of.scale ? python_number(*of.scale) : interface_.dimension(of.head_size) + " ** -0.5");
    const std::string of_keys = sum_of_group();
    const std::string all[] = {
        gradients + " @ " + input(of.keys) + ".to(T)" + scale,
        "(" + gradients + ".transpose(-1, -2) @ " + input(of.queries) + ".to(T)" + scale + ")" + of_keys,
        "(" + weights + ".transpose(-1, -2) @ " + results + ")" + of_keys};
    std::vector<std::string> values;
    for (std::size_t i = 0; i < body_.outputs.size(); ++i)
        values.push_back("(" + all[result_of(body_.outputs[i])] + ").to(" +
                         interface_.dtype_of(definition_.outputs[i]) + ")");
    source_.line("return (");
    source_.begin();
    for (const std::string& each : values) source_.line(each + ",");
    source_.end();
    source_.line(")");
}

}  // namespace kernelgen
