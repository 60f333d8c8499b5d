// SPDX-License-Identifier: Apache-2.0
#include "core/verify/eager_dtypes.h"

#include <algorithm>
#include <cmath>

#include "core/generate/library_match.h"
#include "core/generate/variant_parts.h"
#include "core/lang/evaluator.h"
#include "core/verify/contraction_values.h"
#include "core/verify/judge.h"

namespace kernelgen {

namespace {

constexpr std::int64_t most_evaluated = 1 << 17;  ///< elements of the space
constexpr std::size_t most_cases = 4;
constexpr std::uint64_t tried_seeds[] = {1, 2};

using Bytes = std::vector<std::byte>;

bool has_one_dtype(const Operator& definition) {
    const auto follows = [](const Tensor& tensor) { return !tensor.dtype; };
    return !definition.arithmetic && !definition.inputs.empty() && std::ranges::all_of(definition.inputs, follows) &&
           std::ranges::all_of(definition.outputs, follows);
}

std::int64_t elements_of(const Body& body, const Sizes& sizes) {
    const Result<Space> space = space_of(body, sizes);
    return space ? space->rows * space->columns : 0;
}

/// The sizes with fewer rows, and where that is not enough with fewer columns, so that evaluating takes little time.
Sizes reduced(const Body& body, Sizes sizes) {
    const auto halve = [&](bool columns) {
        std::int64_t* largest = nullptr;
        for (auto& [symbol, size] : sizes) {
            if ((symbol == body.space.back()) == columns && (largest == nullptr || size > *largest)) largest = &size;
        }
        if (largest == nullptr || *largest < 2) return false;
        *largest = (*largest + 1) / 2;
        return true;
    };
    while (elements_of(body, sizes) > most_evaluated) {
        if (!halve(false) && !halve(true)) break;
    }
    return sizes;
}

/// Rounds with twice the error of rounding to the dtype: the largest errors are rare, and only a part is evaluated.
Evaluator<float>::Round pessimistic_rounding(DType dtype) {
    return [dtype](std::span<float> values) {
        for (float& each : values) {
            const float rounded = static_cast<float>(round_to(dtype, each));
            each = std::isfinite(rounded) ? 2 * rounded - each : rounded;
        }
    };
}

Evaluator<float>::Load load_from(const Elements& inputs) {
    return [&inputs, wide = std::vector<double>()](int input, std::int64_t first, std::span<float> values) mutable {
        wide.resize(values.size());
        inputs(input, first, wide);
        std::ranges::transform(wide, values.begin(), [](double value) { return static_cast<float>(value); });
    };
}

/// Writes the evaluator's last block of `count` columns from `first` on into an output's bytes.
void store(std::span<const float> values, const RowMap& map, std::int64_t row, std::int64_t first, std::int64_t count,
           DType dtype, Bytes& output) {
    const bool one = map.columns == 1;
    std::vector<double> wide(values.begin(), values.end());
    wide.resize(one ? 1 : static_cast<std::size_t>(count), wide.front());  // one value may be every column's
    const auto place = static_cast<std::size_t>(map(row) * map.columns + (one ? 0 : first));
    encode(dtype, wide, output.data() + place * size_of(dtype));
}

/// The outputs as PyTorch would compute them, operation by operation in the case's dtype.
std::vector<Bytes> evaluated(const Operator& definition, const Body& body, const Case& binding,
                             const Elements& inputs) {
    std::vector<Bytes> outputs;
    std::vector<RowMap> maps;
    for (const Tensor& output : definition.outputs) {
        const auto count = static_cast<std::size_t>(element_count(output, binding.sizes).value_or(0));
        outputs.emplace_back(count * size_of(binding.dtype));
        maps.push_back(row_map(body, output, binding.sizes));
    }
    Evaluator<float> evaluator(definition, body, binding.sizes, load_from(inputs));
    evaluator.round_results(pessimistic_rounding(binding.dtype));
    const Space space = *space_of(body, binding.sizes);
    constexpr std::int64_t step = Evaluator<float>::block_columns;
    for (std::int64_t row = 0; row < space.rows; ++row) {
        for (std::int64_t first = 0; first < space.columns; first += step) {
            const std::int64_t count = std::min(step, space.columns - first);
            evaluator.evaluate(row, first, count);
            for (std::size_t i = 0; i < outputs.size(); ++i) {
                if (!maps[i].has(row)) continue;
                store(evaluator.output(i), maps[i], row, first, count, binding.dtype, outputs[i]);
            }
        }
    }
    return outputs;
}

bool is_within_tolerance(const Project& project, const Body& analysed, const Body& lowered, const Case& binding) {
    return std::ranges::all_of(tried_seeds, [&](std::uint64_t seed) {
        const auto [inputs, rounded] =
            with_contraction(project.definition, analysed, binding,
                             generated_inputs(project.definition, binding, InputSet::normal, seed));
        const std::vector<Bytes> outputs = evaluated(project.definition, lowered, binding, rounded ? rounded : inputs);
        std::vector<const std::byte*> places;
        for (const Bytes& each : outputs) places.push_back(each.data());
        const Criteria criteria{project.definition, analysed, binding, project.accuracy, inputs, rounded};
        return judge(criteria, places, {}).status == Status::ok;
    });
}

/// The sizes of the cases of a dtype, reduced, each once.
std::vector<Sizes> sizes_of(const Project& project, const Body& body, DType dtype) {
    std::vector<Sizes> all;
    for (const Case& each : project.cases) {
        const Sizes sizes = reduced(body, each.sizes);
        const bool counts = each.dtype == dtype && all.size() < most_cases && elements_of(body, sizes) > 0;
        if (counts && !std::ranges::contains(all, sizes)) all.push_back(sizes);
    }
    return all;
}

}  // namespace

std::vector<DType> eager_dtypes(const Project& project) {
    const Operator& definition = project.definition;
    if (!has_one_dtype(definition)) return {};
    const auto lowered = lowered_body(definition);
    const auto body = analyse(definition);
    if (!lowered || !body || known_operator(definition, *lowered)) return {};
    std::vector<DType> good, unused;
    for (const DType dtype : {DType::f16, DType::bf16}) {
        const std::vector<Sizes> all = sizes_of(project, *body, dtype);
        const bool passes = std::ranges::all_of(all, [&](const Sizes& sizes) {
            return is_within_tolerance(project, *body, *lowered, {"eager", dtype, sizes});
        });
        if (passes) (all.empty() ? unused : good).push_back(dtype);
    }
    return good.size() + unused.size() == 2 ? std::vector{DType::f16, DType::bf16} : good;
}

}  // namespace kernelgen
