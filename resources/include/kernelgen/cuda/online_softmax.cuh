// SPDX-License-Identifier: Apache-2.0
// The softmax of rows whose scores tensor cores compute, a block of columns at a time (Milakov & Gimelshein 2018, Dao et
// al. 2022): weights are relative to the row's largest score so far. docs/ATTENTION.md explains it.
#pragma once

namespace kg {

/// Of a warp's 16 rows: a lane has rows lane / 4 and 8 more, in columns lane % 4 · 2 and the next of every 8, as mma.
/// `columns` of a block.
template <int columns>
class OnlineSoftmax {
    float scale_ = 0;  ///< of scores; times log2 e, since weights are powers of 2
    float largest_[2] = {-infinity<float>, -infinity<float>};
    float totals_[2] = {};  ///< of this lane's columns

    static KG_DEVICE int lane_in_row() { return thread_index() % 4; }
    /// `place` from the first column of the block, as a number that is compared with those of this lane.
    static KG_DEVICE int of_lane(int64_t place) {
        return static_cast<int>(place < 0 ? 0 : place < columns ? place : columns) - 2 * lane_in_row();
    }

public:
    OnlineSoftmax() = default;
    KG_DEVICE explicit OnlineSoftmax(float scale) : scale_(scale * log2_e) {}

    /// Hides what this lane's rows, `row` and 8 more, do not see of the columns from `column` on.
    template <class Seen>
    static KG_DEVICE void mask(float (&scores)[columns / 2], int64_t row, int64_t column, int64_t end,
                               const Seen& seen) {
        KG_UNROLL
        for (int half = 0; half < 2; ++half) {
            const SeenColumns of_row = seen(row + 8 * half);
            const int first = of_lane(of_row.first - column);
            const int last = of_lane((of_row.last < end ? of_row.last : end) - column);
            KG_UNROLL
            for (int i = 0; i < columns / 4; ++i) {
                const int place = i / 2 * 8 + i % 2;
                float& score = scores[i / 2 * 4 + half * 2 + i % 2];
                score = place >= first && place < last ? score : -infinity<float>;
            }
        }
    }

    /// Turns scores into weights. What was added before is to be multiplied by `kept`.
    KG_DEVICE void weigh(float (&scores)[columns / 2], float (&kept)[2]) {
        KG_UNROLL
        for (int half = 0; half < 2; ++half) {
            float most = largest_[half], further = -infinity<float>;
            KG_UNROLL
            for (int i = half * 2; i < columns / 2; i += 4) {
                most = fmaxf(most, scores[i]);
                further = fmaxf(further, scores[i + 1]);
            }
            most = fmaxf(most, further);
            most = fmaxf(most, from_lane_xor(most, 1));
            most = fmaxf(most, from_lane_xor(most, 2));
            // Where nothing is seen yet, all weights are 2^(-∞ - 0).
            float shift = most == -infinity<float> ? 0.0f : rounded_product(most, scale_);
            // The difference of two shifts, which is 0 where the largest score stays: with a fused multiply-add it would
            // be a rounding error, and all blocks' errors would have the same sign.
            kept[half] = approximate_exp2(rounded_product(largest_[half], scale_) - shift);
            if (fabsf(shift) >= 4096) {
                // The shift is rounded too coarsely, or is beyond the largest float.
                kept[half] = approximate_exp2((largest_[half] - most) * scale_);
                shift = 0;
                KG_UNROLL
                for (int i = half * 2; i < columns / 2; i += 4) {
                    scores[i] -= most;
                    scores[i + 1] -= most;
                }
            }
            largest_[half] = most;
            float some = 0, others = 0;
            KG_UNROLL
            for (int i = half * 2; i < columns / 2; i += 4) {
                some += scores[i] = approximate_exp2(fmaf(scores[i], scale_, -shift));
                others += scores[i + 1] = approximate_exp2(fmaf(scores[i + 1], scale_, -shift));
            }
            totals_[half] = fmaf(totals_[half], kept[half], some + others);
        }
    }

    /// The weights as the left operand of wgmma: four words for each 16 columns.
    template <class Element>
    static KG_DEVICE void pack(const float (&scores)[columns / 2], uint32_t (&weights)[columns / 4]) {
        KG_UNROLL
        for (int i = 0; i < columns / 4; ++i)
            weights[i] = is_same<Element, kg_bf16> ? bfloats(scores[2 * i], scores[2 * i + 1])
                                                   : halves(scores[2 * i], scores[2 * i + 1]);
    }

    /// What a weight that is relative to the score `before` is multiplied by to be relative to `largest`.
    KG_DEVICE float kept(float before, float largest) const {
        if (before == -infinity<float>) return 0;
        const float shift = rounded_product(largest, scale_);
        // As `weigh` rounds shifts.
        if (fabsf(shift) >= 4096) return approximate_exp2((before - largest) * scale_);
        return approximate_exp2(rounded_product(before, scale_) - shift);
    }
    KG_DEVICE float largest(int half) const { return largest_[half]; }
    /// Of all columns of a row.
    KG_DEVICE float total(int half) const {
        float total = totals_[half];
        total += from_lane_xor(total, 1);
        return total + from_lane_xor(total, 2);
    }
    KG_DEVICE float log_sum(float largest, float total) const {
        constexpr float log_2 = 0.693147181f;
        return total == 0 ? -infinity<float> : fmaf(largest, scale_ * log_2, log(total));
    }

    /// After the last block: the factor of a row's sums, and its log-sum-exp.
    struct Result {
        float factor, log_sum;
    };
    KG_DEVICE Result finish(int half) const {
        const float total = this->total(half);
        return {total == 0 ? 0 : 1 / total, log_sum(largest_[half], total)};
    }
};

}  // namespace kg
