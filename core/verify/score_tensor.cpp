// SPDX-License-Identifier: Apache-2.0
#include "core/verify/score_tensor.h"

#include <algorithm>

namespace kernelgen {

void ScoreTensor::read(const Elements& inputs, const ScoreRow& of, std::int64_t first, std::span<double> values) const {
    const std::int64_t begin = of.batch * batch + of.head * head + of.row * row;
    if (is_per_column) return inputs(input, begin + first, values);
    inputs(input, begin, values.first(1));
    std::ranges::fill(values, values[0]);
}

ScoreTensor score_tensor(const Operator& definition, const AttentionSizes& sizes, int input) {
    const Shape& shape = definition.inputs[static_cast<std::size_t>(input)].shape;
    const std::int64_t scores[] = {sizes.batch, sizes.heads, sizes.rows, sizes.columns};
    std::int64_t distances[4] = {}, distance = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {  // from the last axis
        const std::size_t axis = 3 - i;
        if (shape[shape.size() - 1 - i] == "1") continue;
        distances[axis] = distance;
        distance *= scores[axis];
    }
    return {input, distances[0], distances[1], distances[2], distances[3] != 0};
}

}  // namespace kernelgen
