// SPDX-License-Identifier: Apache-2.0
#include "core/backend/executor_requests.h"

#include <format>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/backend/call_json.h"
#include "core/backend/packed_numbers.h"
#include "core/base/json_values.h"

namespace kernelgen {

using nlohmann::json;

namespace {

constexpr std::int64_t page_bytes = 4096;

constexpr std::pair<Placement, std::string_view> placements[] = {{Placement::shared, "shared"},
                                                                 {Placement::ends_guarded, "ends_guarded"},
                                                                 {Placement::starts_guarded, "starts_guarded"}};

std::string_view to_string(Placement placement) {
    return std::ranges::find(placements, placement, &std::pair<Placement, std::string_view>::first)->second;
}

std::optional<Placement> parse_placement(std::string_view name) {
    const auto found = std::ranges::find(placements, name, &std::pair<Placement, std::string_view>::second);
    return found == std::end(placements) ? std::nullopt : std::optional(found->first);
}

json patch_json(const Patch& patch) {
    return {{"unit", patch.unit},
            {"input", patch.input},
            {"offset", patch.offset},
            {"bytes", patch.bytes},
            {"contents", patch.contents}};
}

json fields_of(const LoadRequest& request) {
    return {{"slot", request.slot},
            {"artifact", to_json(request.artifact)},
            {"call", to_json(request.call)},
            {"trial", request.trial}};
}

json fields_of(const RunRequest& request) {
    return {{"slot", request.slot},
            {"call", to_json(request.call)},
            {"layout", to_json(request.layout)},
            {"placement", to_string(request.placement)},
            {"alignment", request.alignment}};
}

json fields_of(const PrepareRequest& request) {
    return {{"calls", list_of(request.calls, kernelgen::to_json)},
            {"layout", to_json(request.layout)},
            {"sets", request.sets}};
}

json fields_of(const RefillRequest& request) { return {{"patches", list_of(request.patches, patch_json)}}; }

json fields_of(const SampleRequest& request) {
    json object = {{"turns", request.turns},
                   {"states", pack(request.states)},
                   {"flush", request.flush},
                   {"poison", request.poison},
                   {"key", request.key}};
    if (const auto& capture = request.capture)
        object["capture"] = {{"side", capture->side}, {"set", capture->set}, {"turn", capture->turn}};
    if (request.neighbour_gbps > 0) object["neighbour_gbps"] = request.neighbour_gbps;
    return object;
}

json fields_of(const CountRequest& request) { return {{"slot", request.slot}}; }

json fields_of(const ClearRequest&) { return json::object(); }

}  // namespace

// Readers of the parts. They are found by their arguments, so they cannot be in the unnamed namespace.

static void read(const JsonPlace& place, Placement& placement) {
    read_choice(place, placement, parse_placement, "placement", {"shared", "ends_guarded", "starts_guarded"});
}

static void read(const JsonPlace& place, Patch& patch) {
    JsonObject object(place);
    object.required("unit", Within{patch.unit, 0, Patch::units - 1});
    object.required("input", Within{patch.input, 0, largest_int});
    object.required("offset", patch.offset);
    object.required("bytes", patch.bytes);
    object.required("contents", patch.contents);
    object.finish();
}

static void read(const JsonPlace& place, Capture& capture) {
    JsonObject object(place);
    object.required("side", Within{capture.side, 0, largest_int});
    object.required("set", Within{capture.set, 0, largest_int});
    object.required("turn", capture.turn);
    object.finish();
}

/// The sides of one turn.
struct Turn {
    std::vector<int>& sides;
};

static void read(const JsonPlace& place, const Turn& turn) {
    if (!place.expect_array()) return;
    turn.sides.reserve(place.size());
    for (std::size_t i = 0; i < place.size(); ++i)
        read(place.element(i), Within{turn.sides.emplace_back(), SampleRequest::nobody, largest_int});
}

struct Turns {
    std::vector<std::vector<int>>& turns;
};

static void read(const JsonPlace& place, const Turns& turns) {
    if (!place.expect_array()) return;
    turns.turns.reserve(place.size());
    for (std::size_t i = 0; i < place.size(); ++i) read(place.element(i), Turn{turns.turns.emplace_back()});
}

/// Numbers as packed_numbers.h writes them.
struct PackedNumbers {
    std::vector<std::uint64_t>& numbers;
};

static void read(const JsonPlace& place, const PackedNumbers& packed) {
    if (!place.expect_string()) return;
    auto numbers = unpack(place.value().get_ref<const std::string&>());
    if (!numbers) return place.error("expected numbers of 16 hexadecimal digits each");
    packed.numbers = std::move(*numbers);
}

namespace {

void read_fields(JsonObject& object, LoadRequest& request) {
    object.required("slot", Within{request.slot, 0, largest_int});
    object.required("artifact", request.artifact);
    object.required("call", request.call);
    object.required("trial", request.trial);
}

void read_fields(JsonObject& object, RunRequest& request) {
    object.required("slot", Within{request.slot, 0, largest_int});
    object.required("call", request.call);
    object.required("layout", request.layout);
    object.required("placement", request.placement);
    object.required("alignment", Within{request.alignment, 1, page_bytes});
}

void read_fields(JsonObject& object, PrepareRequest& request) {
    object.required("calls", request.calls);
    object.required("layout", request.layout);
    object.required("sets", Within{request.sets, 1, largest_int});
}

void read_fields(JsonObject& object, RefillRequest& request) { object.required("patches", request.patches); }

void read_fields(JsonObject& object, SampleRequest& request) {
    object.required("turns", Turns{request.turns});
    object.required("states", PackedNumbers{request.states});
    object.required("flush", request.flush);
    object.required("poison", Within{request.poison, 0, 255});
    object.required("key", request.key);
    object.optional("capture", request.capture);
    object.optional("neighbour_gbps", request.neighbour_gbps);
}

void read_fields(JsonObject& object, CountRequest& request) {
    object.required("slot", Within{request.slot, 0, largest_int});
}

void read_fields(JsonObject&, ClearRequest&) {}

/// Reads the fields of the alternative whose name is `op`; false where there is none.
template <class... Each>
bool read_as(std::string_view op, JsonObject& object, std::variant<Each...>& request) {
    return ((op == Each::op && (read_fields(object, request.template emplace<Each>()), true)) || ...);
}

}  // namespace

static void read(const JsonPlace& place, Request& request) {
    JsonObject object(place);
    std::string op;
    object.required("op", op);
    if (place.diagnostics().empty() && !read_as(op, object, request))
        return place.error("there is no request " + in_backquotes(op));
    object.finish();
}

std::string to_line(const Request& request) {
    json object = std::visit([](const auto& each) { return fields_of(each); }, request);
    object["op"] = std::visit([](const auto& each) { return each.op; }, request);
    return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<Request> read_request(std::string_view line) {
    const json document = json::parse(line, nullptr, false);
    if (document.is_discarded()) return fail("no JSON");
    return read_whole<Request>(document);
}

}  // namespace kernelgen
