// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

#include "core/base/text.h"
#include "core/lang/attention.h"
#include "core/lang/body.h"
#include "core/lang/contraction.h"

namespace kernelgen {

namespace {

/// A dimension's size: a number as written, or a symbol's; nothing where the symbol is not bound.
std::optional<std::int64_t> size_of_dimension(const std::string& dimension, const Sizes& sizes) {
    long long number = 0;
    if (parse_integer(dimension, number)) return number;
    const auto found = sizes.find(dimension);
    if (found == sizes.end()) return std::nullopt;
    return found->second;
}

Result<Space> space_of_shape(const Shape& shape, const Sizes& sizes) {
    Space space{1, 1};
    std::int64_t elements = 1;
    for (std::size_t i = 0; i < shape.size(); ++i) {
        const auto size = size_of_dimension(shape[i], sizes);
        if (!size) return fail(say("the size of `{}` is not given", shape[i]));
        if (*size < 1) return fail(say("`{}` is {}; sizes are at least 1", shape[i], *size));
        if (__builtin_mul_overflow(elements, *size, &elements))
            return fail(say("[{}] has more than 2^63 elements", join(shape, ", ")));
        (i + 1 == shape.size() ? space.columns : space.rows) *= *size;
    }
    return space;
}

/// Each row of the tensor belongs to the same row of the space.
RowMap map_of_own_rows(const Tensor& tensor, const Sizes& sizes) {
    RowMap map;
    const std::vector<std::int64_t> own = extents(tensor, sizes);
    for (std::size_t i = 0; i + 1 < own.size(); ++i) map.rows *= own[i];
    map.columns = own.empty() ? 1 : own.back();
    map.axes = {{1, map.rows, 1}};
    map.end = map.rows;
    return map;
}

}  // namespace

bool is_same_case(const Case& one, const Case& other) {
    const bool is_named_alike = !one.sizes.empty() || one.name == other.name;
    return one.dtype == other.dtype && one.sizes == other.sizes && is_named_alike;
}

DType dtype_of(const Tensor& tensor, const Case& binding) { return tensor.dtype.value_or(binding.dtype); }

DType arithmetic_of(const Operator& definition, const Case& binding) {
    return definition.arithmetic.value_or(default_arithmetic(binding.dtype));
}

std::vector<std::int64_t> extents(const Tensor& tensor, const Sizes& sizes) {
    std::vector<std::int64_t> result;
    for (const std::string& dimension : tensor.shape) result.push_back(size_of_dimension(dimension, sizes).value());
    return result;
}

std::optional<std::int64_t> element_count(const Tensor& tensor, const Sizes& sizes) {
    std::int64_t count = 1;
    for (const std::string& dimension : tensor.shape) {
        const auto size = size_of_dimension(dimension, sizes);
        if (!size || __builtin_mul_overflow(count, *size, &count)) return std::nullopt;
    }
    return count;
}

Result<Space> space_of(const Body& body, const Sizes& sizes) {
    Result<Space> space = space_of_shape(body.space, sizes);
    if (!space) return space;
    if (body.contraction && body.contraction->convolution) {
        if (const auto problem = problem_of(*body.contraction->convolution, sizes)) return fail(*problem);
    }
    if (body.attention) {
        if (const auto problem = problem_of(*body.attention, sizes)) return fail(*problem);
        for (const Tensor& result : results_of(*body.attention)) {
            const Result<Space> own = space_of_shape(result.shape, sizes);
            if (!own) return own;
            space->rows = std::max(space->rows, own->rows);
        }
    }
    return space;
}

RowMap row_map(const Body& body, const Tensor& tensor, const Sizes& sizes) {
    if (body.attention && body.attention->is_backward()) return map_of_own_rows(tensor, sizes);
    std::vector<std::int64_t> space, own;
    for (const std::string& dimension : body.space) space.push_back(size_of_dimension(dimension, sizes).value());
    own = extents(tensor, sizes);
    if (std::ranges::contains(body.reduced_outputs, tensor.name)) own.push_back(1);
    own.insert(own.begin(), space.size() - own.size(), 1);

    RowMap map;
    map.columns = own.back();
    std::int64_t inner = 1;
    for (std::size_t i = space.size() - 1; i-- > 0;) {
        if (own[i] != 1) map.axes.push_back({inner, space[i], map.rows});
        map.rows *= own[i];
        inner *= space[i];
    }
    return map;
}

}  // namespace kernelgen
