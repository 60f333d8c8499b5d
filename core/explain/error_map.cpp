// SPDX-License-Identifier: Apache-2.0
#include "core/explain/error_map.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>

#include "core/base/json_format.h"

namespace kernelgen {

using nlohmann::json;

namespace {

constexpr std::size_t most_kept = 200;
constexpr std::int64_t most_bins_read = 1024;

std::int64_t divided_up(std::int64_t value, std::int64_t by) { return value / by + (value % by != 0); }

double error_of(double expected, double actual) {
    const double error = std::abs(actual - expected);
    return std::isnan(error) ? std::numeric_limits<double>::infinity() : error;
}

/// Rounds to three digits: a colour needs no more.
double rounded(double value) {
    if (!std::isfinite(value) || value == 0) return value;
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 2);
    return unit > 0 ? std::round(value / unit) * unit : value;
}

json kept_to_json(const KeptElement& kept) {
    json list = json::array({kept.row, kept.column, json_number(kept.expected), json_number(kept.actual)});
    if (kept.is_unwritten) list.push_back("unwritten");
    return list;
}

KeptElement kept_from_json(const json& list) {
    return {list.at(0), list.at(1), number_from_json(list.at(2)), number_from_json(list.at(3)), list.size() > 4};
}

/// Throws unless the lists fit the grid.
void require_sound(const ErrorMap& map) {
    const auto is_positive = [](std::int64_t value) { return value > 0; };
    const bool has_sizes = std::ranges::all_of(map.extents, is_positive) && is_positive(map.grid.rows) &&
                           is_positive(map.grid.columns) && is_positive(map.bin_rows) && is_positive(map.bin_columns);
    if (!has_sizes) throw std::runtime_error("an error map's size is below 1");
    if (map.grid.columns > std::numeric_limits<std::int64_t>::max() / map.grid.rows)
        throw std::runtime_error("an error map has more elements than 64 bits count");
    const Grid bins = map.bins();
    const bool is_small = bins.rows <= most_bins_read && bins.columns <= most_bins_read;
    const auto count = is_small ? static_cast<std::size_t>(bins.elements()) : 0;
    if (!is_small || map.wrong.size() != count || map.worst.size() != count || map.kept.size() > most_kept)
        throw std::runtime_error("an error map's lists do not fit its grid");
    const bool is_inside = std::ranges::all_of(map.kept, [&](const KeptElement& each) {
        return each.row >= 0 && each.row < map.grid.rows && each.column >= 0 && each.column < map.grid.columns;
    });
    const bool is_counted = std::ranges::all_of(map.wrong, [](std::int64_t each) { return each >= 0; });
    if (!is_inside || !is_counted || map.tile_rows < 0 || map.tile_columns < 0)
        throw std::runtime_error("an error map holds an element that is not in its grid");
}

}  // namespace

Grid ErrorMap::bins() const { return {divided_up(grid.rows, bin_rows), divided_up(grid.columns, bin_columns)}; }

std::int64_t ErrorMap::wrong_elements() const { return std::reduce(wrong.begin(), wrong.end(), std::int64_t{0}); }

ErrorMap map_of(const OutputReplay& output, const Tiles& tiles, std::int64_t most_bins) {
    ErrorMap map{
        .output = output.name, .extents = output.extents, .grid = output.grid, .wrong = {}, .worst = {}, .kept = {}};
    map.bin_rows = divided_up(map.grid.rows, most_bins);
    map.bin_columns = divided_up(map.grid.columns, most_bins);
    if (tiles.are_rows_known) map.tile_rows = tiles.rows.front().size;
    if (tiles.are_columns_known) map.tile_columns = tiles.columns.front().size;
    const Grid bins = map.bins();
    map.wrong.assign(static_cast<std::size_t>(bins.elements()), 0);
    map.worst.assign(map.wrong.size(), 0);
    map.unwritten = std::ranges::count(output.unwritten, 1);
    const std::vector<std::int64_t> wrong = output.wrong();
    std::vector<KeptElement> firsts, others;  // the first of each bin, and what lies evenly among the rest
    const std::size_t step = wrong.size() / most_kept + 1;
    for (std::size_t i = 0; i < wrong.size(); ++i) {
        const auto place = static_cast<std::size_t>(wrong[i]);
        const std::int64_t row = map.grid.row_of(wrong[i]), column = map.grid.column_of(wrong[i]);
        const auto bin = static_cast<std::size_t>(row / map.bin_rows * bins.columns + column / map.bin_columns);
        const double expected = output.record.expected[place], actual = output.record.actual[place];
        const KeptElement element{row, column, expected, actual, output.unwritten[place] != 0};
        if (map.wrong[bin]++ == 0) firsts.push_back(element);
        else if (i % step == 0) others.push_back(element);
        if (!element.is_unwritten) map.worst[bin] = std::max(map.worst[bin], rounded(error_of(expected, actual)));
    }
    const std::size_t every = firsts.size() / most_kept + 1;
    for (std::size_t i = 0; i < firsts.size(); i += every) map.kept.push_back(firsts[i]);
    for (std::size_t i = 0; i < others.size() && map.kept.size() < most_kept; ++i) map.kept.push_back(others[i]);
    return map;
}

json to_json(const ErrorMap& map) {
    json object = {{"output", map.output},       {"extents", map.extents},
                   {"rows", map.grid.rows},      {"columns", map.grid.columns},
                   {"bin_rows", map.bin_rows},   {"bin_columns", map.bin_columns},
                   {"tile_rows", map.tile_rows}, {"tile_columns", map.tile_columns},
                   {"wrong", map.wrong},         {"worst", json::array()},
                   {"kept", json::array()},      {"unwritten", map.unwritten}};
    for (const double each : map.worst) object["worst"].push_back(json_number(each));
    for (const KeptElement& each : map.kept) object["kept"].push_back(kept_to_json(each));
    return object;
}

ErrorMap error_map_from_json(const json& object) {
    ErrorMap map;
    map.output = object.at("output");
    map.extents = object.at("extents").get<std::vector<std::int64_t>>();
    map.grid = {object.at("rows"), object.at("columns")};
    map.bin_rows = object.at("bin_rows");
    map.bin_columns = object.at("bin_columns");
    map.tile_rows = object.at("tile_rows");
    map.tile_columns = object.at("tile_columns");
    map.wrong = object.at("wrong").get<std::vector<std::int64_t>>();
    for (const json& each : object.at("worst")) map.worst.push_back(number_from_json(each));
    for (const json& each : object.at("kept")) map.kept.push_back(kept_from_json(each));
    map.unwritten = object.at("unwritten");
    require_sound(map);
    return map;
}

}  // namespace kernelgen
