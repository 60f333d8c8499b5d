// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "core/base/text.h"
#include "core/lang/attention.h"

namespace kernelgen {

namespace {

constexpr std::int64_t widest_window = std::int64_t{1} << 40;
constexpr std::int64_t largest_seed = std::int64_t{1} << 53;
constexpr std::int64_t largest_block = std::int64_t{1} << 20;
constexpr std::string_view number_names[] = {"scale",   "causal",  "window_left", "window_right",
                                             "softcap", "dropout", "seed",        "scale_block"};
constexpr std::string_view tensor_names[] = {"lengths", "bias", "mask", "block_table"};
constexpr std::string_view scale_names[] = {"q_scale", "k_scale", "v_scale"};
constexpr std::string_view all_arguments =
    "the arguments are scale, causal, window_left, window_right, softcap, dropout, seed, scale_block, lengths, bias, "
    "mask, block_table, q_scale, k_scale and v_scale, each once";
constexpr std::string_view example = "such as `out, lse = attention(q, k, v, causal=1)`";
constexpr std::string_view backward_example =
    "such as `dq, dk, dv = attention_backward(q, k, v, out, lse, dout, causal=1)`";

/// The value of an expression of numbers; nothing where it names something else.
std::optional<double> number_of(const Expression& expression) {
    std::vector<double> values;
    for (const ExpressionPointer& operand : expression.operands) {
        const std::optional<double> value = number_of(*operand);
        if (!value) return std::nullopt;
        values.push_back(*value);
    }
    double number = 0;
    if (expression.kind == Expression::Kind::number)
        return parse_number(expression.text, number) ? std::optional(number) : std::nullopt;
    if (expression.kind != Expression::Kind::operation) return std::nullopt;
    if (expression.text == "neg") return -values[0];
    if (expression.text == "+") return values[0] + values[1];
    if (expression.text == "-") return values[0] - values[1];
    if (expression.text == "*") return values[0] * values[1];
    if (expression.text == "/") return values[0] / values[1];
    return std::nullopt;
}

/// Reads the arguments of a call of `attention` or `attention_backward`.
class Arguments {
public:
    Arguments(const Expression& call, const Operator& definition, const ReportError& error)
        : call_(call),
          definition_(definition),
          error_(error),
          name_(call.text),
          is_backward_(call.text == attention_backward_name) {}

    std::optional<Attention> read() {
        const std::vector<int*> operands = this->operands();
        const std::size_t given = call_.operands.size();
        if (given < operands.size()) {
            const auto by_position =
                std::ranges::count_if(call_.operands, [](const auto& argument) { return argument->keyword.empty(); });
            fail(call_.position,
                 is_backward_ ? say("`{}` takes queries, keys, values, the result, its log-sum-exp and its gradient, "
                                    "not {} arguments",
                                    name_, by_position)
                              : say("`{}` takes queries, keys and values, not {} arguments", name_, by_position),
                 example_text());
            return std::nullopt;
        }
        for (std::size_t i = 0; i < given; ++i) {
            if (!(i < operands.size() ? read_operand(i, *operands[i]) : read_option(i))) return std::nullopt;
        }
        const bool is_right = check_shapes() && check_dtypes() && check_scales() && (!is_backward_ || check_results());
        return is_right ? std::optional(made_) : std::nullopt;
    }

private:
    bool fail(Position position, Said message, Said suggestion = "") {
        error_(position, std::move(message), std::move(suggestion));
        return false;
    }

    const Tensor& input(int number) const { return definition_.inputs[static_cast<std::size_t>(number)]; }

    /// What stands before the other arguments.
    std::vector<int*> operands() {
        if (!is_backward_) return {&made_.queries, &made_.keys, &made_.values};
        return {&made_.queries, &made_.keys, &made_.values, &made_.output, &made_.lse, &made_.output_gradient};
    }

    Said example_text() const { return std::string(is_backward_ ? backward_example : example); }

    bool read_operand(std::size_t i, int& number) {
        const Expression& argument = *call_.operands[i];
        if (!argument.keyword.empty())
            return fail(argument.position,
                        is_backward_ ? say("the first six tensors of `{}` go by position", name_)
                                     : say("queries, keys and values of `{}` go by position", name_),
                        example_text());
        return read_tensor(argument, number);
    }

    /// An input by its name: nothing is computed before the products.
    bool read_tensor(const Expression& argument, int& number) {
        const auto found = argument.kind == Expression::Kind::name
                               ? std::ranges::find(definition_.inputs, argument.text, &Tensor::name)
                               : definition_.inputs.end();
        if (found == definition_.inputs.end())
            return fail(argument.position, say("a tensor of `{}` must be an input", name_),
                        "what is computed before it cannot be fused: make an operator of it, and take its result as an "
                        "input");
        number = static_cast<int>(found - definition_.inputs.begin());
        return true;
    }

    bool read_option(std::size_t i) {
        const Expression& argument = *call_.operands[i];
        const std::size_t place = i - operands().size();
        const bool is_by_place = argument.keyword.empty() && place < std::size(number_names) && given_.size() == place;
        const std::string name = is_by_place ? std::string(number_names[place]) : argument.keyword;
        const bool is_number = std::ranges::contains(number_names, name);
        const bool is_scale = std::ranges::contains(scale_names, name);
        const bool is_known = is_number || is_scale || std::ranges::contains(tensor_names, name);
        if (std::ranges::contains(given_, name) || !is_known)
            return fail(argument.position, say("`{}` has no argument `{}` here", name_, name),
                        std::string(all_arguments));
        if (name == "block_table" && is_backward_)
            return fail(argument.position, say("`{}` has no `block_table`", name_),
                        "the gradients of keys and values are those of their own rows: gather the blocks first");
        given_.push_back(name);
        if (is_number) return read_number(name, argument);
        if (is_scale) return read_scale(name, argument);
        return read_tensor(argument, name == "lengths" ? made_.lengths
                                     : name == "bias"  ? made_.bias
                                     : name == "mask"  ? made_.mask
                                                       : made_.block_table);
    }

    OperandScale& scale_named(std::string_view name) {
        return name == "q_scale" ? made_.query_scale : name == "k_scale" ? made_.key_scale : made_.value_scale;
    }

    /// A number or an input.
    bool read_scale(const std::string& name, const Expression& argument) {
        OperandScale& scale = scale_named(name);
        if (const std::optional<double> number = number_of(argument)) {
            scale.number = *number;
            if (*number >= 1e-30 && *number <= 1e30) return true;
            return fail(argument.position, say("`{}` must be a number from 1e-30 to 1e30, or an input", name));
        }
        return read_tensor(argument, scale.input);
    }

    bool read_number(const std::string& name, const Expression& argument) {
        const double value = number_of(argument).value_or(std::nan(""));
        if (name == "dropout") {
            if (!(value >= 0 && value < 1))
                return fail(argument.position, "`dropout` must be a number from 0 to below 1",
                            "0: no weight is dropped");
            made_.dropout = value;
            return true;
        }
        if (name == "scale" || name == "softcap") {
            constexpr double least = 1e-30, most = 1e30;  // within f32 whatever it multiplies or divides
            const bool is_within = value == 0 || (std::abs(value) >= least && std::abs(value) <= most);
            const bool is_right = is_within && (name == "scale" || value >= 0);
            if (!is_right)
                return fail(argument.position,
                            name == "scale" ? say("`scale` must be 0 or a number from 1e-30 to 1e30 in magnitude")
                                            : say("`softcap` must be 0 or a number from 1e-30 to 1e30"),
                            name == "scale" ? Said("without it, it is 1 / sqrt(D)") : Said("0: none"));
            if (name == "scale") made_.scale = value;
            else made_.softcap = value;
            return true;
        }
        const bool is_seed = name == "seed", is_block = name == "scale_block";
        const std::int64_t least = is_seed || name == "causal" ? 0 : is_block ? 1 : -1;
        const std::int64_t most = is_seed            ? largest_seed
                                  : is_block         ? largest_block
                                  : name == "causal" ? 1
                                                     : widest_window;
        if (!(value >= static_cast<double>(least) && value <= static_cast<double>(most)) || value != std::floor(value))
            return fail(argument.position, say("`{}` must be an integer from {} to {}", name, least, most),
                        name == "causal" ? Said("1: a row sees no later column")
                        : is_block       ? Said("the rows of a head that share a scale, such as 128")
                        : is_seed        ? Said("")
                                         : Said("-1: no limit"));
        const auto integer = static_cast<std::int64_t>(value);
        if (is_seed) made_.seed = static_cast<std::uint64_t>(integer);
        else if (name == "causal") made_.is_causal = integer == 1;
        else if (is_block) made_.scale_block = integer;
        else (name == "window_left" ? made_.window_left : made_.window_right) = integer;
        return true;
    }

    /// Keys and values in blocks of columns, and the table of each batch's blocks.
    bool check_paged_shapes() {
        const Shape &q = input(made_.queries).shape, &k = input(made_.keys).shape, &v = input(made_.values).shape;
        const Shape& table = input(made_.block_table).shape;
        if (q.size() != 4 || k.size() != 4 || v != k || q[3] != k[3])
            return fail(call_.position,
                        say("with `block_table` `{}` takes queries [B, H, N, D] with keys and values [P, Hk, S, D], "
                            "blocks of S columns, not {}, {} and {}",
                            name_, to_string(q), to_string(k), to_string(v)));
        if (table.size() != 2 || table[0] != q[0])
            return fail(call_.position, say("`block_table` must have shape [{}, T], the blocks of each batch, not {}",
                                            q[0], to_string(table)));
        made_.blocks = k[0], made_.kv_heads = k[1], made_.block_size = k[2], made_.places = table[1];
        made_.columns = "(" + made_.places + " * " + made_.block_size + ")";
        return true;
    }

    bool check_shapes() {
        const Shape &q = input(made_.queries).shape, &k = input(made_.keys).shape, &v = input(made_.values).shape;
        if (made_.is_paged()) {
            if (!check_paged_shapes()) return false;
        } else if (q.size() != 4 || k.size() != 4 || v != k || q[0] != k[0] || q[3] != k[3]) {
            return fail(call_.position,
                        say("`{}` takes queries [B, H, N, D] with keys and values [B, Hk, M, D], not {}, {} and {}",
                            name_, to_string(q), to_string(k), to_string(v)));
        } else {
            made_.kv_heads = k[1], made_.columns = k[2];
        }
        made_.batch = q[0], made_.heads = q[1], made_.rows = q[2], made_.head_size = q[3];
        if (const auto problem = problem_of(made_, {})) return fail(call_.position, *problem);
        return check_length_shape() && check_score_shape("bias", made_.bias) && check_score_shape("mask", made_.mask);
    }

    bool check_length_shape() {
        if (made_.lengths < 0 || input(made_.lengths).shape == Shape{made_.batch}) return true;
        return fail(call_.position, say("`lengths` must have shape {}, not {}", to_string(Shape{made_.batch}),
                                        to_string(input(made_.lengths).shape)));
    }

    /// A tensor over the scores, or one that is broadcast to them.
    bool check_score_shape(const std::string& name, int number) {
        if (number < 0) return true;
        Said ignored;
        const auto shape = broadcast(made_.scores(), input(number).shape, ignored);
        if (shape && *shape == made_.scores()) return true;
        return fail(call_.position, say("`{}` must broadcast to {}, and has shape {}", name, to_string(made_.scores()),
                                        to_string(input(number).shape)));
    }

    bool check_dtypes() {
        const auto dtype = [&](int number) { return input(number).dtype; };
        if (dtype(made_.queries) != dtype(made_.keys) || dtype(made_.queries) != dtype(made_.values))
            return fail(call_.position, "queries, keys and values must have one dtype");
        if (dtype(made_.queries) && is_integer(*dtype(made_.queries)))
            return fail(call_.position, say("queries of dtype {} are not taken: floating-point dtypes are",
                                            to_string(*dtype(made_.queries))));
        if (is_backward_ && has_byte_operands(definition_, made_))
            return fail(call_.position, say("`{}` takes no operands of 8 bits: f64, f32, f16 and bf16 are", name_));
        if (made_.lengths >= 0 && dtype(made_.lengths) != DType::i32)
            return fail(call_.position, "`lengths` must have dtype i32");
        if (made_.is_paged() && dtype(made_.block_table) != DType::i32)
            return fail(call_.position, "`block_table` must have dtype i32");
        const bool has_scale =
            made_.query_scale.is_given() || made_.key_scale.is_given() || made_.value_scale.is_given();
        if (made_.is_paged() && (has_scale || has_byte_operands(definition_, made_)))
            return fail(call_.position, "`block_table` does not go with operands of 8 bits or with scales of operands",
                        "gather the blocks first, by an operator of its own");
        if (made_.mask >= 0 && dtype(made_.mask) != DType::i8)
            return fail(call_.position, "`mask` must have dtype i8: 1 where a column is seen, 0 elsewhere");
        if (made_.bias >= 0 && dtype(made_.bias) && is_integer(*dtype(made_.bias)))
            return fail(call_.position, say("`{}` must have a floating-point dtype", "bias"));
        return true;
    }

    /// Scales of operands, which must have 8 bits: those of others are factors of `scale`, or of the result.
    bool check_scales() {
        for (const std::string_view name : scale_names) {
            if (!std::ranges::contains(given_, name)) continue;
            if (!has_byte_operands(definition_, made_))
                return fail(call_.position, say("`{}` is for operands of dtype f8e4m3 or f8e5m2", name),
                            "give queries, keys and values such a dtype, or multiply `scale` by it");
            OperandScale& scale = scale_named(name);
            if (scale.input >= 0 && !check_scale(name, scale)) return false;
        }
        return have_own_blocks() && has_one_scale(made_.queries, made_.keys, made_.query_scale == made_.key_scale) &&
               has_one_scale(made_.queries, made_.values, made_.query_scale == made_.value_scale) &&
               has_one_scale(made_.keys, made_.values, made_.key_scale == made_.value_scale);
    }

    /// A symbol is the number of blocks of the rows of queries, or of keys and values.
    bool have_own_blocks() {
        const std::string &blocks = made_.query_scale.blocks, &rows = made_.rows, &columns = made_.columns;
        long long number = 0;
        if (blocks.empty() || rows == columns || parse_integer(blocks, number)) return true;
        if (blocks != made_.key_scale.blocks && blocks != made_.value_scale.blocks) return true;
        return fail(call_.position,
                    say("`{}` is the number of blocks of {} rows and of {} rows", blocks, rows, columns),
                    "give `q_scale` a symbol of its own");
    }

    bool has_one_scale(int one, int other, bool is_same_scale) {
        if (one != other || is_same_scale) return true;
        return fail(call_.position, say("`{}` is given twice, with scales that differ", input(one).name),
                    "give both the same scale, or make another input of one");
    }

    bool check_scale(std::string_view name, OperandScale& scale) {
        const Tensor& tensor = input(scale.input);
        if (tensor.dtype && (is_integer(*tensor.dtype) || is_float_of_8_bits(*tensor.dtype)))
            return fail(call_.position, say("`{}` must have dtype f32, f64, f16 or bf16", name));
        const bool is_of_queries = name == "q_scale";
        const Shape blocks = {made_.batch, is_of_queries ? made_.heads : made_.kv_heads};
        if (tensor.shape.size() == 3 && Shape(tensor.shape.begin(), tensor.shape.end() - 1) == blocks) {
            scale.blocks = tensor.shape.back();
            if (const auto problem = problem_of(made_, {})) return fail(call_.position, *problem);
            return true;
        }
        if (tensor.shape == Shape{"1"}) return true;
        return fail(
            call_.position,
            say("`{}` must have shape [1], or [{}, {}, blocks] with a scale for every {} rows of a head, not {}", name,
                blocks[0], blocks[1], made_.scale_block, to_string(tensor.shape)));
    }

    /// What `attention` gave, and the gradient of its result.
    bool check_results() {
        for (const int each : {made_.output, made_.output_gradient}) {
            if (input(each).shape == made_.result()) continue;
            return fail(call_.position, say("`{}` must have the shape of the queries, {}, not {}", input(each).name,
                                            to_string(made_.result()), to_string(input(each).shape)));
        }
        const Shape rows = {made_.batch, made_.heads, made_.rows};
        Shape whole = rows;
        whole.emplace_back("1");
        if (const Shape& shape = input(made_.lse).shape; shape != rows && shape != whole)
            return fail(call_.position,
                        say("the log-sum-exp `{}` must have shape {} or {}, not {}", input(made_.lse).name,
                            to_string(rows), to_string(whole), to_string(shape)));
        for (const int each : {made_.output, made_.lse, made_.output_gradient}) {
            if (!input(each).dtype || !is_integer(*input(each).dtype)) continue;
            return fail(call_.position, say("`{}` must have a floating-point dtype", input(each).name));
        }
        if (input(made_.output_gradient).dtype != input(made_.queries).dtype)
            return fail(call_.position,
                        say("`{}` must have the dtype of the queries", input(made_.output_gradient).name));
        if (const auto dtype = input(made_.lse).dtype; dtype && size_of(*dtype) < 4)
            return fail(call_.position,
                        say("the log-sum-exp `{}` must have dtype f32 or f64, not {}", input(made_.lse).name,
                            to_string(*dtype)),
                        "weights are exp of a difference with it: in 16 bits they are off by percents");
        return true;
    }

    const Expression& call_;
    const Operator& definition_;
    const ReportError& error_;
    const std::string_view name_;
    const bool is_backward_;
    Attention made_;
    std::vector<std::string> given_;
};

}  // namespace

std::optional<Attention> attention_of_call(const Expression& call, const Operator& definition,
                                           const ReportError& error) {
    return Arguments(call, definition, error).read();
}

}  // namespace kernelgen
