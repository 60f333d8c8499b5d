// SPDX-License-Identifier: Apache-2.0
#include "core/tune/kernel_tuner_cache.h"

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/tune/objective_scale.h"
#include "core/tune/t4.h"

namespace kernelgen {

using nlohmann::json;

namespace {

constexpr double unit_of_cache = 1e-3;

RecordedTrial read_entry(const JsonPlace& place, const std::vector<std::string>& keys) {
    RecordedTrial trial;
    if (!place.expect_object()) return trial;
    json configuration = json::object();  // of the entry's members those that are parameters
    for (const std::string& key : keys) {
        if (const auto found = place.value().find(key); found != place.value().end()) configuration[key] = *found;
        else place.error(say("lacks the parameter {}", in_backquotes(key)));
    }
    read_configuration(JsonPlace(configuration, place.diagnostics()), trial.configuration);
    if (place.value().contains("__error__")) return trial;
    const auto time = place.value().find("time");
    if (time == place.value().end()) place.error("has no `time`", "only times can be read");
    else if (time->is_number()) trial.seconds = usable(time->get<double>() * unit_of_cache);
    return trial;
}

}  // namespace

bool is_kernel_tuner_cache(const json& document) {
    return document.is_object() && document.contains("cache") && document.contains("tune_params_keys");
}

Recording read_kernel_tuner_cache(const JsonPlace& document) {
    Recording recording;
    const std::string keys_key = "tune_params_keys", cache_key = "cache";
    std::vector<std::string> keys;
    read(document.member(keys_key, document.value().at(keys_key)), keys);
    const json& cache = document.value().at(cache_key);
    const JsonPlace place = document.member(cache_key, cache);
    if (!cache.is_object()) place.error("expected an object with an entry for each configuration");
    else
        for (const auto& [key, entry] : cache.items()) {
            if (document.diagnostics().size() >= 100) break;
            recording.trials.push_back(read_entry(place.member(key, entry), keys));
        }
    return recording;
}

std::string closed_cache(std::string_view text) {
    const std::string_view trimmed = trim(text);
    if (!trimmed.ends_with(',')) return std::string(text);
    return std::string(trimmed.substr(0, trimmed.size() - 1)) + "}}";
}

}  // namespace kernelgen
