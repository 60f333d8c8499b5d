// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/measure/metrics.h"

namespace kernelgen {

namespace {

constexpr std::int64_t tile = 32;      ///< elements along both axes of the tiled layout
constexpr double worth_naming = 0.75;  ///< of the cost, at most, that is left in another layout
constexpr double badly_read = 1.5;     ///< cost over the best

std::int64_t transposed(const MatrixOf& matrix, std::int64_t element) {
    return element % matrix.columns * matrix.rows + element / matrix.columns;
}

std::int64_t tiled(const MatrixOf& matrix, std::int64_t element) {
    const std::int64_t row = element / matrix.columns, column = element % matrix.columns;
    const std::int64_t tiles = (matrix.columns + tile - 1) / tile;
    return (row / tile * tiles + column / tile) * tile * tile + row % tile * tile + column % tile;
}

constexpr std::pair<const char*, std::int64_t (*)(const MatrixOf&, std::int64_t)> layouts[] = {
    {"transposed", transposed}, {"tiled", tiled}};

std::optional<MatrixOf> matrix_of(const Tensor& tensor, const Case& binding) {
    const auto elements = element_count(tensor, binding.sizes);
    if (!elements || tensor.shape.size() < 2) return std::nullopt;
    const std::int64_t columns = extents(tensor, binding.sizes).back();
    if (columns < 2 || *elements / columns < 2) return std::nullopt;
    return MatrixOf{tensor.name, *elements / columns, columns, static_cast<int>(size_of(dtype_of(tensor, binding)))};
}

/// Seconds of a copy of the tensor: it is read and written once.
double seconds_to_convert(const MatrixOf& matrix, const Ceilings& ceilings) {
    const double bytes = static_cast<double>(matrix.rows * matrix.columns) * matrix.element_bytes;
    return 2 * bytes / (bandwidth_ceiling(ceilings, bytes, bytes) * 1e9);
}

double seconds_saved(const Evidence& evidence, double share_left) {
    const double seconds = evidence.value(metrics::seconds.name).value_or(0);
    const double headroom = evidence.value(metrics::headroom.name).value_or(1);
    return seconds * std::min(1 - share_left, 1 - 1 / headroom);
}

}  // namespace

std::vector<LayoutAdvice> layouts_of(const RoundDetail& detail, const Evidence& evidence, const CostWith& cost) {
    std::vector<LayoutAdvice> advice;
    if (!detail.ceilings.measured() || !evidence.has(metrics::headroom.name)) return advice;
    for (const Tensor& tensor : detail.definition.inputs) {
        const std::optional<MatrixOf> matrix = matrix_of(tensor, evidence.binding);
        if (!matrix) continue;
        const AccessCost now = cost(tensor.name, [](std::int64_t address) { return address; });
        if (now.ratio() <= badly_read) continue;
        for (const auto& [name, layout] : layouts) {
            const AccessCost then = cost(tensor.name, [&](std::int64_t address) {
                return layout(*matrix, address / matrix->element_bytes) * matrix->element_bytes;
            });
            const double left = then.cost / now.cost, saved = seconds_saved(evidence, left);
            if (left > worth_naming || saved <= 0) continue;
            const double convert = seconds_to_convert(*matrix, detail.ceilings);
            advice.push_back(
                {tensor.name, name, now.ratio(), then.cost / now.best, convert, saved, std::ceil(convert / saved)});
        }
    }
    return advice;
}

}  // namespace kernelgen
