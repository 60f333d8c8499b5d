// SPDX-License-Identifier: Apache-2.0
#include "core/lang/attention.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/text.h"
#include "core/lang/philox.h"

namespace kernelgen {

namespace {

constexpr std::int64_t widest_window = std::int64_t{1} << 40;
constexpr std::int64_t largest_seed = std::int64_t{1} << 53;
constexpr std::size_t tensor_count = 3;  ///< queries, keys and values stand before the other arguments
constexpr std::string_view number_names[] = {"scale",   "causal",  "window_left", "window_right",
                                             "softcap", "dropout", "seed"};
constexpr std::string_view tensor_names[] = {"lengths", "bias", "mask"};
constexpr std::string_view later_names[] = {"q_scale", "k_scale", "v_scale", "block_table"};
constexpr std::string_view all_arguments =
    "the arguments are scale, causal, window_left, window_right, softcap, dropout, seed, lengths, bias and mask, each "
    "once";
constexpr std::string_view example = "such as `out, lse = attention(q, k, v, causal=1)`";

/// The size of a dimension; 0 where it is not given.
std::int64_t size_or_zero(const std::string& dimension, const Sizes& sizes) {
    long long number = 0;
    const auto found = sizes.find(dimension);
    if (!parse_integer(dimension, number)) number = found == sizes.end() ? 0 : found->second;
    return std::max<std::int64_t>(number, 0);
}

bool is_literal(const std::string& dimension) {
    long long number = 0;
    return parse_integer(dimension, number);
}

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

/// The sum over all rows i of i + distance, where that is below 0 or above the number of columns of the nearer bound.
double sum_within(const AttentionSizes& sizes, std::int64_t distance) {
    const std::int64_t first = std::clamp<std::int64_t>(-distance, 0, sizes.rows);
    const std::int64_t end = std::clamp(sizes.columns - distance, first, std::max(first, sizes.rows));
    const double middle = (static_cast<double>(first) + static_cast<double>(end) - 1) / 2;
    return static_cast<double>(end - first) * (middle + static_cast<double>(distance)) +
           static_cast<double>(sizes.rows - end) * static_cast<double>(sizes.columns);
}

/// Reads the arguments of a call.
class Arguments {
public:
    Arguments(const Expression& call, const Operator& definition, const ReportError& error)
        : call_(call), definition_(definition), error_(error) {}

    std::optional<Attention> read() {
        if (call_.operands.size() < tensor_count) {
            error_(call_.position,
                   say("`{}` takes queries, keys and values, not {} arguments", attention_name, call_.operands.size()),
                   std::string(example));
            return std::nullopt;
        }
        for (std::size_t i = 0; i < call_.operands.size(); ++i) {
            if (!(i < tensor_count ? read_operand(i) : read_option(i))) return std::nullopt;
        }
        return check_shapes() && check_dtypes() ? std::optional(made_) : std::nullopt;
    }

private:
    bool fail(Position position, Said message, Said suggestion = "") {
        error_(position, std::move(message), std::move(suggestion));
        return false;
    }

    const Tensor& input(int number) const { return definition_.inputs[static_cast<std::size_t>(number)]; }

    bool read_operand(std::size_t i) {
        const Expression& argument = *call_.operands[i];
        if (!argument.keyword.empty())
            return fail(argument.position, say("queries, keys and values of `{}` go by position", attention_name),
                        std::string(example));
        return read_tensor(argument, i == 0 ? made_.queries : i == 1 ? made_.keys : made_.values);
    }

    /// An input by its name: nothing is computed before the products.
    bool read_tensor(const Expression& argument, int& number) {
        const auto found = argument.kind == Expression::Kind::name
                               ? std::ranges::find(definition_.inputs, argument.text, &Tensor::name)
                               : definition_.inputs.end();
        if (found == definition_.inputs.end())
            return fail(argument.position, say("a tensor of `{}` must be an input", attention_name),
                        "what is computed before it cannot be fused: make an operator of it, and take its result as an "
                        "input");
        number = static_cast<int>(found - definition_.inputs.begin());
        return true;
    }

    bool read_option(std::size_t i) {
        const Expression& argument = *call_.operands[i];
        const std::size_t place = i - tensor_count;
        const bool is_by_place = argument.keyword.empty() && place < std::size(number_names) && given_.size() == place;
        const std::string name = is_by_place ? std::string(number_names[place]) : argument.keyword;
        if (std::ranges::contains(later_names, name))
            return fail(argument.position, say("`{}` of `{}` is not there yet", name, attention_name),
                        std::string(all_arguments));
        const bool is_number = std::ranges::contains(number_names, name);
        if (std::ranges::contains(given_, name) || !(is_number || std::ranges::contains(tensor_names, name)))
            return fail(argument.position, say("`{}` has no argument `{}` here", attention_name, name),
                        std::string(all_arguments));
        given_.push_back(name);
        if (is_number) return read_number(name, argument);
        return read_tensor(argument, name == "lengths" ? made_.lengths : name == "bias" ? made_.bias : made_.mask);
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
        const bool is_seed = name == "seed";
        const std::int64_t least = is_seed || name == "causal" ? 0 : -1;
        const std::int64_t most = is_seed ? largest_seed : name == "causal" ? 1 : widest_window;
        if (!(value >= static_cast<double>(least) && value <= static_cast<double>(most)) || value != std::floor(value))
            return fail(argument.position, say("`{}` must be an integer from {} to {}", name, least, most),
                        name == "causal" ? Said("1: a row sees no later column")
                        : is_seed        ? Said("")
                                         : Said("-1: no limit"));
        const auto integer = static_cast<std::int64_t>(value);
        if (is_seed) made_.seed = static_cast<std::uint64_t>(integer);
        else if (name == "causal") made_.is_causal = integer == 1;
        else (name == "window_left" ? made_.window_left : made_.window_right) = integer;
        return true;
    }

    bool check_shapes() {
        const Shape &q = input(made_.queries).shape, &k = input(made_.keys).shape, &v = input(made_.values).shape;
        if (q.size() != 4 || k.size() != 4 || v != k || q[0] != k[0] || q[3] != k[3])
            return fail(call_.position,
                        say("`{}` takes queries [B, H, N, D] with keys and values [B, Hk, M, D], not {}, {} and {}",
                            attention_name, to_string(q), to_string(k), to_string(v)));
        made_.batch = q[0], made_.heads = q[1], made_.rows = q[2], made_.head_size = q[3];
        made_.kv_heads = k[1], made_.columns = k[2];
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
        constexpr DType taken[] = {DType::f64, DType::f32, DType::f16, DType::bf16};
        if (dtype(made_.queries) && !std::ranges::contains(taken, *dtype(made_.queries)))
            return fail(call_.position, say("queries of dtype {} are not taken: f64, f32, f16 and bf16 are",
                                            to_string(*dtype(made_.queries))));
        if (made_.lengths >= 0 && dtype(made_.lengths) != DType::i32)
            return fail(call_.position, "`lengths` must have dtype i32");
        if (made_.mask >= 0 && dtype(made_.mask) != DType::i8)
            return fail(call_.position, "`mask` must have dtype i8: 1 where a column is seen, 0 elsewhere");
        if (made_.bias >= 0 && dtype(made_.bias) && is_integer(*dtype(made_.bias)))
            return fail(call_.position, "`bias` must have a floating-point dtype");
        return true;
    }

    const Expression& call_;
    const Operator& definition_;
    const ReportError& error_;
    Attention made_;
    std::vector<std::string> given_;
};

}  // namespace

std::vector<int> Attention::inputs() const {
    std::vector<int> all;
    for (const int each : {queries, keys, values, lengths, bias, mask}) {
        if (each >= 0) all.push_back(each);
    }
    return all;
}

std::optional<std::int64_t> Attention::last_seen() const {
    if (is_causal) return window_right < 0 ? 0 : std::min<std::int64_t>(window_right, 0);
    return window_right < 0 ? std::nullopt : std::optional(window_right);
}

AttentionSizes sizes_of(const Attention& attention, const Sizes& sizes) {
    const auto size = [&](const std::string& dimension) { return size_or_zero(dimension, sizes); };
    return {size(attention.batch),     size(attention.heads),    size(attention.rows),
            size(attention.head_size), size(attention.kv_heads), size(attention.columns)};
}

double scale_of(const Attention& attention, const AttentionSizes& sizes) {
    return attention.scale.value_or(1 / std::sqrt(static_cast<double>(sizes.head_size)));
}

SeenColumns seen_columns(const Attention& attention, const AttentionSizes& sizes, std::int64_t row) {
    const std::int64_t diagonal = row + sizes.columns - sizes.rows;
    SeenColumns seen{0, sizes.columns};
    if (attention.window_left >= 0) seen.first = std::max<std::int64_t>(0, diagonal - attention.window_left);
    if (const auto last = attention.last_seen()) seen.end = std::min(seen.end, diagonal + *last + 1);
    return seen;
}

std::array<bool, 4> are_dropped(const Attention& attention, std::int64_t batch, std::int64_t head, std::int64_t row,
                                std::int64_t group) {
    const std::array<std::uint32_t, 4> words =
        philox(attention.seed, {static_cast<std::uint32_t>(group), static_cast<std::uint32_t>(row),
                                static_cast<std::uint32_t>(head), static_cast<std::uint32_t>(batch)});
    std::array<bool, 4> dropped{};
    for (std::size_t i = 0; i < words.size(); ++i) dropped[i] = words[i] < attention.dropped_below();
    return dropped;
}

double seen_scores(const Attention& attention, const AttentionSizes& sizes) {
    const std::int64_t distance = sizes.columns - sizes.rows;
    double columns = static_cast<double>(sizes.rows) * static_cast<double>(sizes.columns);
    if (const auto last = attention.last_seen()) columns = sum_within(sizes, distance + *last + 1);
    if (attention.window_left >= 0) columns -= sum_within(sizes, distance - attention.window_left);
    return columns * static_cast<double>(sizes.batch) * static_cast<double>(sizes.heads);
}

std::optional<Attention> attention_of_call(const Expression& call, const Operator& definition,
                                           const ReportError& error) {
    return Arguments(call, definition, error).read();
}

std::optional<Said> problem_of(const Attention& attention, const Sizes& sizes) {
    const std::int64_t heads = size_or_zero(attention.heads, sizes), kv_heads = size_or_zero(attention.kv_heads, sizes);
    if (heads < 1 || kv_heads < 1 || heads % kv_heads == 0) return std::nullopt;
    return say("the queries have {} heads, which the {} heads of the keys do not divide", heads, kv_heads);
}

std::vector<DerivedSize> required_sizes(const Attention& attention) {
    const std::string &heads = attention.heads, &kv_heads = attention.kv_heads;
    if (heads == kv_heads || kv_heads == "1" || (is_literal(heads) && is_literal(kv_heads))) return {};
    return {{heads, heads + " / " + kv_heads + " * " + kv_heads}};
}

void fit_sizes(const Attention& attention, Sizes& sizes) {
    const std::int64_t heads = size_or_zero(attention.heads, sizes);
    std::int64_t kv_heads = size_or_zero(attention.kv_heads, sizes);
    if (heads < 1 || kv_heads < 1) return;
    const auto found = sizes.find(attention.kv_heads);
    if (found != sizes.end()) {
        kv_heads = std::min(kv_heads, heads);
        while (heads % kv_heads != 0) --kv_heads;
        found->second = kv_heads;
    } else if (const auto own = sizes.find(attention.heads); own != sizes.end()) {
        own->second = (heads + kv_heads - 1) / kv_heads * kv_heads;
    }
}

std::vector<Tensor> results_of(const Attention& attention) {
    return {{"", attention.result()}, {"", {attention.batch, attention.heads, attention.rows, "1"}}};
}

}  // namespace kernelgen
