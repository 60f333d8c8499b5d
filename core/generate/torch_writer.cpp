// SPDX-License-Identifier: Apache-2.0
#include "core/generate/torch_writer.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/text.h"
#include "core/generate/body_text.h"
#include "core/generate/byte_products.h"
#include "core/generate/library_match.h"
#include "core/generate/python_expression.h"
#include "core/generate/python_interface.h"
#include "core/generate/scaled_product.h"
#include "core/lang/attention.h"
#include "core/lang/contraction.h"

namespace kernelgen {

namespace {

constexpr std::string_view in_float32 = "# In float32: in ";  ///< then the dtypes

/// What PyTorch calls an operator of `known_operator`: {0}, {1}, … are the inputs, {D} the last dimension, {eps} the
/// attribute.
const std::map<std::string, std::string, std::less<>> functions_of_torch = {
    {"binary_add", "{0} + {1}"},
    {"binary_sub", "{0} - {1}"},
    {"binary_mul", "{0} * {1}"},
    {"binary_div", "{0} / {1}"},
    {"binary_max", "torch.maximum({0}, {1})"},
    {"binary_min", "torch.minimum({0}, {1})"},
    {"eltwise_relu", "torch.relu({0})"},
    {"eltwise_gelu_tanh", "torch.nn.functional.gelu({0}, approximate=\"tanh\")"},
    {"eltwise_gelu_erf", "torch.nn.functional.gelu({0})"},
    {"eltwise_swish", "torch.nn.functional.silu({0})"},
    {"eltwise_exp", "torch.exp({0})"},
    {"eltwise_tanh", "torch.tanh({0})"},
    {"eltwise_logistic", "torch.sigmoid({0})"},
    {"eltwise_abs", "torch.abs({0})"},
    {"eltwise_sqrt", "torch.sqrt({0})"},
    {"eltwise_log", "torch.log({0})"},
    {"softmax", "torch.softmax({0}, dim=-1)"},
    {"layer_normalization", "torch.nn.functional.layer_norm({0}, ({D},), {1}, {2}, {eps})"},
    {"rms_normalization", "torch.nn.functional.rms_norm({0}, ({D},), {1}, {eps})"},
};

class TorchWriter {
public:
    TorchWriter(const Operator& definition, const Body& lowered, const std::vector<DType>& eager)
        : definition_(definition),
          body_(lowered),
          eager_(eager),
          interface_(definition),
          names_(interface_.names),
          expression_(lowered, PythonDialect::torch) {
        expression_.symbols = interface_.symbols;
        expression_.attributes = interface_.attributes;
        expression_.device = interface_.device();
    }

    std::string write() {
        source_.line("# SPDX-License-Identifier: Apache-2.0");
        source_.line("\"\"\"" + definition_.name + " in PyTorch: what the Triton kernel is measured against.\"\"\"");
        source_.line("import torch");
        source_.line();
        if (body_.attention) {
            source_.line("torch.backends.cuda.matmul.allow_tf32 = False  # float32 is multiplied as float32");
            source_.line();
        }
        if (convolution_of(body_)) {
            source_.line("torch.backends.cudnn.allow_tf32 = False  # float32 is multiplied as float32");
            source_.line();
        }
        source_.line();
        interface_.write_signature(source_);
        source_.line("\"\"\"" + join(body_statements(definition_), "; ") + "\"\"\"");
        interface_.write_checks(source_);
        source_.line();
        const auto known = known_operator(definition_, body_);
        if (body_.attention) write_attention();
        else if (known) source_.line("return " + filled(functions_of_torch.at(*known)));
        else {
            write_scaled_product();
            write_body();
        }
        source_.end();
        interface_.write_main(source_, false);
        return source_.text();
    }

private:
    const Node& at(int node) const { return body_.nodes[static_cast<std::size_t>(node)]; }

    std::string filled(std::string text) const {
        const auto fill = [&](const std::string& place, const std::string& value) {
            if (const auto at = text.find(place); at != std::string::npos) text.replace(at, place.size(), value);
        };
        for (std::size_t i = 0; i < interface_.inputs.size(); ++i)
            fill("{" + std::to_string(i) + "}", interface_.inputs[i]);
        fill("{D}", interface_.dimension(body_.space.back()));
        if (!interface_.attributes.empty()) fill("{eps}", interface_.attributes[0]);
        return text;
    }

    /// Every 16-bit dtype is computed in itself: inputs are used as they come.
    bool is_plain() const { return eager_.size() == 2; }

    /// Why inputs are converted first, as a comment; nothing where the definition says it itself.
    void write_reason() {
        if (definition_.arithmetic) return;
        const auto follows = [](const Tensor& tensor) { return !tensor.dtype; };
        const bool mixed =
            !std::ranges::all_of(definition_.inputs, follows) || !std::ranges::all_of(definition_.outputs, follows);
        if (mixed) return source_.line("# In float32, since the tensors have different dtypes.");
        std::vector<std::string> dtypes;
        for (const DType dtype : {DType::f16, DType::bf16}) {
            if (!std::ranges::contains(eager_, dtype)) dtypes.push_back(torch_dtype(dtype).substr(6));
        }
        source_.line(std::string(in_float32) + join(dtypes, " and ") +
                     " the operations' roundings add up to more than is allowed.");
    }

    std::string arithmetic() const {
        if (definition_.arithmetic) return torch_dtype(*definition_.arithmetic);
        if (eager_.empty()) return "torch.float64 if " + dtype_ + " == torch.float64 else torch.float32";
        return "torch.float32 if " + dtype_ +
               " == " + torch_dtype(eager_[0] == DType::bf16 ? DType::f16 : DType::bf16) + " else " + dtype_;
    }

    void write_body() {
        if (is_plain()) return write_plain_body();
        dtype_ = names_.take("dtype");
        source_.line(dtype_ + " = " + interface_.dtype());
        write_reason();
        source_.line("T = " + arithmetic());
        write_values();
    }

    /// As `write_values`, after a line for T where a constant or a condition needs it.
    void write_plain_body() {
        TorchWriter trial = *this;
        trial.source_ = SourceText();
        trial.write_values();
        if (trial.expression_.needs().arithmetic || trial.needs_arithmetic_) source_.line("T = " + interface_.dtype());
        write_values();
    }

    void write_values() {
        // cuBLAS takes operands of 8 bits as they are: before other values convert them.
        const int first = may_be_by_cublas() ? product_node() : -1;
        if (first >= 0) write_value(first);
        for (int node = 0; node < static_cast<int>(body_.nodes.size()); ++node) {
            if (node != first) write_value(node);
        }
        std::vector<std::string> results;
        for (std::size_t i = 0; i < body_.outputs.size(); ++i) results.push_back(result(i));
        source_.line("return " + join(results, ", "));
    }

    /// Returns the one call of cuBLAS that computes the whole body, where there is one and the sizes suit it.
    void write_scaled_product() {
        const auto scaled = body_.contraction ? scaled_product(definition_, body_) : std::nullopt;
        if (!scaled || !may_be_by_cublas()) return;
        // With vectors of scales the right operand must be E4M3 but on sm_90.
        if (scaled->rows && byte_dtype(definition_, body_.contraction->right) != DType::f8e4m3) return;
        const auto input = [&](int index) { return interface_.inputs[static_cast<std::size_t>(index)]; };
        const auto scale = [&](std::size_t place) {
            return place < scaled->scalars.size() ? input(scaled->scalars[place])
                                                  : "torch.ones((), device=" + interface_.device() + ")";
        };
        const bool by_vectors = scaled->rows.has_value();
        const std::string left = input(body_.contraction->left.values.nodes[0].index);
        const std::string right = input(body_.contraction->right.values.nodes[0].index);
        const std::string dtypes = by_vectors ? " == torch.bfloat16" : " in (torch.float16, torch.bfloat16)";
        source_.open("if " + by_cublas() + " and " + interface_.dtype() + dtypes + ":");
        source_.line("# cuBLAS multiplies 8 bits as they are, and scales and adds in one call.");
        source_.open("return torch._scaled_mm(");
        source_.line(left + ", " + right + ".t(),");
        source_.line("scale_a=" + (by_vectors ? input(*scaled->rows) : scale(0)) + ",");
        source_.line("scale_b=" + (by_vectors ? input(*scaled->columns) + ".view(1, -1)" : scale(1)) + ",");
        if (scaled->bias) source_.line("bias=" + input(*scaled->bias) + ",");
        source_.line("out_dtype=" + interface_.dtype() + ",");
        source_.line("use_fast_accum=False,");
        source_.close(")");
        source_.end();
    }

    /// The condition under which cuBLAS takes operands of 8 bits.
    std::string by_cublas() const {
        const std::string device = interface_.device();
        const Contraction& contraction = *body_.contraction;
        return interface_.dtype() + " != torch.float64 and " + device +
               ".type == \"cuda\" and torch.cuda.get_device_capability(" + device + ") >= (8, 9) and " +
               interface_.dimension(contraction.depth) + " % 16 == 0 and " +
               interface_.dimension(contraction.columns()) + " % 16 == 0";
    }

    /// The product in float32, where the epilogue or the dtype is more than cuBLAS has in one call.
    void write_byte_product(const std::string& name) {
        const std::string one = names_.take("one");
        const auto input = [&](const ContractionOperand& operand) {
            return interface_.inputs[static_cast<std::size_t>(operand.values.nodes[0].index)];
        };
        source_.open("if " + by_cublas() + " and T == torch.float32:");
        source_.line("# cuBLAS multiplies 8 bits as they are.");
        source_.line(one + " = torch.ones((), device=" + interface_.device() + ")");
        source_.open(name + " = torch._scaled_mm(");
        source_.line(input(body_.contraction->left) + ", " + input(body_.contraction->right) + ".t(),");
        source_.line("scale_a=" + one + ", scale_b=" + one + ", out_dtype=torch.float32, use_fast_accum=False,");
        source_.close(")");
        source_.end();
        source_.open("else:");
        source_.line(name + " = torch.matmul(" + operand(body_.contraction->left) + ", " +
                     operand(body_.contraction->right) + ")");
        source_.end();
    }

    /// cuBLAS multiplies matrices, of which one at least is E4M3.
    bool may_be_by_cublas() const {
        const Contraction* const contraction = body_.contraction.get();
        if (contraction == nullptr || !uses_tensor_cores_for_bytes(definition_, body_)) return false;
        const bool has_e4m3 = byte_dtype(definition_, contraction->left) == DType::f8e4m3 ||
                              byte_dtype(definition_, contraction->right) == DType::f8e4m3;
        return has_e4m3 && contraction->shape.size() == 2;
    }

    void write_value(int node) {
        const Op op = at(node).op;
        if (op == Op::input) {
            const std::string& input = interface_.inputs[static_cast<std::size_t>(at(node).index)];
            if (!is_plain()) source_.line(input + " = " + input + ".to(T)");
            return expression_.name(node, input);
        }
        if (op == Op::contraction) return write_product(node);
        if (is_leaf(op)) return;
        std::ptrdiff_t uses = std::ranges::count(body_.outputs, node);
        const bool is_output = uses > 0;
        for (const Node& user : body_.nodes) uses += std::ranges::count(user.operands, node);
        const std::string text = expression_.definition(node);
        const bool is_labelled = !at(node).label.empty() && !is_output;
        if (uses < 2 && !is_labelled && op != Op::row_mean && text.size() <= longest_python_expression) return;
        const std::string name = names_.take(name_of_value(at(node)));
        source_.line(name + " = " + text);
        expression_.name(node, name);
    }

    int product_node() const {
        return static_cast<int>(std::ranges::find(body_.nodes, Op::contraction, &Node::op) - body_.nodes.begin());
    }

    void write_product(int node) {
        const Contraction& contraction = *body_.contraction;
        if (may_be_by_cublas()) {
            const std::string name = names_.take(at(node).label.empty() ? "product" : at(node).label);
            write_byte_product(name);
            return expression_.name(node, name);
        }
        const std::string left = operand(contraction.left), right = operand(contraction.right);
        const std::string text = contraction.convolution ? convolution(*contraction.convolution, left, right)
                                                         : "torch.matmul(" + left + ", " + right + ")";
        const bool is_result = is_plain() && body_.nodes.size() == 1;
        const std::string name = is_result ? text : names_.take(at(node).label.empty() ? "product" : at(node).label);
        if (!is_result) source_.line(name + " = " + text);
        expression_.name(node, name);
    }

    /// PyTorch takes channels that come last as other strides of the same axes.
    std::string convolution(const Convolution& of, const std::string& images, const std::string& kernels) const {
        const auto permuted = [&](const std::string& text, const std::string& axes) {
            const bool is_word = text.find_first_of(" -") == std::string::npos;
            return !of.is_channels_last ? text : (is_word ? text : "(" + text + ")") + ".permute(" + axes + ")";
        };
        std::string options;
        const auto add = [&](const std::string& name, const std::string& value, const std::string& usual) {
            if (value != usual) options += ", " + name + "=" + value;
        };
        add("stride", std::to_string(of.stride), "1");
        add("padding", std::to_string(of.padding), "0");
        add("dilation", std::to_string(of.dilation), "1");
        add("groups", interface_.dimension(of.groups), "1");
        const std::string text = "torch.nn.functional.conv2d(" + permuted(images, "0, 3, 1, 2") + ", " +
                                 permuted(kernels, "0, 3, 1, 2") + options + ")";
        return of.is_channels_last ? text + ".permute(0, 2, 3, 1).contiguous()" : text;
    }

    std::string operand(const ContractionOperand& operand) {
        PythonExpression expression(operand.values, PythonDialect::torch);
        expression.symbols = interface_.symbols;
        expression.attributes = interface_.attributes;
        expression.device = interface_.device();
        for (std::size_t i = 0; i < operand.values.nodes.size(); ++i) {
            const Node& node = operand.values.nodes[i];
            if (node.op == Op::input)
                expression.name(static_cast<int>(i),
                                interface_.inputs[static_cast<std::size_t>(node.index)] + (is_plain() ? "" : ".to(T)"));
        }
        const std::string text = expression.tensor(operand.values.outputs[0]);
        needs_arithmetic_ |= expression.needs().arithmetic;
        if (!operand.is_transposed) return text;
        const bool is_word = text.find_first_of(" -") == std::string::npos;
        return (is_word ? text : "(" + text + ")") + ".transpose(-1, -2)";
    }

    /// A variable of the function's own.
    std::string local(const std::string& wish) {
        const auto found = locals_.find(wish);
        return found != locals_.end() ? found->second : locals_[wish] = names_.take(wish);
    }

    const std::string& input(int number) const { return interface_.inputs[static_cast<std::size_t>(number)]; }
    int first_result() const { return static_cast<int>(definition_.inputs.size()); }

    /// A tensor over the scores with two axes or more, as PyTorch's attention takes it.
    std::string score_tensor(int number) const {
        const std::size_t axes = definition_.inputs[static_cast<std::size_t>(number)].shape.size();
        return input(number) + (axes == 0 ? "[None, None]" : axes == 1 ? "[None, :]" : "");
    }

    /// Which columns rows see, as a condition over the scores; "" where they see all.
    std::string write_seen() {
        const Attention& of = *body_.attention;
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

    /// PyTorch's own attention, where it computes all that is wanted; otherwise the scores as a tensor.
    void write_attention() {
        const Attention& of = *body_.attention;
        const bool has_lse =
            std::ranges::any_of(body_.outputs, [&](int node) { return at(node).index > first_result(); });
        const auto dtype = [&](int number) { return definition_.inputs[static_cast<std::size_t>(number)].dtype; };
        const bool is_one_dtype =
            (of.bias < 0 || dtype(of.bias) == dtype(of.queries)) && definition_.outputs[0].dtype == dtype(of.queries);
        const bool is_fused = of.softcap == 0 && of.dropout == 0 && !has_lse && !definition_.arithmetic && is_one_dtype;
        if (of.heads != of.kv_heads) {
            source_.line("# Heads of a group share keys.");
            for (const int each : std::set{of.keys, of.values})
                source_.line(input(each) + " = " + input(each) + ".repeat_interleave(" +
                             interface_.dimension(of.heads) + " // " + interface_.dimension(of.kv_heads) + ", dim=1)");
        }
        if (is_fused && hides_by_causality_alone(of)) {
            source_.open("if " + interface_.dimension(of.rows) + " == " + interface_.dimension(of.columns) +
                         ":  # where the first row sees the first column, PyTorch's own way");
            source_.line("return " + fused_attention(", is_causal=True"));
            source_.end();
        }
        const std::string seen = write_seen();
        if (is_fused) write_fused_attention(seen);
        else write_scores(seen);
    }

    static bool hides_by_causality_alone(const Attention& of) {
        return of.last_seen() == 0 && of.window_left < 0 && of.lengths < 0 && of.mask < 0 && of.bias < 0;
    }

    std::string with_hidden(const std::string& seen, const std::string& value) const {
        return seen.empty() ? value : "torch.where(" + seen + ", " + value + ", float(\"-inf\"))";
    }

    std::string fused_attention(const std::string& options) const {
        const Attention& of = *body_.attention;
        return "torch.nn.functional.scaled_dot_product_attention(" + input(of.queries) + ", " + input(of.keys) + ", " +
               input(of.values) + options + (of.scale ? ", scale=" + python_number(*of.scale) : "") + ")";
    }

    void write_fused_attention(const std::string& seen) {
        const Attention& of = *body_.attention;
        std::string mask = seen;
        if (of.bias >= 0) mask = with_hidden(seen, score_tensor(of.bias));
        const std::string call = fused_attention(mask.empty() ? "" : ", attn_mask=" + mask);
        if (seen.empty()) return source_.line("return " + call);
        source_.line(local("result") + " = " + call);
        source_.line("return torch.where(" + seen + ".any(dim=-1, keepdim=True), " + local("result") +
                     ", 0)  # a row that sees nothing is 0");
    }

    /// Philox4x32-10 in integers of 64 bits, for every column the words of its group of four.
    void write_dropout(const std::string& weights) {
        const Attention& of = *body_.attention;
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
        source_.line(weights + " = torch.where(" + word + " < " + std::to_string(of.dropped_below()) + ", 0, " +
                     weights + " * " + python_number(of.kept_factor()) + ")");
    }

    void write_scores(const std::string& seen) {
        const Attention& of = *body_.attention;
        const std::string scores = local("scores"), lse = local("log_sum"), weights = local("weights");
        source_.line("T = " + (definition_.arithmetic ? torch_dtype(*definition_.arithmetic)
                                                      : "torch.float64 if " + interface_.dtype() +
                                                            " == torch.float64 else torch.float32"));
        source_.line(scores + " = " + input(of.queries) + ".to(T) @ " + input(of.keys) + ".to(T).transpose(-1, -2) * " +
                     (of.scale ? python_number(*of.scale) : interface_.dimension(of.head_size) + " ** -0.5"));
        if (of.softcap > 0) {
            const std::string cap = python_number(of.softcap);
            source_.line(scores + " = " + cap + " * torch.tanh(" + scores + " / " + cap + ")");
        }
        if (of.bias >= 0) source_.line(scores + " = " + scores + " + " + score_tensor(of.bias) + ".to(T)");
        if (!seen.empty()) source_.line(scores + " = " + with_hidden(seen, scores));
        source_.line(lse + " = torch.logsumexp(" + scores + ", dim=-1, keepdim=True)");
        source_.line(weights + " = torch.exp(" + scores + " - torch.where(" + lse + " == float(\"-inf\"), 0, " + lse +
                     "))  # a row that sees nothing is 0");
        if (of.dropout > 0) write_dropout(weights);
        std::vector<std::string> results;
        for (std::size_t i = 0; i < body_.outputs.size(); ++i) {
            const Tensor& output = definition_.outputs[i];
            std::string text = "(" + weights + " @ " + input(of.values) + ".to(T))";
            if (at(body_.outputs[i]).index != first_result())
                text = lse + (std::ranges::contains(body_.reduced_outputs, output.name) ? ".squeeze(-1)" : "");
            results.push_back(text + ".to(" + interface_.dtype_of(output) + ")");
        }
        source_.line("return " + join(results, ", "));
    }

    /// An output with its own shape, dtype and memory.
    std::string result(std::size_t output) const {
        const Tensor& tensor = definition_.outputs[output];
        const Node& node = at(body_.outputs[output]);
        std::string text = expression_.tensor(body_.outputs[output]);
        const bool is_whole = node.shape == tensor.shape && node.op != Op::input;
        if (is_plain() && is_whole && !std::ranges::contains(body_.reduced_outputs, tensor.name)) return text;
        const bool is_word = text.find_first_of(" -") == std::string::npos;
        if (!is_word) text = "(" + text + ")";
        if (std::ranges::contains(body_.reduced_outputs, tensor.name)) text += ".squeeze(-1)";
        else if (node.shape != tensor.shape)
            text += ".expand(" + interface_.shape(tensor.shape) + ").clone(memory_format=torch.contiguous_format)";
        else if (node.op == Op::input) text += ".clone()";
        if (tensor.dtype && is_integer(*tensor.dtype)) {
            const std::string bounds = *tensor.dtype == DType::i8 ? "-128, 127" : "-2147483648, 2147483647";
            text = "torch.nan_to_num(" + text + ".double()).round().clamp(" + bounds + ")";
        }
        if (is_plain()) return text;
        return text + ".to(" + (tensor.dtype ? torch_dtype(*tensor.dtype) : dtype_) + ")";
    }

    const Operator& definition_;
    const Body& body_;
    const std::vector<DType>& eager_;  ///< of f16 and bf16: computed in the dtype itself
    PythonInterface interface_;
    Names names_;
    PythonExpression expression_;
    SourceText source_;
    bool needs_arithmetic_ = false;              ///< whether an operand's prologue names T
    std::map<std::string, std::string> locals_;  ///< names of `local`
    std::string dtype_;                          ///< the variable that holds the case's dtype
};

}  // namespace

bool converts_first(const Implementation& implementation, DType dtype) {
    if (implementation.variant.language != Language::torch || implementation.variant.compile) return false;
    const std::size_t begin = implementation.text.find(in_float32);
    if (begin == std::string::npos) return false;
    const std::string line = implementation.text.substr(begin, implementation.text.find('\n', begin) - begin);
    return has_word(line.substr(in_float32.size()), torch_dtype(dtype).substr(6));
}

std::string torch_source(const Operator& definition, const Body& lowered, const std::vector<DType>& eager) {
    return TorchWriter(definition, lowered, eager).write();
}

}  // namespace kernelgen
