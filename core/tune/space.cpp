// SPDX-License-Identifier: Apache-2.0
#include "core/tune/space.h"

#include <algorithm>
#include <limits>
#include <ranges>
#include <utility>

#include "core/tune/space_builder.h"

namespace kernelgen {

Result<TuningSpace> TuningSpace::make(std::vector<Tunable> parameters, std::vector<std::string> restrictions,
                                      Sizes sizes, Expressions expressions) {
    return SpaceBuilder(std::move(parameters), std::move(sizes)).build(restrictions, expressions);
}

Result<TuningSpace> TuningSpace::part(std::vector<Tunable> parameters, std::vector<std::string> restrictions,
                                      Sizes sizes, Expressions expressions, std::size_t count) {
    return SpaceBuilder(std::move(parameters), std::move(sizes)).draw(restrictions, expressions, count);
}

Result<std::vector<TuningSpace::Forbidden>> TuningSpace::forbidden_in(std::vector<Tunable> parameters,
                                                                      std::vector<std::string> restrictions,
                                                                      Sizes sizes, Expressions expressions,
                                                                      std::size_t most_of_each) {
    return SpaceBuilder(std::move(parameters), std::move(sizes))
        .list_forbidden(restrictions, expressions, most_of_each);
}

std::uint64_t count_combinations(std::span<const Tunable> parameters) {
    std::uint64_t count = 1;
    if (std::ranges::any_of(parameters, [](const Tunable& each) { return each.values.empty(); })) return 0;
    for (const Tunable& each : parameters) {
        if (__builtin_mul_overflow(count, each.values.size(), &count)) return UINT64_MAX;
    }
    return count;
}

std::vector<Configuration> first_combinations(std::span<const Tunable> parameters, std::size_t most) {
    std::vector<Configuration> combinations;
    const std::uint64_t count = std::min<std::uint64_t>(most, count_combinations(parameters));
    for (std::uint64_t number = 0; number < count; ++number) {
        std::uint64_t rest = number;
        Configuration& configuration = combinations.emplace_back();
        for (const Tunable& each : std::views::reverse(parameters)) {
            configuration[each.name] = each.values[rest % each.values.size()];
            rest /= each.values.size();
        }
    }
    return combinations;
}

Result<TuningSpace> TuningSpace::of(std::vector<Tunable> parameters, const std::vector<Configuration>& configurations) {
    return SpaceBuilder(std::move(parameters), {}).take(configurations);
}

Configuration TuningSpace::at(std::size_t index) const {
    const std::span<const std::uint16_t> row = positions(index);
    Configuration configuration;
    for (std::size_t i = 0; i < row.size(); ++i) configuration[parameters_[i].name] = parameters_[i].values[row[i]];
    return configuration;
}

std::optional<std::vector<std::uint16_t>> TuningSpace::row_of(const Configuration& configuration) const {
    if (configuration.size() != parameters_.size()) return std::nullopt;
    std::vector<std::uint16_t> row;
    for (const Tunable& parameter : parameters_) {
        const auto value = configuration.find(parameter.name);
        if (value == configuration.end()) return std::nullopt;
        const auto place = std::ranges::find(parameter.values, value->second);
        if (place == parameter.values.end()) return std::nullopt;
        row.push_back(static_cast<std::uint16_t>(place - parameter.values.begin()));
    }
    return row;
}

std::optional<std::size_t> TuningSpace::find(const Configuration& configuration) const {
    const auto row = row_of(configuration);
    return row ? find(*row) : std::nullopt;
}

std::span<const std::uint16_t> TuningSpace::positions(std::size_t index) const {
    return std::span(positions_).subspan(index * parameters_.size(), parameters_.size());
}

std::optional<std::size_t> TuningSpace::find(std::span<const std::uint16_t> wanted) const {
    std::size_t begin = 0, end = size();
    while (begin < end) {
        const std::size_t middle = begin + (end - begin) / 2;
        if (std::ranges::lexicographical_compare(positions(middle), wanted)) begin = middle + 1;
        else end = middle;
    }
    if (begin == size() || !std::ranges::equal(positions(begin), wanted)) return std::nullopt;
    return begin;
}

std::vector<std::size_t> TuningSpace::neighbours(std::size_t index) const {
    std::vector<std::size_t> all;
    const std::span<const std::uint16_t> here = positions(index);
    std::vector<std::uint16_t> row(here.begin(), here.end());
    for (std::size_t i = 0; i < row.size(); ++i) {
        for (const int step : {-1, 1}) {
            const int count = static_cast<int>(parameters_[i].values.size());
            for (int place = here[i] + step; place >= 0 && place < count; place += step) {
                row[i] = static_cast<std::uint16_t>(place);
                if (const auto found = find(row)) {
                    all.push_back(*found);
                    break;
                }
            }
        }
        row[i] = here[i];
    }
    return all;
}

std::vector<std::vector<double>> TuningSpace::values_of_terms(std::span<const std::size_t> indices) const {
    std::vector<std::vector<double>> columns(terms_.size());
    Sizes values = sizes_;
    for (const std::size_t index : indices) {
        const std::span<const std::uint16_t> row = positions(index);
        for (std::size_t i = 0; i < row.size(); ++i) values[parameters_[i].name] = parameters_[i].values[row[i]];
        for (const Let& let : let_) {
            values.erase(let.name);
            if (const auto value = let.expression.evaluate(values)) values[let.name] = *value;
        }
        for (std::size_t i = 0; i < terms_.size(); ++i) {
            const Result<std::int64_t> value = terms_[i].evaluate(values);
            columns[i].push_back(value ? static_cast<double>(*value) : std::numeric_limits<double>::quiet_NaN());
        }
    }
    return columns;
}

}  // namespace kernelgen
