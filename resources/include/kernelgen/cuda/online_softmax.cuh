// SPDX-License-Identifier: Apache-2.0
// The softmax of rows whose scores tensor cores compute, a block of columns at a time (Milakov & Gimelshein 2018, Dao et
// al. 2022): weights are relative to the row's largest score so far. docs/ATTENTION.md explains it.
#pragma once

namespace kg {

/// Of a warp's 16 rows: a lane has rows lane / 4 and 8 more, in columns lane % 4 · 2 and the next of every 8, as mma.
/// `columns` of a block. For weights in E4M3 (`for_bytes`) they are times 2^8, which the results are not, and rows have
/// factors of their own.
template <int columns, bool for_bytes = false>
class OnlineSoftmax {
public:
    /// What turns the scores of a row into weights: 2^(score · scale − shift).
    struct Exponent {
        float scale, shift;
    };

private:
    static constexpr int lift = for_bytes ? 8 : 0;
    float scales_[for_bytes ? 2 : 1] = {};  ///< of scores; times log2 e, since weights are powers of 2
    float largest_[2] = {-infinity<float>, -infinity<float>};
    float totals_[2] = {};  ///< of this lane's columns

    KG_DEVICE float scale_of(int half) const { return scales_[for_bytes ? half : 0]; }
    static KG_DEVICE int lane_in_row() { return thread_index() % 4; }
    /// `place` from the first column of the block, as a number that is compared with those of this lane.
    static KG_DEVICE int of_lane(int64_t place) {
        return static_cast<int>(place < 0 ? 0 : place < columns ? place : columns) - 2 * lane_in_row();
    }

    static KG_DEVICE float largest_of(int half, const float (&scores)[columns / 2], float most) {
        float further = -infinity<float>;
        KG_UNROLL
        for (int i = half * 2; i < columns / 2; i += 4) {
            most = fmaxf(most, scores[i]);
            further = fmaxf(further, scores[i + 1]);
        }
        most = fmaxf(most, further);
        most = fmaxf(most, from_lane_xor(most, 1));
        return fmaxf(most, from_lane_xor(most, 2));
    }
    KG_DEVICE Exponent exponent_of(int half, float most, float& kept) const {
        // Where nothing is seen yet, all weights are 2^(-∞ - 0).
        const float scale = scale_of(half), shift = most == -infinity<float> ? 0.0f : rounded_product(most, scale);
        // The difference of two shifts, which is 0 where the largest score stays: with a fused multiply-add it would
        // be a rounding error, and all blocks' errors would have the same sign.
        kept = approximate_exp2(rounded_product(largest_[half], scale) - shift);
        return Exponent{scale, shift};
    }
    /// Where the shift is rounded too coarsely, or is beyond the largest float.
    template <bool has_factor = false>
    KG_DEVICE Exponent subtract_largest(int half, float most, float (&scores)[columns / 2], float& kept,
                                    float factor = 1) const {
        const float scale = scale_of(half);
        kept = approximate_exp2((largest_[half] - most) * scale);
        KG_UNROLL
        for (int i = half * 2; i < columns / 2; i += 4) {
            scores[i] = has_factor ? fmaf(scores[i], factor, -most) : scores[i] - most;
            scores[i + 1] = has_factor ? fmaf(scores[i + 1], factor, -most) : scores[i + 1] - most;
        }
        return Exponent{scale, 0};
    }

public:
    OnlineSoftmax() = default;
    KG_DEVICE explicit OnlineSoftmax(float scale) : scales_{scale * log2_e} {}
    KG_DEVICE OnlineSoftmax(float scale, const float (&of_rows)[2])
        : scales_{scale * of_rows[0] * log2_e, scale * of_rows[1] * log2_e} {}

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
            const float most = largest_of(half, scores, largest_[half]);
            Exponent exponent = exponent_of(half, most, kept[half]);
            if (fabsf(exponent.shift) >= 4096) exponent = subtract_largest(half, most, scores, kept[half]);
            largest_[half] = most;
            exponentiate(half, scores, exponent, kept[half]);
        }
    }

    /// The first part of `weigh`, for both rows; scores times `factor` are meant, where they have one. `exponentiate` of
    /// each row is the second one.
    template <bool has_factor>
    KG_DEVICE void begin_to_weigh(float (&scores)[columns / 2], float (&kept)[2], Exponent (&exponents)[2], float factor) {
        float most[2];
        KG_UNROLL
        for (int half = 0; half < 2; ++half) {
            most[half] = largest_of(half, scores, has_factor ? -infinity<float> : largest_[half]);
            if constexpr (has_factor) most[half] = fmaxf(largest_[half], rounded_product(most[half], factor));
            exponents[half] = exponent_of(half, most[half], kept[half]);
            if constexpr (has_factor) exponents[half].scale *= factor;
        }
        if (fmaxf(fabsf(exponents[0].shift), fabsf(exponents[1].shift)) >= 4096) {
            KG_UNROLL
            for (int half = 0; half < 2; ++half) {
                if (fabsf(exponents[half].shift) < 4096) continue;
                exponents[half] = subtract_largest<has_factor>(half, most[half], scores, kept[half], factor);
            }
        }
        for (int half = 0; half < 2; ++half) largest_[half] = most[half];
    }
    KG_DEVICE void exponentiate(int half, float (&scores)[columns / 2], const Exponent& exponent, float kept) {
        const float shift = exponent.shift - lift;
        float some = 0, others = 0;
        KG_UNROLL
        for (int i = half * 2; i < columns / 2; i += 4) {
            some += scores[i] = approximate_exp2(fmaf(scores[i], exponent.scale, -shift));
            others += scores[i + 1] = approximate_exp2(fmaf(scores[i + 1], exponent.scale, -shift));
        }
        totals_[half] = fmaf(totals_[half], kept, some + others);
    }

    /// The weights in E4M3 as the left operand of wgmma: four words for each 32 columns, in the order of `place_of_value`.
    static KG_DEVICE void pack_bytes(const float (&scores)[columns / 2], uint32_t (&weights)[columns / 8]) {
        KG_UNROLL
        for (int i = 0; i < columns / 8; ++i) {
            const float* const four = scores + i / 2 * 8 + i % 2 * 2;
            weights[i] = four_e4m3(four[0], four[1], four[4], four[5]);
        }
    }
    /// The weights in 16 bits: four words for each 16 columns.
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
        const float shift = rounded_product(largest, scale_of(0));
        // As `weigh` rounds shifts.
        if (fabsf(shift) >= 4096) return approximate_exp2((before - largest) * scale_of(0));
        return approximate_exp2(rounded_product(before, scale_of(0)) - shift);
    }
    KG_DEVICE float largest(int half) const { return largest_[half]; }
    /// Of all columns of a row.
    KG_DEVICE float total(int half) const {
        float total = totals_[half];
        total += from_lane_xor(total, 1);
        return total + from_lane_xor(total, 2);
    }
    KG_DEVICE float log_sum(float largest, float total, int half = 0) const {
        constexpr float log_2 = 0.693147181f;
        return total == 0 ? -infinity<float> : fmaf(largest, scale_of(half) * log_2, log(total) - lift * log_2);
    }

    /// After the last block: the factor of a row's sums, and its log-sum-exp.
    struct Result {
        float factor, log_sum;
    };
    KG_DEVICE Result finish(int half) const {
        const float total = this->total(half);
        return {total == 0 ? 0 : 1 / total, log_sum(largest_[half], total, half)};
    }
};

}  // namespace kg
