// SPDX-License-Identifier: Apache-2.0
#include "core/backend/build.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "core/backend/call_json.h"
#include "core/base/json_values.h"
#include "core/said/said.h"

namespace kernelgen {

using nlohmann::json;

namespace {

std::map<std::string, double> resources_from_json(const json& object) {
    std::map<std::string, double> resources;
    for (const auto& [name, value] : object.get_ref<const json::object_t&>()) {
        const double number = value.is_number() ? value.get<double>() : -1;
        if (!std::isfinite(number) || number < 0) throw std::runtime_error("no resource of a build: " + name);
        resources[name] = number;
    }
    return resources;
}

}  // namespace

json to_json(const BuildResult& result) {
    json messages = json::array();
    for (const CompilerMessage& message : result.messages) messages.push_back(to_json(message));
    json object = {{"status", to_string(result.status)},
                   {"messages", messages},
                   {"log", result.log},
                   {"seconds", result.seconds},
                   {"cached", result.cached},
                   {"key", result.key},
                   {"resources", result.resources},
                   {"occupancy_limiter", result.occupancy_limiter},
                   {"texts", result.texts},
                   {"artifact", to_json(result.artifact)}};
    put_said(object, "reason", result.reason);
    return object;
}

BuildResult build_result_from_json(const json& object) {
    BuildResult result;
    result.status = parse_status(object.at("status").get<std::string>()).value_or(Status::crashed);
    result.reason = own_words(object, "reason");
    for (const json& message : object.at("messages")) {
        result.messages.push_back({message.at("file"), message.at("line"), message.at("column"), message.at("severity"),
                                   own_words(message, "text")});
    }
    result.log = object.at("log");
    result.seconds = object.at("seconds");
    result.cached = object.at("cached");
    result.key = object.at("key");
    result.resources = resources_from_json(object.at("resources"));
    result.occupancy_limiter = object.value("occupancy_limiter", "");
    if (object.contains("texts")) result.texts = object.at("texts").get<std::map<std::string, std::string>>();
    Result<Artifact> artifact = read_whole<Artifact>(object.at("artifact"));
    if (!artifact) throw std::runtime_error("no artifact of a build: " + artifact.error().message.text());
    result.artifact = std::move(*artifact);
    return result;
}

json to_json(const Builds& builds) {
    json object = json::object();
    for (const auto& [dtype, build] : builds) {
        if (build.resources.empty()) continue;
        json& told = object[std::string(to_string(dtype))] = {{"resources", build.resources}};
        if (!build.occupancy_limiter.empty()) told["occupancy_limiter"] = build.occupancy_limiter;
    }
    return object;
}

Builds builds_from_json(const json& object) {
    Builds builds;
    for (const auto& [name, told] : object.get_ref<const json::object_t&>()) {
        const std::optional<DType> dtype = parse_dtype(name);
        if (!dtype) throw std::runtime_error("a build for an unknown dtype: " + name);
        builds[*dtype] = {"", resources_from_json(told.at("resources")), told.value("occupancy_limiter", "")};
    }
    return builds;
}

}  // namespace kernelgen
