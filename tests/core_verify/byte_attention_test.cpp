// SPDX-License-Identifier: Apache-2.0
// How attention of operands of 8 bits is judged: weights in E4M3 pass in any order, wrong scales do not.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/lang/attention.h"
#include "tests/core_verify/judging.h"

namespace kernelgen {
namespace {

using testing::Judged;

/// What a kernel does with scales and weights; what is wrong is said.
struct ByteAttentionWay {
    bool is_backwards = false;     ///< columns from the last to the first
    bool knows_largest = false;    ///< weights are relative to the row's largest logit, not to that so far
    bool adds_rounded = false;     ///< the total is that of the rounded weights
    double lift = 256;             ///< of weights before they are rounded
    int query_power = 1;           ///< how often the scale of queries is used: wrong but for 1
    int value_power = 1;           ///< and that of values
    std::int64_t key_shift = 0;    ///< blocks of keys have the scale of a block so far: wrong but for 0
    std::int64_t left_out = -1;    ///< the block of values whose scale is left out: wrong
    std::int64_t value_shift = 0;  ///< as `key_shift`, of values
};

struct ByteAttentionCase {
    std::string body = "q_scale=qs, k_scale=ks, v_scale=vs";
    bool has_blocks = true;
    std::int64_t rows = 40, columns = 512, size = 64;
    std::optional<Accumulation> accumulate = Accumulation::f22;

    Operator definition() const {
        const std::vector<std::string> inputs = {"q:B,H,N,D",
                                                 "k:B,H,M,D",
                                                 "v:B,H,M,D",
                                                 has_blocks ? "qs:B,H,P" : "qs:1",
                                                 has_blocks ? "ks:B,H,R" : "ks:1",
                                                 has_blocks ? "vs:B,H,R" : "vs:1"};
        Operator made = testing::tile("out = attention(q, k, v, " + body + ")", inputs, "out:B,H,N,D");
        made.symbols = {"B", "H", "N", "M", "D"};
        if (has_blocks) made.symbols.insert(made.symbols.end(), {"P", "R"});
        for (std::size_t i = 0; i < 6; ++i) made.inputs[i].dtype = i < 3 ? DType::f8e4m3 : DType::f32;
        for (std::size_t i = 3; i < 6; ++i) made.inputs[i].domain = Domain{Domain::Kind::interval, 1.5, 3};
        made.accumulate = accumulate;
        return made;
    }
    Sizes sizes() const {
        Sizes all = {{"B", 1}, {"H", 2}, {"N", rows}, {"M", columns}, {"D", size}};
        if (has_blocks) all["P"] = (rows + 127) / 128, all["R"] = (columns + 127) / 128;
        return all;
    }
};

class ByteAttentionLoops {
public:
    ByteAttentionLoops(const ByteAttentionCase& of, const ByteAttentionWay& way,
                       const std::vector<std::vector<double>>& inputs)
        : of_(of), way_(way), inputs_(inputs) {}

    void row(std::int64_t head, std::int64_t i, double* out) const {
        std::vector<float> logits;
        for (std::int64_t j = 0; j < of_.columns; ++j) logits.push_back(logit(head, i, j));
        float largest = -std::numeric_limits<float>::infinity(), total = 0;
        if (way_.knows_largest) largest = *std::max_element(logits.begin(), logits.end());
        std::vector<float> sums(static_cast<std::size_t>(of_.size));
        for (std::int64_t n = 0; n < of_.columns; ++n) {
            const std::int64_t j = way_.is_backwards ? of_.columns - 1 - n : n;
            const float x = logits[static_cast<std::size_t>(j)];
            if (x > largest) {
                const float kept = std::exp(largest - x);
                largest = x;
                total *= kept;
                for (float& each : sums) each *= kept;
            }
            const float weight = std::exp(x - largest);
            const auto narrow =
                static_cast<float>(round_to(DType::f8e4m3, static_cast<double>(weight) * way_.lift) / way_.lift);
            total += way_.adds_rounded ? narrow : weight;
            const double scale = std::pow(value_scale(head, j), way_.value_power);
            for (std::size_t d = 0; d < sums.size(); ++d)
                sums[d] += narrow * static_cast<float>(element(2, head, of_.columns, j, d) * scale);
        }
        for (std::size_t d = 0; d < sums.size(); ++d) out[d] = static_cast<double>(sums[d] / total);
    }

private:
    double element(std::size_t input, std::int64_t head, std::int64_t rows, std::int64_t row, std::size_t d) const {
        return inputs_[input][static_cast<std::size_t>((head * rows + row) * of_.size) + d];
    }
    double scale(std::size_t input, std::int64_t head, std::int64_t rows, std::int64_t block) const {
        if (!of_.has_blocks) return inputs_[input][0];
        const std::int64_t blocks = (rows + 127) / 128;
        return inputs_[input][static_cast<std::size_t>(head * blocks + (block + blocks) % blocks)];
    }
    double value_scale(std::int64_t head, std::int64_t j) const {
        const std::int64_t block = j / 128;
        return block == way_.left_out ? 1 : scale(5, head, of_.columns, block + way_.value_shift);
    }
    float logit(std::int64_t head, std::int64_t i, std::int64_t j) const {
        double x = 0;
        for (std::size_t d = 0; d < static_cast<std::size_t>(of_.size); ++d)
            x += element(0, head, of_.rows, i, d) * element(1, head, of_.columns, j, d);
        const double scales = std::pow(scale(3, head, of_.rows, i / 128), way_.query_power) *
                              scale(4, head, of_.columns, j / 128 + way_.key_shift);
        return static_cast<float>(x * scales / std::sqrt(static_cast<double>(of_.size)));
    }

    const ByteAttentionCase& of_;
    const ByteAttentionWay& way_;
    const std::vector<std::vector<double>>& inputs_;
};

CaseAccuracy judged_bytes(const ByteAttentionCase& of, const ByteAttentionWay& way, InputSet set = InputSet::normal) {
    Judged judged(of.definition(), of.sizes(), DType::f32, set);
    const Elements elements = generated_inputs(judged.definition, judged.binding, judged.set, judged.seed);
    std::vector<std::vector<double>> inputs;
    for (std::size_t i = 0; i < judged.definition.inputs.size(); ++i) {
        inputs.emplace_back(static_cast<std::size_t>(*element_count(judged.definition.inputs[i], of.sizes())));
        elements(static_cast<int>(i), 0, inputs.back());
    }
    const ByteAttentionLoops loops(of, way, inputs);
    for (std::int64_t row = 0; row < 2 * of.rows; ++row)
        loops.row(row / of.rows, row % of.rows, judged.outputs[0].data() + row * of.size);
    return judged.judge();
}

TEST(JudgedByteAttention, PassesInAnyOrder) {
    for (const ByteAttentionCase& each :
         {ByteAttentionCase{}, ByteAttentionCase{.has_blocks = false},
          ByteAttentionCase{.rows = 3, .columns = 130, .size = 16},
          ByteAttentionCase{.rows = 4, .columns = 2000, .size = 32}, ByteAttentionCase{.rows = 5, .columns = 1}}) {
        for (const ByteAttentionWay& way :
             {ByteAttentionWay{}, ByteAttentionWay{.is_backwards = true}, ByteAttentionWay{.knows_largest = true},
              ByteAttentionWay{.adds_rounded = true}, ByteAttentionWay{.lift = 448}}) {
            const CaseAccuracy found = judged_bytes(each, way);
            EXPECT_EQ(found.status, Status::ok) << each.columns << ": " << found.reason.text();
        }
    }
}

TEST(JudgedByteAttention, FindsAScaleThatIsUsedTwiceOrNever) {
    for (const bool has_blocks : {false, true}) {
        for (const int power : {0, 2}) {
            EXPECT_EQ(judged_bytes({.has_blocks = has_blocks}, {.query_power = power}).status, Status::mismatch);
            EXPECT_EQ(judged_bytes({.has_blocks = has_blocks}, {.value_power = power}).status, Status::mismatch);
        }
    }
}

TEST(JudgedByteAttention, FindsTheScaleOfAnotherBlock) {
    EXPECT_EQ(judged_bytes({}, {.key_shift = 1}).status, Status::mismatch);
    EXPECT_EQ(judged_bytes({}, {.value_shift = 1}).status, Status::mismatch);
    for (const std::int64_t block : {0, 3}) EXPECT_EQ(judged_bytes({}, {.left_out = block}).status, Status::mismatch);
}

TEST(JudgedByteAttention, TakesNarrowWeightsOnlyWhereTheDefinitionSaysSo) {
    EXPECT_EQ(judged_bytes({.accumulate = std::nullopt}, {}).status, Status::mismatch);
}

}  // namespace
}  // namespace kernelgen
