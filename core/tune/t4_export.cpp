// SPDX-License-Identifier: Apache-2.0
#include "core/tune/t4_export.h"

#include <chrono>
#include <format>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "core/tune/objective.h"

namespace kernelgen {

using nlohmann::ordered_json;

namespace {

constexpr double milliseconds = 1e3;

/// T4's word for a status.
std::string_view invalidity_of(Status status) {
    switch (status) {
        case Status::ok: return "correct";
        case Status::restricted: return "constraints";
        case Status::build_failed:
        case Status::over_limit: return "compile";
        case Status::timed_out: return "timeout";
        case Status::out_of_bounds:
        case Status::input_modified:
        case Status::unwritten:
        case Status::mismatch:
        case Status::nondeterministic:
        case Status::implausible: return "correctness";
        case Status::unavailable:
        case Status::launch_failed:
        case Status::crashed:
        case Status::cancelled: return "runtime";
    }
    return "runtime";
}

/// "2026-11-23 02:00:05+00:00", so many seconds after a moment in ISO 8601.
std::string timestamp_of(const std::string& begin, double elapsed_seconds) {
    std::istringstream stream(begin);
    std::chrono::sys_seconds moment{};
    std::chrono::from_stream(stream, "%FT%TZ", moment);
    const auto elapsed =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::duration<double>(elapsed_seconds));
    return std::format("{:%F %T}+00:00", moment + elapsed);
}

/// What a result's objectives may name: of a failure its status.
ordered_json measurements_of(const Tried& tried, const Objective& objective) {
    ordered_json measurements = ordered_json::array();
    const auto add = [&](const char* name, double value, const char* unit) {
        measurements.push_back({{"name", name}, {"value", std::string(to_string(tried.status))}, {"unit", unit}});
        if (tried.is_ok()) measurements.back()["value"] = value;
    };
    add("time", tried.seconds * milliseconds, "ms");
    if (objective.memory > 0) add("memory", tried.memory_bytes, "B");
    if (objective.energy > 0) add("energy", tried.energy_joules, "J");
    return measurements;
}

/// The measurements that are made small, in the order of their weights' names.
ordered_json objectives_of(const Objective& objective) {
    ordered_json names = ordered_json::array();
    if (objective.time > 0) names.push_back("time");
    if (objective.memory > 0) names.push_back("memory");
    if (objective.energy > 0) names.push_back("energy");
    return names;
}

ordered_json result_of(const Tuning& tuning, const Tried& tried, const Objective& objective) {
    ordered_json times = {{"compilation", tried.build_seconds * milliseconds},
                          {"framework", 0},
                          {"search_algorithm", 0},
                          {"validation", tried.screen_seconds * milliseconds}};
    if (tried.is_ok()) {
        times["runtimes"] = ordered_json::array();
        for (const double each : tried.samples) times["runtimes"].push_back(each * milliseconds);
    }
    return {{"timestamp", timestamp_of(tuning.head.time, tried.elapsed_seconds)},
            {"configuration", tried.configuration},
            {"times", std::move(times)},
            {"invalidity", invalidity_of(tried.status)},
            {"correctness", tried.is_ok() ? 1 : 0},
            {"measurements", measurements_of(tried, objective)},
            {"objectives", objectives_of(objective)}};
}

}  // namespace

ordered_json to_t4(const Tuning& tuning) {
    const Objective objective = parse_objective(tuning.head.objective).value_or(Objective());
    ordered_json results = ordered_json::array();
    for (const Tried& each : tuning.tried) results.push_back(result_of(tuning, each, objective));
    return {{"metadata",
             {{"timeunit", "milliseconds"}, {"device", tuning.head.device}, {"case", tuning.head.binding.name}}},
            {"results", std::move(results)},
            {"schema_version", "1.0.0"}};
}

}  // namespace kernelgen
