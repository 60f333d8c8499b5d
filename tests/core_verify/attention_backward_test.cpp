// SPDX-License-Identifier: Apache-2.0
// How the gradients of attention are judged: the reference is that of plain loops and of differences of the forward
// pass, and what is wrong in a few of their terms is found.
#include <gtest/gtest.h>

#include <cmath>

#include "core/lang/attention.h"
#include "tests/core_verify/judging.h"

namespace kernelgen {
namespace {

using GradientTensors = std::vector<std::vector<double>>;

/// What a kernel may get wrong.
struct GradientMistake {
    std::int64_t window = 0;        ///< its right edge lies so many columns further
    bool is_top_left = false;       ///< causal from the first row's corner
    bool has_other_group = false;   ///< the keys of head h % Hk
    bool leaves_out_block = false;  ///< the last 4 columns
    bool leaves_out_rows = false;   ///< the last 4 rows, of the sums of keys and values
    bool misses_delta = false;
    bool scales_twice = false;         ///< the queries' gradient
    bool has_base_two = false;         ///< the log-sum-exp is taken as one of base 2
    bool forgets_slope = false;        ///< of the soft cap
    bool sees_padding = false;         ///< lengths are not looked at
    bool keeps_all_gradients = false;  ///< dropout is left out of the weights' gradients
    bool is_backwards = false;         ///< columns and rows from the last to the first: right
    std::optional<DType> narrow = {};  ///< weights and their gradients are rounded to it before sums: right
};

struct GradientCase {
    std::string options;
    std::int64_t rows = 9, columns = 13, heads = 4, kv_heads = 2, size = 16;
    bool has_lengths = false, has_bias = false;

    Operator definition() const {
        std::vector<std::string> inputs = {"q:B,H,N,D",   "k:B,Hk,M,D", "v:B,Hk,M,D",
                                           "out:B,H,N,D", "lse:B,H,N",  "dout:B,H,N,D"};
        std::string all = options;
        if (has_lengths) inputs.emplace_back("lengths:B"), all += ", lengths=lengths";
        if (has_bias) inputs.emplace_back("bias:N,M"), all += ", bias=bias";
        Operator made =
            testing::tile("dq, dk, dv = attention_backward(q, k, v, out, lse, dout" + all + ")", inputs, "dq:B,H,N,D");
        made.outputs.push_back(testing::tensor("dk:B,Hk,M,D"));
        made.outputs.push_back(testing::tensor("dv:B,Hk,M,D"));
        made.symbols = {"B", "H", "Hk", "N", "M", "D"};
        made.inputs[4].dtype = DType::f32;
        made.inputs[4].domain = Domain{Domain::Kind::interval, 2, 3};
        if (has_lengths) {
            made.inputs[6].dtype = DType::i32;
            made.inputs[6].domain = Domain{Domain::Kind::integers, 0, static_cast<double>(columns)};
        }
        return made;
    }
    Sizes sizes() const { return {{"B", 2}, {"H", heads}, {"Hk", kv_heads}, {"N", rows}, {"M", columns}, {"D", size}}; }
};

/// Attention and its gradients by loops in arithmetic T.
template <class T>
class GradientLoops {
public:
    GradientLoops(const GradientCase& of, const GradientTensors& inputs, const GradientMistake& mistake = {})
        : case_(of),
          attention_(*analyse(of.definition())->attention),
          sizes_(sizes_of(attention_, of.sizes())),
          inputs_(inputs),
          mistake_(mistake) {}

    /// The result and the log-sum-exp.
    std::pair<std::vector<double>, std::vector<double>> forward() const {
        std::vector<double> output(inputs_[0].size()), lse(inputs_[4].size(), -INFINITY);
        for (std::int64_t line = 0; line < 2 * sizes_.heads * sizes_.rows; ++line) {
            const std::int64_t head = line / sizes_.rows, i = line % sizes_.rows;
            double largest = -INFINITY, total = 0;
            for (std::int64_t j = 0; j < sizes_.columns; ++j)
                if (is_seen(head, i, j)) largest = std::max(largest, static_cast<double>(logit(head, i, j).first));
            for (std::int64_t j = 0; j < sizes_.columns; ++j) {
                if (!is_seen(head, i, j)) continue;
                const double weight = std::exp(static_cast<double>(logit(head, i, j).first) - largest);
                total += weight;
                for (std::int64_t d = 0; d < sizes_.head_size; ++d)
                    output[at(line, d)] += weight * static_cast<double>(kept(head, i, j)) * inputs_[2][key(head, j, d)];
            }
            if (total == 0) continue;
            for (std::int64_t d = 0; d < sizes_.head_size; ++d) output[at(line, d)] /= total;
            lse[static_cast<std::size_t>(line)] = largest + std::log(total);
        }
        return {output, lse};
    }

    GradientTensors backward() const {
        GradientTensors sums = {std::vector<double>(inputs_[0].size()), std::vector<double>(inputs_[1].size()),
                                std::vector<double>(inputs_[1].size())};
        std::vector<T> dq(sums[0].size()), dk(sums[1].size()), dv(sums[1].size());
        const std::int64_t lines = 2 * sizes_.heads * sizes_.rows;
        for (std::int64_t n = 0; n < lines; ++n) {
            const std::int64_t line = mistake_.is_backwards ? lines - 1 - n : n;
            const std::int64_t head = line / sizes_.rows, i = line % sizes_.rows;
            T delta = 0;
            for (std::int64_t d = 0; d < sizes_.head_size; ++d) delta += of(3, at(line, d)) * of(5, at(line, d));
            if (mistake_.misses_delta) delta = 0;
            for (std::int64_t m = 0; m < sizes_.columns; ++m) {
                const std::int64_t j = mistake_.is_backwards ? sizes_.columns - 1 - m : m;
                if (is_seen(head, i, j)) add(head, i, j, delta, dq, dk, dv);
            }
        }
        const T scale = static_cast<T>(scale_of(attention_, sizes_));
        for (std::size_t e = 0; e < dq.size(); ++e)
            sums[0][e] = static_cast<double>(dq[e] * scale * (mistake_.scales_twice ? scale : T(1)));
        for (std::size_t e = 0; e < dk.size(); ++e) {
            sums[1][e] = static_cast<double>(dk[e] * scale);
            sums[2][e] = static_cast<double>(dv[e]);
        }
        return sums;
    }

private:
    void add(std::int64_t head, std::int64_t i, std::int64_t j, T delta, std::vector<T>& dq, std::vector<T>& dk,
             std::vector<T>& dv) const {
        const std::int64_t line = head * sizes_.rows + i;
        const auto [x, slope] = logit(head, i, j);
        if (x == -INFINITY) return;
        const T lse = of(4, static_cast<std::size_t>(line));
        const T weight = mistake_.has_base_two ? std::exp2(x - lse) : std::exp(x - lse);
        const T factor = kept(head, i, j);
        T product = 0;
        for (std::int64_t d = 0; d < sizes_.head_size; ++d) product += of(5, at(line, d)) * of(2, key(head, j, d));
        const T gradient = narrowed(weight * ((mistake_.keeps_all_gradients ? T(1) : factor) * product - delta) *
                                    (mistake_.forgets_slope ? T(1) : slope));
        const T kept_weight = narrowed(weight * factor);
        const bool counts = !mistake_.leaves_out_rows || i < sizes_.rows - 4;
        for (std::int64_t d = 0; d < sizes_.head_size; ++d) {
            dq[at(line, d)] += gradient * of(1, key(head, j, d));
            if (!counts) continue;
            dk[key(head, j, d)] += gradient * of(0, at(line, d));
            dv[key(head, j, d)] += kept_weight * of(5, at(line, d));
        }
    }

    T narrowed(T weight) const {
        return mistake_.narrow ? static_cast<T>(round_to(*mistake_.narrow, static_cast<double>(weight))) : weight;
    }
    T of(int input, std::size_t place) const { return static_cast<T>(inputs_[static_cast<std::size_t>(input)][place]); }
    std::size_t at(std::int64_t line, std::int64_t d) const {
        return static_cast<std::size_t>(line * sizes_.head_size + d);
    }
    std::size_t key(std::int64_t head, std::int64_t j, std::int64_t d) const {
        const std::int64_t b = head / sizes_.heads, h = head % sizes_.heads;
        const std::int64_t kv_head = mistake_.has_other_group ? h % sizes_.kv_heads : sizes_.kv_head(h);
        return static_cast<std::size_t>(((b * sizes_.kv_heads + kv_head) * sizes_.columns + j) * sizes_.head_size + d);
    }
    T kept(std::int64_t head, std::int64_t i, std::int64_t j) const {
        const auto dropped = are_dropped(attention_, head / sizes_.heads, head % sizes_.heads, i, j / 4);
        return dropped[static_cast<std::size_t>(j % 4)] ? T(0) : static_cast<T>(attention_.kept_factor());
    }
    bool is_seen(std::int64_t head, std::int64_t i, std::int64_t j) const {
        const std::int64_t diagonal = mistake_.is_top_left ? i : i + sizes_.columns - sizes_.rows;
        if (mistake_.leaves_out_block && j >= sizes_.columns - 4) return false;
        if (case_.has_lengths && !mistake_.sees_padding &&
            static_cast<double>(j) >= inputs_[6][static_cast<std::size_t>(head / sizes_.heads)])
            return false;
        if (attention_.window_left >= 0 && j < diagonal - attention_.window_left) return false;
        return !attention_.last_seen() || j <= diagonal + *attention_.last_seen() + mistake_.window;
    }
    /// A logit and its derivative by the scaled product.
    std::pair<T, T> logit(std::int64_t head, std::int64_t i, std::int64_t j) const {
        T x = 0, slope = 1;
        for (std::int64_t d = 0; d < sizes_.head_size; ++d)
            x += of(0, at(head * sizes_.rows + i, d)) * of(1, key(head, j, d));
        x *= static_cast<T>(scale_of(attention_, sizes_));
        if (attention_.softcap > 0) {
            const T cap = static_cast<T>(attention_.softcap), share = std::tanh(x / cap);
            x = cap * share;
            slope = 1 - share * share;
        }
        if (case_.has_bias) x += static_cast<T>(inputs_.back()[static_cast<std::size_t>(i * sizes_.columns + j)]);
        return {x, slope};
    }

    const GradientCase& case_;
    const Attention attention_;
    const AttentionSizes sizes_;
    const GradientTensors& inputs_;
    const GradientMistake mistake_;
};

/// A case with inputs of which the result and the log-sum-exp belong to the others, and outputs.
struct JudgedGradients {
    GradientCase of;
    Operator definition;
    Case binding;
    GradientTensors inputs, outputs;

    JudgedGradients(const GradientCase& wanted, DType dtype, InputSet set = InputSet::normal, bool belong = true)
        : of(wanted), definition(wanted.definition()), binding{"case", dtype, wanted.sizes()} {
        const Elements made = generated_inputs(definition, binding, set, 1);
        for (std::size_t i = 0; i < definition.inputs.size(); ++i) {
            inputs.emplace_back(static_cast<std::size_t>(*element_count(definition.inputs[i], binding.sizes)));
            made(static_cast<int>(i), 0, inputs.back());
        }
        if (!belong) return;
        const auto [output, lse] = GradientLoops<double>(of, inputs).forward();
        for (std::size_t i = 0; i < output.size(); ++i) inputs[3][i] = round_to(dtype, output[i]);
        for (std::size_t i = 0; i < lse.size(); ++i)
            inputs[4][i] = dtype == DType::f64 ? lse[i] : round_to(DType::f32, lse[i]);
    }

    Elements elements() const {
        return [this](int input, std::int64_t first, std::span<double> values) {
            std::copy_n(inputs[static_cast<std::size_t>(input)].begin() + first, values.size(), values.begin());
        };
    }

    GradientTensors reference() const {
        const Body body = *analyse(definition);
        const InputsWithContraction known = with_contraction(definition, body, binding, elements());
        GradientTensors all;
        for (std::size_t i = 0; i < 3; ++i) {
            all.emplace_back(static_cast<std::size_t>(*element_count(definition.outputs[i], binding.sizes)));
            known.exact(static_cast<int>(definition.inputs.size() + i), 0, all.back());
        }
        return all;
    }

    CaseAccuracy judge() const {
        const Body body = *analyse(definition);
        const InputsWithContraction known = with_contraction(definition, body, binding, elements());
        const Criteria criteria{definition, body, binding, {}, known.exact, known.rounded};
        std::vector<std::vector<std::byte>> bytes;
        for (const std::vector<double>& each : outputs) {
            bytes.emplace_back(each.size() * size_of(binding.dtype));
            encode(binding.dtype, each, bytes.back().data());
        }
        return kernelgen::judge(criteria, testing::pointers_to(bytes), {});
    }
};

Status judged_gradients(const GradientCase& of, const GradientMistake& mistake, DType dtype = DType::f32) {
    JudgedGradients judged(of, dtype);
    judged.outputs = GradientLoops<double>(of, judged.inputs, mistake).backward();
    return judged.judge().status;
}

const std::vector<GradientCase> various_gradients = {{""},
                                                     {", causal=1"},
                                                     {", causal=1", 13, 9},
                                                     {", window_left=2, window_right=1"},
                                                     {", window_left=3, window_right=0", 70, 70},
                                                     {", softcap=2, scale=0.7"},
                                                     {", causal=1", 70, 130, 2, 1, 20},
                                                     {", dropout=0.25, seed=3"},
                                                     {"", 1, 1, 1, 1, 1},
                                                     {"", 70, 1, 2, 2, 17},
                                                     {"", 5, 33, 4, 4, 24, true, false},
                                                     {", causal=1", 20, 20, 2, 2, 8, true, true}};

TEST(JudgedGradientsOfAttention, HaveTheReferenceOfPlainLoops) {
    for (const GradientCase& each : various_gradients) {
        JudgedGradients judged(each, DType::f64);
        judged.outputs = GradientLoops<double>(each, judged.inputs).backward();
        const GradientTensors reference = judged.reference();
        for (std::size_t output = 0; output < 3; ++output) {
            for (std::size_t i = 0; i < reference[output].size(); ++i)
                ASSERT_NEAR(reference[output][i], judged.outputs[output][i], 1e-11) << each.options << ' ' << i;
        }
        EXPECT_EQ(judged.judge().status, Status::ok) << each.options;
    }
}

TEST(JudgedGradientsOfAttention, AreDifferencesOfTheForwardPass) {
    for (const GradientCase& each : various_gradients) {
        JudgedGradients judged(each, DType::f64);
        const GradientTensors reference = judged.reference();
        const auto value = [&] {
            const std::vector<double> output = GradientLoops<double>(each, judged.inputs).forward().first;
            return std::inner_product(output.begin(), output.end(), judged.inputs[5].begin(), 0.0);
        };
        for (std::size_t tensor = 0; tensor < 3; ++tensor) {
            const std::size_t elements = judged.inputs[tensor].size();
            for (std::size_t i = 0; i < elements; i += std::max<std::size_t>(1, elements / 5)) {
                constexpr double step = 1e-5;
                double& changed = judged.inputs[tensor][i];
                const double kept = changed;
                changed = kept + step;
                const double above = value();
                changed = kept - step;
                const double below = value();
                changed = kept;
                EXPECT_NEAR(reference[tensor][i], (above - below) / (2 * step), 1e-7) << each.options << ' ' << tensor;
            }
        }
    }
}

/// Every second run adds from the last to the first, and has a result and a log-sum-exp that belong to the others.
TEST(JudgedGradientsOfAttention, PassInTheArithmeticInAnyOrder) {
    std::vector<InputSet> sets(std::begin(edge_sets), std::end(edge_sets));
    sets.push_back(InputSet::normal);
    bool backwards = false;
    for (const GradientCase& each : various_gradients) {
        for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) {
            for (const InputSet set : sets) {
                JudgedGradients judged(each, dtype, set, backwards);
                judged.outputs = GradientLoops<float>(each, judged.inputs, {.is_backwards = backwards}).backward();
                const CaseAccuracy found = judged.judge();
                EXPECT_EQ(found.status, Status::ok)
                    << each.options << ' ' << to_string(dtype) << ' ' << to_string(set) << ": " << found.reason.text();
                backwards = !backwards;
            }
        }
    }
}

TEST(JudgedGradientsOfAttention, FindAWindowThatIsOffByOne) {
    for (const std::int64_t shift : {-1, 1}) {
        EXPECT_EQ(judged_gradients({", causal=1"}, {.window = shift}), Status::mismatch);
        EXPECT_EQ(judged_gradients({", window_left=3, window_right=2", 70, 70}, {.window = shift}), Status::mismatch);
        const GradientCase wide = {", causal=1", 256, 256, 2, 1, 64};
        EXPECT_EQ(judged_gradients(wide, {.window = shift}, DType::bf16), Status::mismatch);
    }
}

TEST(JudgedGradientsOfAttention, FindACausalMaskFromTheOtherCorner) {
    EXPECT_EQ(judged_gradients({", causal=1"}, {.is_top_left = true}), Status::mismatch);
    EXPECT_EQ(judged_gradients({", causal=1", 13, 9}, {.is_top_left = true}), Status::mismatch);
    EXPECT_EQ(judged_gradients({", causal=1", 9, 9}, {.is_top_left = true}), Status::ok);
}

TEST(JudgedGradientsOfAttention, FindWhatIsForgotten) {
    const GradientCase plain = {""}, long_rows = {"", 64, 512, 2, 1, 64}, many_rows = {"", 512, 64, 2, 1, 64};
    for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) {
        EXPECT_EQ(judged_gradients(plain, {}, dtype), Status::ok);
        EXPECT_EQ(judged_gradients(long_rows, {}, dtype), Status::ok);
        EXPECT_EQ(judged_gradients(plain, {.has_other_group = true}, dtype), Status::mismatch);
        EXPECT_EQ(judged_gradients(long_rows, {.leaves_out_block = true}, dtype), Status::mismatch);
        EXPECT_EQ(judged_gradients(many_rows, {.leaves_out_rows = true}, dtype), Status::mismatch);
        EXPECT_EQ(judged_gradients(plain, {.misses_delta = true}, dtype), Status::mismatch);
        EXPECT_EQ(judged_gradients(long_rows, {.misses_delta = true}, dtype), Status::mismatch);
        EXPECT_EQ(judged_gradients(plain, {.scales_twice = true}, dtype), Status::mismatch);
        EXPECT_EQ(judged_gradients(plain, {.has_base_two = true}, dtype), Status::mismatch);
        EXPECT_EQ(judged_gradients({", softcap=2"}, {.forgets_slope = true}, dtype), Status::mismatch);
        EXPECT_EQ(judged_gradients({", dropout=0.25, seed=3"}, {.keeps_all_gradients = true}, dtype), Status::mismatch);
        EXPECT_EQ(judged_gradients({"", 5, 33, 4, 4, 24, true}, {.sees_padding = true}, dtype), Status::mismatch);
    }
}

TEST(JudgedGradientsOfAttention, OfRowsThatSeeNothingAreZero) {
    JudgedGradients judged({", causal=1", 13, 9}, DType::f32);
    judged.outputs = GradientLoops<float>(judged.of, judged.inputs).backward();
    ASSERT_EQ(judged.inputs[4][0], -INFINITY);
    EXPECT_EQ(judged.outputs[0][0], 0);
    EXPECT_EQ(judged.reference()[0][0], 0);
    EXPECT_EQ(judged.judge().status, Status::ok);
    judged.outputs[0][0] = NAN;
    EXPECT_EQ(judged.judge().status, Status::mismatch);
    GradientCase hidden = {"", 5, 33, 4, 4, 24, true};
    JudgedGradients padded(hidden, DType::f32);
    std::ranges::fill(padded.inputs[6], 0);
    std::ranges::fill(padded.inputs[4], -INFINITY);
    padded.outputs = padded.reference();
    for (const std::vector<double>& each : padded.outputs) EXPECT_EQ(std::ranges::count(each, 0.0), std::ssize(each));
    EXPECT_EQ(padded.judge().status, Status::ok);
}

TEST(JudgedGradientsOfAttention, OfLargeLogitsAreJudged) {
    for (const GradientCase& each : {GradientCase{", scale=10000"}, GradientCase{", scale=-10000, causal=1"}}) {
        JudgedGradients judged(each, DType::f32);
        judged.outputs = GradientLoops<float>(each, judged.inputs).backward();
        EXPECT_EQ(judged.judge().status, Status::ok) << judged.judge().reason.text();
        EXPECT_EQ(judged_gradients(each, {.has_other_group = true}), Status::mismatch);
    }
}

TEST(JudgedGradientsOfAttention, AreJudgedWhereQueriesAreFewerThanKeysAndMore) {
    for (const auto& [rows, columns] : {std::pair(1, 40), {40, 1}}) {
        const GradientCase each = {"", rows, columns, 4, 2, 16};
        for (std::size_t output = 0; output < 3; ++output) {
            JudgedGradients judged(each, DType::f32);
            judged.outputs = GradientLoops<double>(each, judged.inputs).backward();
            EXPECT_EQ(judged.judge().status, Status::ok);
            judged.outputs[output].back() += 1;
            EXPECT_EQ(judged.judge().status, Status::mismatch) << rows << ' ' << output;
        }
    }
}

/// Logits' gradients have two values then, each rounded in one direction, and their sums cancel.
TEST(JudgedGradientsOfAttention, OfOnesWithDropoutPassInSixteenBits) {
    for (const DType dtype : {DType::f16, DType::bf16}) {
        for (const auto& [rows, columns] : {std::pair(4, 4097), {4097, 4}}) {
            JudgedGradients judged({", dropout=0.1", rows, columns, 1, 1, 7}, dtype, InputSet::ones);
            judged.outputs = GradientLoops<float>(judged.of, judged.inputs, {.narrow = dtype}).backward();
            EXPECT_EQ(judged.judge().status, Status::ok) << to_string(dtype) << ' ' << judged.judge().reason.text();
            const GradientMistake mistake{.keeps_all_gradients = true, .narrow = dtype};
            judged.outputs = GradientLoops<float>(judged.of, judged.inputs, mistake).backward();
            EXPECT_EQ(judged.judge().status, Status::mismatch);
        }
    }
}

TEST(JudgedGradientsOfAttention, AreNotJudgedWhereAWeightThatMultipliesAnInfinityIsZeroInF16) {
    JudgedGradients judged({"", 3, 5, 1, 1, 4}, DType::f16);
    for (const std::size_t positive : {2, 3})
        for (double& value : judged.inputs[positive]) value = std::abs(value);
    judged.inputs[5][0] = INFINITY;
    judged.inputs[4][0] = 25;
    judged.outputs = GradientLoops<float>(judged.of, judged.inputs, {.narrow = DType::f16}).backward();
    ASSERT_TRUE(std::isnan(judged.outputs[2][0]));
    EXPECT_EQ(judged.judge().status, Status::ok) << judged.judge().reason.text();
}

TEST(JudgedGradientsOfAttention, AreJudgedByTheKeysThatARowSees) {
    JudgedGradients judged({"", 9, 13, 4, 2, 16, true}, DType::bf16);
    std::ranges::fill(judged.inputs[6], 10);
    for (std::size_t element = 0; element < judged.inputs[1].size(); ++element)
        if (element / 16 % 13 == 12) judged.inputs[1][element] = 8192;
    judged.outputs = GradientLoops<double>(judged.of, judged.inputs).backward();
    EXPECT_EQ(judged.judge().status, Status::ok) << judged.judge().reason.text();
    judged.outputs = GradientLoops<double>(judged.of, judged.inputs, {.scales_twice = true}).backward();
    EXPECT_EQ(judged.judge().status, Status::mismatch);
}

TEST(JudgedGradientsOfAttention, AreJudgedWhereABiasHidesColumns) {
    JudgedGradients judged({"", 9, 13, 2, 1, 16, false, true}, DType::f32);
    std::vector<double>& bias = judged.inputs.back();
    for (std::size_t i = 0; i < bias.size(); i += 3) bias[i] = -INFINITY;
    judged.outputs = GradientLoops<double>(judged.of, judged.inputs).backward();
    EXPECT_EQ(judged.judge().status, Status::ok) << judged.judge().reason.text();
    judged.outputs = GradientLoops<double>(judged.of, judged.inputs, {.scales_twice = true}).backward();
    EXPECT_EQ(judged.judge().status, Status::mismatch);
}

/// A kernel may add -inf to what is hidden, in whichever blocks it lies.
TEST(JudgedGradientsOfAttention, AreNotJudgedWhereAHiddenBiasIsNotANumber) {
    JudgedGradients judged({", causal=1", 140, 140, 1, 1, 8, false, true}, DType::f32);
    judged.inputs.back()[130] = NAN;
    judged.outputs = GradientLoops<double>(judged.of, judged.inputs).backward();
    EXPECT_EQ(judged.judge().status, Status::ok) << judged.judge().reason.text();
    judged.outputs[0][0] = NAN;
    EXPECT_EQ(judged.judge().status, Status::ok);
    judged.outputs[0][8] = NAN;
    EXPECT_EQ(judged.judge().status, Status::mismatch);
}

TEST(JudgedGradientsOfAttention, OfManyHeadsOfOneElementAreJudged) {
    JudgedGradients judged({"", 1, 1, 32769, 32769, 1}, DType::f32);
    judged.outputs = GradientLoops<double>(judged.of, judged.inputs).backward();
    EXPECT_EQ(judged.judge().status, Status::ok);
    judged.outputs[2].back() += 1;
    EXPECT_EQ(judged.judge().status, Status::mismatch);
}

}  // namespace
}  // namespace kernelgen
