// SPDX-License-Identifier: Apache-2.0
// How attention is judged: the reference is that of plain loops, and what is wrong in a few of its terms is found.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/lang/attention.h"
#include "tests/core_verify/judging.h"

namespace kernelgen {
namespace {

using testing::Judged;

/// What an online kernel may get wrong.
struct Mistake {
    std::int64_t window = 0;           ///< its right edge lies so many columns further
    bool is_top_left = false;          ///< causal from the first row's corner
    bool forgets_rescale = false;      ///< what was added before a larger logit came is not scaled
    bool has_base_two = false;         ///< the log-sum-exp
    bool has_other_group = false;      ///< the keys of head h % Hk
    bool leaves_out_block = false;     ///< the last 4 columns
    bool adds_splits = false;          ///< the second half's weights are relative to its own largest logit alone
    bool sees_padding = false;         ///< lengths are not looked at
    double dropout_factor = 1;         ///< of all kept weights
    bool drops_before_sum = false;     ///< the weights of dropped columns are not in the sum
    double scale = 1;                  ///< of all logits
    bool is_backwards = false;         ///< columns from the last to the first: right
    std::optional<DType> narrow = {};  ///< weights are rounded to it before they multiply values: right
};

struct LoopedAttention {
    Attention of;
    AttentionSizes sizes;
    Mistake mistake = {};
    std::int64_t batch = 0, head = 0;

    bool is_seen(std::int64_t i, std::int64_t j, std::int64_t length) const {
        const std::int64_t diagonal = mistake.is_top_left ? i : i + sizes.columns - sizes.rows;
        if (mistake.leaves_out_block && j >= sizes.columns - 4) return false;
        if (!mistake.sees_padding && j >= length) return false;
        if (of.window_left >= 0 && j < diagonal - of.window_left) return false;
        return !of.last_seen() || j <= diagonal + *of.last_seen() + mistake.window;
    }

    /// The output and the log-sum-exp of a row, by an online softmax in float or in double.
    template <class T>
    void row(const double* q, const double* k, const double* v, const double* bias, std::int64_t i, std::int64_t length,
             double* out, double* lse) const {
        T largest = -std::numeric_limits<T>::infinity(), total = 0;
        std::vector<T> sums(static_cast<std::size_t>(sizes.head_size));
        for (std::int64_t n = 0; n < sizes.columns; ++n) {
            const std::int64_t j = mistake.is_backwards ? sizes.columns - 1 - n : n;
            if (!is_seen(i, j, length)) continue;
            T x = 0;
            for (std::int64_t d = 0; d < sizes.head_size; ++d)
                x += static_cast<T>(q[d]) * static_cast<T>(k[j * sizes.head_size + d]);
            x *= static_cast<T>(scale_of(of, sizes) * mistake.scale);
            if (of.softcap > 0) x = static_cast<T>(of.softcap) * std::tanh(x / static_cast<T>(of.softcap));
            if (bias != nullptr) x += static_cast<T>(bias[i * sizes.columns + j]);
            if (x == -std::numeric_limits<T>::infinity()) continue;
            if (mistake.adds_splits && n == sizes.columns / 2) {
                largest = x;
            } else if (x > largest) {
                const T kept = std::exp(largest - x);
                largest = x;
                total *= kept;
                if (!mistake.forgets_rescale)
                    for (T& each : sums) each *= kept;
            }
            const T weight = std::exp(x - largest);
            const bool is_dropped = are_dropped(of, batch, head, i, j / 4)[static_cast<std::size_t>(j % 4)];
            if (!mistake.drops_before_sum || !is_dropped) total += weight;
            T kept = is_dropped ? 0 : weight * static_cast<T>(of.kept_factor() * mistake.dropout_factor);
            if (mistake.narrow) kept = static_cast<T>(round_to(*mistake.narrow, static_cast<double>(kept)));
            for (std::size_t d = 0; d < sums.size(); ++d)
                sums[d] += kept * static_cast<T>(v[static_cast<std::size_t>(j * sizes.head_size) + d]);
        }
        for (std::size_t d = 0; d < sums.size(); ++d) out[d] = total == 0 ? 0 : static_cast<double>(sums[d] / total);
        *lse = static_cast<double>(largest + std::log(total)) / (mistake.has_base_two ? std::log(2.0) : 1);
    }

    std::int64_t kv_head(std::int64_t head) const {
        return mistake.has_other_group ? head % sizes.kv_heads : sizes.kv_head(head);
    }
};

struct AttentionCase {
    std::string options;
    std::int64_t rows = 9, columns = 13, heads = 4, kv_heads = 2, size = 16;
    bool has_lengths = false, has_bias = false;
    bool is_bounded = false;  ///< queries and keys have a domain: values alone are not finite

    Operator definition() const {
        std::vector<std::string> inputs = {"q:B,H,N,D", "k:B,Hk,M,D", "v:B,Hk,M,D"};
        std::string all = options;
        if (has_lengths) inputs.emplace_back("lengths:B"), all += ", lengths=lengths";
        if (has_bias) inputs.emplace_back("bias:N,M"), all += ", bias=bias";
        Operator made = testing::tile("out, lse = attention(q, k, v" + all + ")", inputs, "out:B,H,N,D");
        made.outputs.push_back(testing::tensor("lse:B,H,N"));
        made.symbols = {"B", "H", "Hk", "N", "M", "D"};
        for (const std::size_t input : {0, 1})
            if (is_bounded) made.inputs[input].domain = Domain{Domain::Kind::interval, -2, 2};
        if (has_lengths) {
            made.inputs[3].dtype = DType::i32;
            made.inputs[3].domain = Domain{Domain::Kind::integers, 0, static_cast<double>(columns)};
        }
        return made;
    }
    Sizes sizes() const { return {{"B", 2}, {"H", heads}, {"Hk", kv_heads}, {"N", rows}, {"M", columns}, {"D", size}}; }
};

/// The outputs of a case as loops compute them.
template <class T>
Judged looped(const AttentionCase& of, const Mistake& mistake, DType dtype = DType::f32,
              InputSet set = InputSet::normal) {
    Judged judged(of.definition(), of.sizes(), dtype, set);
    const Elements elements = generated_inputs(judged.definition, judged.binding, judged.set, judged.seed);
    std::vector<std::vector<double>> inputs;
    for (std::size_t i = 0; i < judged.definition.inputs.size(); ++i) {
        inputs.emplace_back(static_cast<std::size_t>(*element_count(judged.definition.inputs[i], of.sizes())));
        elements(static_cast<int>(i), 0, inputs.back());
    }
    const Attention attention = *analyse(judged.definition)->attention;
    LoopedAttention loops{attention, sizes_of(attention, of.sizes()), mistake};
    for (std::int64_t head = 0; head < 2 * of.heads; ++head) {
        const std::int64_t b = head / of.heads;
        loops.batch = b;
        loops.head = head % of.heads;
        const std::int64_t keys = (b * of.kv_heads + loops.kv_head(head % of.heads)) * of.columns * of.size;
        for (std::int64_t i = 0; i < of.rows; ++i) {
            const std::int64_t row = head * of.rows + i;
            loops.row<T>(
                inputs[0].data() + row * of.size, inputs[1].data() + keys, inputs[2].data() + keys,
                of.has_bias ? inputs.back().data() : nullptr, i,
                of.has_lengths ? static_cast<std::int64_t>(inputs[3][static_cast<std::size_t>(b)]) : of.columns,
                judged.outputs[0].data() + row * of.size, judged.outputs[1].data() + row);
        }
    }
    return judged;
}

Status judged_with(const AttentionCase& of, const Mistake& mistake, DType dtype = DType::f32) {
    return looped<double>(of, mistake, dtype).judge().status;
}

const std::vector<AttentionCase> various_attention = {{""},
                                                      {", causal=1"},
                                                      {", causal=1", 13, 9},
                                                      {", window_left=2, window_right=1"},
                                                      {", window_left=3, window_right=0", 70, 70},
                                                      {", softcap=2, scale=0.7"},
                                                      {", causal=1", 130, 600, 2, 1, 20},
                                                      {", dropout=0.25, seed=3"},
                                                      {"", 1, 1, 1, 1, 1},
                                                      {"", 5, 33, 4, 4, 24, true, false},
                                                      {", causal=1", 20, 20, 2, 2, 8, true, true}};

TEST(JudgedAttention, HasTheReferenceOfPlainLoops) {
    for (const AttentionCase& each : various_attention) {
        const Judged right(each.definition(), each.sizes(), DType::f64);
        const Judged by_loops = looped<double>(each, {}, DType::f64);
        for (std::size_t output = 0; output < 2; ++output) {
            for (std::size_t i = 0; i < right.outputs[output].size(); ++i) {
                const double expected = by_loops.outputs[output][i];
                if (std::isinf(expected)) ASSERT_EQ(right.outputs[output][i], expected) << each.options;
                else ASSERT_NEAR(right.outputs[output][i], expected, 1e-12) << each.options << ' ' << i;
            }
        }
        EXPECT_EQ(by_loops.judge().status, Status::ok) << each.options;
    }
}

TEST(JudgedAttention, PassesInTheArithmeticInAnyOrder) {
    for (const AttentionCase& each : various_attention) {
        for (const bool backwards : {false, true}) {
            for (const DType dtype : {DType::f32, DType::f16, DType::bf16}) {
                std::vector<InputSet> sets(std::begin(edge_sets), std::end(edge_sets));
                sets.push_back(InputSet::normal);
                for (const InputSet set : sets) {
                    const CaseAccuracy judged = looped<float>(each, {.is_backwards = backwards}, dtype, set).judge();
                    EXPECT_EQ(judged.status, Status::ok) << each.options << ' ' << to_string(dtype) << ' '
                                                         << to_string(set) << ": " << judged.reason.text();
                }
            }
        }
    }
}

TEST(JudgedAttention, FindsAWindowThatIsOffByOne) {
    for (const std::int64_t shift : {-1, 1}) {
        EXPECT_EQ(judged_with({", causal=1"}, {.window = shift}), Status::mismatch);
        EXPECT_EQ(judged_with({", window_left=3, window_right=2", 70, 70}, {.window = shift}), Status::mismatch);
        EXPECT_EQ(judged_with({", causal=1", 256, 256, 2, 1, 64}, {.window = shift}, DType::bf16), Status::mismatch);
        // No row sees fewer than 257 columns.
        const AttentionCase wide = {", window_left=255, window_right=256", 1200, 1200, 2, 1, 64};
        EXPECT_EQ(judged_with(wide, {.window = shift}, DType::bf16), Status::mismatch);
    }
}

TEST(JudgedAttention, FindsACausalMaskFromTheOtherCorner) {
    EXPECT_EQ(judged_with({", causal=1"}, {.is_top_left = true}), Status::mismatch);
    EXPECT_EQ(judged_with({", causal=1", 13, 9}, {.is_top_left = true}), Status::mismatch);
    EXPECT_EQ(judged_with({", causal=1", 9, 9}, {.is_top_left = true}), Status::ok);
}

TEST(JudgedAttention, FindsWhatIsForgotten) {
    for (const DType dtype : {DType::f32, DType::bf16}) {
        EXPECT_EQ(judged_with({""}, {.forgets_rescale = true}, dtype), Status::mismatch);
        EXPECT_EQ(judged_with({""}, {.has_base_two = true}, dtype), Status::mismatch);
        EXPECT_EQ(judged_with({""}, {.has_other_group = true}, dtype), Status::mismatch);
        EXPECT_EQ(judged_with({"", 64, 512, 2, 1, 64}, {.leaves_out_block = true}, dtype), Status::mismatch);
        EXPECT_EQ(judged_with({"", 1, 600, 4, 1, 64}, {.leaves_out_block = true}, dtype), Status::mismatch);
        EXPECT_EQ(judged_with({"", 1, 600, 4, 1, 64}, {.adds_splits = true}, dtype), Status::mismatch);
        EXPECT_EQ(judged_with({"", 5, 33, 4, 4, 24, true}, {.sees_padding = true}, dtype), Status::mismatch);
        EXPECT_EQ(judged_with({""}, {.scale = 1.05}, dtype), Status::mismatch);
    }
}

TEST(JudgedAttention, FindsDropoutThatIsScaledTwice) {
    const AttentionCase dropped = {", dropout=0.25, seed=3"};
    for (const DType dtype : {DType::f32, DType::bf16}) {
        EXPECT_EQ(judged_with(dropped, {}, dtype), Status::ok);
        EXPECT_EQ(judged_with(dropped, {.dropout_factor = 4.0 / 3}, dtype), Status::mismatch);
        EXPECT_EQ(judged_with(dropped, {.dropout_factor = 0.75}, dtype), Status::mismatch);
        EXPECT_EQ(judged_with(dropped, {.drops_before_sum = true}, dtype), Status::mismatch);
    }
}

/// 0 times an infinity is NaN.
TEST(JudgedAttention, IsNotJudgedWhereAWeightThatMultipliesAnInfinityIsZeroInF16) {
    const AttentionCase steep = {", scale=2", 9, 70, 4, 2, 16, false, false, true};
    for (const DType dtype : {DType::f16, DType::bf16}) {
        const CaseAccuracy found = looped<float>(steep, {.narrow = dtype}, dtype, InputSet::infinity).judge();
        EXPECT_EQ(found.status, Status::ok) << to_string(dtype) << ' ' << found.reason.text();
    }
}

TEST(JudgedAttention, OfLargeLogitsIsJudged) {
    for (const DType dtype : {DType::f32, DType::bf16}) {
        Judged nothing = looped<double>({", scale=600", 20, 300, 2, 1, 64}, {}, dtype);
        EXPECT_EQ(nothing.judge().status, Status::ok);
        std::ranges::fill(nothing.outputs[0], 0.0);
        EXPECT_EQ(nothing.judge().status, Status::mismatch) << to_string(dtype);
    }
    for (const AttentionCase& each : {AttentionCase{", scale=10000"}, AttentionCase{", scale=-10000, causal=1"}}) {
        EXPECT_EQ(looped<float>(each, {}).judge().status, Status::ok);
        EXPECT_EQ(looped<double>(each, {.has_other_group = true}).judge().status, Status::mismatch);
    }
}

}  // namespace
}  // namespace kernelgen
