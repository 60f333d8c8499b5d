// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "core/lang/attention.h"
#include "core/verify/judge.h"

namespace kernelgen {

/// A row of the scores of attention.
struct ScoreRow {
    std::int64_t batch = 0, head = 0, row = 0;
};

/// A tensor over the scores, a bias or a mask: where the elements of a batch, a head and a row begin.
struct ScoreTensor {
    int input = -1;
    std::int64_t batch = 0, head = 0, row = 0;  ///< distances; 0 where it is broadcast
    bool is_per_column = false;

    /// Its elements of a row for columns [first, first + values.size()).
    void read(const Elements& inputs, const ScoreRow& of, std::int64_t first, std::span<double> values) const;
};

/// `input`: its number, of a shape that broadcasts to the scores.
ScoreTensor score_tensor(const Operator& definition, const AttentionSizes& sizes, int input);

}  // namespace kernelgen
