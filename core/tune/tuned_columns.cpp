// SPDX-License-Identifier: Apache-2.0
#include "core/tune/tuned_columns.h"

#include <algorithm>

namespace kernelgen {

namespace {

/// The parameter's value in each configuration that was tried, in the order of the tries.
std::vector<std::int64_t> values_of(const Tuning& tuning, const Tunable& parameter) {
    std::vector<std::int64_t> values;
    values.reserve(tuning.tried.size());
    for (const Tried& each : tuning.tried) {
        const auto found = each.configuration.find(parameter.name);
        values.push_back(found == each.configuration.end() ? parameter.value : found->second);
    }
    return values;
}

}  // namespace

TunedColumn column_of(const Tuning& tuning, std::size_t place_of_parameter) {
    const Tunable& parameter = tuning.head.parameters.at(place_of_parameter);
    const std::vector<std::int64_t> tried = values_of(tuning, parameter);
    TunedColumn column{parameter.name, parameter.values, {}};
    for (const std::int64_t value : tried) {
        if (!std::ranges::contains(column.values, value)) column.values.push_back(value);
    }
    std::ranges::sort(column.values);
    column.places.reserve(tried.size());
    for (const std::int64_t value : tried) {
        const auto place = std::ranges::lower_bound(column.values, value);
        column.places.push_back(static_cast<std::uint16_t>(place - column.values.begin()));
    }
    return column;
}

std::vector<TunedColumn> columns_of(const Tuning& tuning) {
    std::vector<TunedColumn> columns;
    for (std::size_t i = 0; i < tuning.head.parameters.size(); ++i) columns.push_back(column_of(tuning, i));
    return columns;
}

}  // namespace kernelgen
