// SPDX-License-Identifier: Apache-2.0
#include "core/scaling/scaling_state.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/base/json_format.h"
#include "core/base/json_values.h"
#include "core/base/text_file.h"
#include "core/scaling/read_amax.h"

namespace kernelgen {
namespace {

constexpr std::uint64_t most_state_bytes = 256ull << 20;

bool is_amax(double value) { return std::isfinite(value) && value >= 0; }

struct HistoryToRead {
    AmaxHistory& history;
};

void read(const JsonPlace& place, const HistoryToRead& read_into) {
    AmaxHistory& history = read_into.history;
    JsonObject object(place);
    object.required("steps", Within(history.steps, 0, largest_int64));
    object.required("average", history.average);
    object.required("recent", history.recent);
    object.optional("channels", AmaxList{history.channels});
    object.finish();
    if (history.recent.size() > anomaly_steps) place.error(say("`recent` has more than {} steps", anomaly_steps));
    if (!is_amax(history.average) || !std::ranges::all_of(history.recent, is_amax) ||
        !std::ranges::all_of(history.channels, is_amax))
        place.error("an amax must be a finite number that is not negative");
}

struct StateToRead {
    ScalingState& state;
};

void read(const JsonPlace& place, const StateToRead& read_into) {
    if (!place.value().is_object()) return place.error("expected an object");
    for (const auto& [name, value] : place.value().items())
        read(place.member(name, value), HistoryToRead{read_into.state[name]});
}

}  // namespace

std::string format_scaling_state(const ScalingState& state) {
    nlohmann::ordered_json document = {{"scaling_state", scaling_state_version},
                                       {"tensors", nlohmann::ordered_json::object()}};
    for (const auto& [name, history] : state) {
        nlohmann::ordered_json& own = document["tensors"][name];
        own = {{"steps", history.steps}, {"average", history.average}, {"recent", history.recent}};
        if (!history.channels.empty()) own["channels"] = history.channels;
    }
    return format_json(document);
}

Validated<ScalingState> parse_scaling_state(std::string_view text, std::string_view file) {
    const Validated<nlohmann::json> document = parse_json(text, file);
    if (!document) return std::unexpected(document.error());
    Diagnostics diagnostics;
    const JsonPlace place(*document, diagnostics);
    JsonObject object(place);
    int version = scaling_state_version;
    ScalingState state;
    object.required("scaling_state", version);
    if (diagnostics.empty() && version != scaling_state_version)
        place.error(
            say("this is version {} of the state; this program knows version {}", version, scaling_state_version),
            "begin another file, or use the program that wrote it");
    if (diagnostics.empty()) {
        object.required("tensors", StateToRead{state});
        object.finish();
    }
    for (Diagnostic& each : diagnostics) each.file = file;
    if (!diagnostics.empty()) return std::unexpected(diagnostics);
    return state;
}

Validated<ScalingState> read_scaling_state(const std::filesystem::path& file) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored) && !ignored) return ScalingState{};
    const Result<std::string> text = read_text_file(file, most_state_bytes);
    if (!text) return std::unexpected(as_diagnostics(text.error()));
    return parse_scaling_state(*text, file.string());
}

Result<void> write_scaling_state(const std::filesystem::path& file, const ScalingState& state) {
    return write_file_atomic(file, format_scaling_state(state));
}

}  // namespace kernelgen
