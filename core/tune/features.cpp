// SPDX-License-Identifier: Apache-2.0
#include "core/tune/features.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace kernelgen {

namespace {

/// The most factors of two that count: more of them mean nothing to a machine.
constexpr int most_twos = 8;
/// The most sizes of which pairs are made: more would give too many products.
constexpr std::size_t most_sizes = 8;

double twos_in(double value) {
    const auto integer = static_cast<std::uint64_t>(std::abs(value));
    return integer == 0 ? most_twos : std::min(most_twos, std::countr_zero(integer));
}

/// Whether a parameter is a size rather than a switch.
bool is_size(const Tunable& parameter) { return parameter.values.size() > 2 && std::ranges::min(parameter.values) > 0; }

/// Pairs of the parameters that are sizes, and all of them.
std::vector<std::vector<std::size_t>> products_in(const std::vector<Tunable>& parameters) {
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        if (is_size(parameters[i])) sizes.push_back(i);
    }
    std::vector<std::vector<std::size_t>> products = {sizes};
    if (sizes.size() > most_sizes) return products;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        for (std::size_t j = i + 1; j < sizes.size(); ++j) products.push_back({sizes[i], sizes[j]});
    }
    return products;
}

}  // namespace

Features::Features(const TuningSpace& space, std::span<const std::size_t> sample)
    : space_(space), products_(products_in(space.parameters())) {
    const std::vector<Tunable>& parameters = space.parameters();
    for (const Tunable& each : parameters) names_.push_back(each.name);
    for (const IntegerExpression& each : space.terms()) names_.push_back(each.text());
    for (const auto& product : products_) {
        std::string name;
        for (const std::size_t each : product) name += (name.empty() ? "" : " * ") + parameters[each].name;
        names_.push_back(name);
    }
    const std::vector<std::vector<double>> values = quantities(sample);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const bool is_positive = std::ranges::all_of(values[i], [](double each) { return each > 0; });
        const bool is_parameter = i < parameters.size() && parameters[i].values.size() > 2;
        add_column({names_[i], i, is_positive ? Column::Form::logarithm : Column::Form::plain}, values[i]);
        if (is_parameter) add_column({"twos in " + names_[i], i, Column::Form::twos}, values[i]);
    }
    seen_.clear();
}

std::vector<bool> Features::are_parameters() const {
    std::vector<bool> are;
    for (const Column& each : columns_) are.push_back(each.quantity < space_.parameters().size());
    return are;
}

std::vector<std::string> Features::names() const {
    std::vector<std::string> names;
    for (const Column& each : columns_) names.push_back(each.name);
    return names;
}

std::vector<std::vector<double>> Features::quantities(std::span<const std::size_t> indices) const {
    const std::vector<Tunable>& parameters = space_.parameters();
    std::vector<std::vector<double>> all(parameters.size());
    for (const std::size_t index : indices) {
        const std::span<const std::uint16_t> row = space_.positions(index);
        for (std::size_t i = 0; i < row.size(); ++i)
            all[i].push_back(static_cast<double>(parameters[i].values[row[i]]));
    }
    std::ranges::move(space_.values_of_terms(indices), std::back_inserter(all));
    for (const auto& product : products_) {
        std::vector<double> values(indices.size(), 1);
        for (const std::size_t parameter : product) {
            for (std::size_t i = 0; i < values.size(); ++i) values[i] *= all[parameter][i];
        }
        all.push_back(std::move(values));
    }
    return all;
}

namespace {

template <class Form>
double transformed(double value, Form form) {
    if (!std::isfinite(value)) return 0;
    if (form == Form::logarithm) return value > 0 ? std::log2(value) : 0;
    return form == Form::twos ? twos_in(value) : value;
}

}  // namespace

void Features::add_column(Column column, const std::vector<double>& values) {
    std::vector<double> all;
    for (const double each : values) all.push_back(transformed(each, column.form));
    const auto [least, greatest] = std::ranges::minmax(all);
    if (least == greatest) return;
    column.least = least;
    column.range = greatest - least;
    std::vector<float> scaled;
    for (const double each : all) scaled.push_back(static_cast<float>((each - least) / column.range));
    if (std::ranges::contains(seen_, scaled)) return;
    seen_.push_back(std::move(scaled));
    columns_.push_back(std::move(column));
}

Eigen::ArrayXXf Features::rows(std::span<const std::size_t> indices) const {
    const std::vector<std::vector<double>> values = quantities(indices);
    Eigen::ArrayXXf rows(static_cast<Eigen::Index>(indices.size()), static_cast<Eigen::Index>(columns_.size()));
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        const Column& column = columns_[c];
        for (std::size_t i = 0; i < indices.size(); ++i) {
            const double value = transformed(values[column.quantity][i], column.form);
            rows(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(c)) =
                static_cast<float>((value - column.least) / column.range);
        }
    }
    return rows;
}

}  // namespace kernelgen
