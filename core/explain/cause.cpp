// SPDX-License-Identifier: Apache-2.0
#include "core/explain/cause.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "core/base/json_format.h"
#include "core/said/said.h"

namespace kernelgen {

using nlohmann::json;

namespace {

constexpr auto cause_names = std::to_array<std::pair<CauseKind, std::string_view>>({
    {CauseKind::unwritten, "unwritten"},
    {CauseKind::old_contents, "old_contents"},
    {CauseKind::race, "race"},
    {CauseKind::input_written, "input_written"},
    {CauseKind::out_of_bounds, "out_of_bounds"},
    {CauseKind::tail_columns, "tail_columns"},
    {CauseKind::tail_rows, "tail_rows"},
    {CauseKind::tail_elements, "tail_elements"},
    {CauseKind::one_tile, "one_tile"},
    {CauseKind::tile_boundary, "tile_boundary"},
    {CauseKind::every_kth, "every_kth"},
    {CauseKind::edge, "edge"},
    {CauseKind::transposed, "transposed"},
    {CauseKind::shifted, "shifted"},
    {CauseKind::repeated, "repeated"},
    {CauseKind::wrong_index, "wrong_index"},
    {CauseKind::reduction_tail, "reduction_tail"},
    {CauseKind::missing_term, "missing_term"},
    {CauseKind::wrong_operation, "wrong_operation"},
    {CauseKind::constant_factor, "constant_factor"},
    {CauseKind::constant_offset, "constant_offset"},
    {CauseKind::row_factor, "row_factor"},
    {CauseKind::nan_lost, "nan_lost"},
    {CauseKind::nan_made, "nan_made"},
    {CauseKind::overflow, "overflow"},
    {CauseKind::depends_on_sign, "depends_on_sign"},
    {CauseKind::precision_grows, "precision_grows"},
    {CauseKind::narrow_precision, "narrow_precision"},
    {CauseKind::approximation, "approximation"},
    {CauseKind::constant_output, "constant_output"},
    {CauseKind::other_sizes, "other_sizes"},
    {CauseKind::wrong_workspace, "wrong_workspace"},
});

json place_to_json(const SourceLine& place) {
    return {{"file", place.file}, {"line", place.line}, {"text", place.text}};
}

SourceLine place_from_json(const json& object) { return {object.at("file"), object.at("line"), object.at("text")}; }

}  // namespace

std::string_view to_string(CauseKind kind) {
    return std::ranges::find(cause_names, kind, &std::pair<CauseKind, std::string_view>::first)->second;
}

std::optional<CauseKind> parse_cause_kind(std::string_view name) {
    const auto found = std::ranges::find(cause_names, name, &std::pair<CauseKind, std::string_view>::second);
    return found == cause_names.end() ? std::nullopt : std::optional(found->first);
}

json to_json(const Cause& cause) {
    json object = {
        {"kind", to_string(cause.kind)}, {"confidence", json_number(cause.confidence)}, {"places", json::array()}};
    for (const SourceLine& each : cause.places) object["places"].push_back(place_to_json(each));
    put_said(object, "text", cause.text);
    put_said(object, "evidence", cause.evidence);
    put_said(object, "advice", cause.advice);
    return object;
}

Cause cause_from_json(const json& object) {
    const std::optional<CauseKind> kind = parse_cause_kind(object.at("kind").get<std::string>());
    if (!kind) throw std::runtime_error("unknown cause " + object.at("kind").dump());
    Cause cause{.kind = *kind, .confidence = number_from_json(object.at("confidence")), .text = {}, .advice = {}};
    cause.text = own_words(object, "text");
    cause.evidence = all_own_words(object, "evidence");
    cause.advice = own_words(object, "advice");
    for (const json& each : object.at("places")) cause.places.push_back(place_from_json(each));
    return cause;
}

}  // namespace kernelgen
