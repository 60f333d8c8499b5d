// SPDX-License-Identifier: Apache-2.0
#include "core/tune/tuned_columns.h"

#include <algorithm>

namespace kernelgen {

namespace {

std::int64_t value_in(const Tried& tried, const Tunable& parameter) {
    const auto found = tried.configuration.find(parameter.name);
    return found == tried.configuration.end() ? parameter.value : found->second;
}

}  // namespace

TunedColumn column_of(const Tuning& tuning, std::size_t place_of_parameter) {
    const Tunable& parameter = tuning.head.parameters.at(place_of_parameter);
    TunedColumn column{parameter.name, parameter.values, {}};
    for (const Tried& each : tuning.tried) {
        const std::int64_t value = value_in(each, parameter);
        if (!std::ranges::contains(column.values, value)) column.values.push_back(value);
    }
    std::ranges::sort(column.values);
    column.places.reserve(tuning.tried.size());
    for (const Tried& each : tuning.tried) {
        const auto place = std::ranges::lower_bound(column.values, value_in(each, parameter));
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
