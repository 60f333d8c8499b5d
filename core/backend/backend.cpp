// SPDX-License-Identifier: Apache-2.0
#include "core/backend/backend.h"
#include "core/said/said.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace kernelgen {

using nlohmann::json;

json to_json(const DeviceInfo& device) {
    std::vector<std::string> languages;
    for (const Language language : device.languages) languages.emplace_back(to_string(language));
    json object = {{"name", device.name},
                   {"available", device.available},
                   {"builds_only", device.builds_only},
                   {"description", device.description},
                   {"languages", languages},
                   {"environment", to_json(device.environment)},
                   {"numbers", device.numbers},
                   {"python", device.python}};
    put_said(object, "reason", device.reason);
    put_said(object, "notes", device.notes);
    return object;
}

DeviceInfo device_info_from_json(const json& object) {
    DeviceInfo device;
    device.name = object.at("name");
    device.available = object.at("available");
    device.builds_only = object.value("builds_only", false);
    device.reason = own_words(object, "reason");
    device.description = object.at("description");
    for (const std::string& name : object.at("languages").get<std::vector<std::string>>()) {
        if (const auto language = parse_language(name)) device.languages.push_back(*language);
    }
    device.notes = all_own_words(object, "notes");
    device.environment = environment_from_json(object.at("environment"));
    device.numbers = object.value("numbers", Sizes());
    device.python = object.value("python", "");
    return device;
}

ExecutorUse use_for(const std::vector<const Implementation*>& implementations) {
    ExecutorUse use;
    for (const Implementation* each : implementations) {
        const Language language = each->variant.language;
        if (runs_in_python(language)) use.kind = ExecutorKind::python;
        if (language == Language::library) continue;
        use.code.push_back(is_python(language) ? each->variant.source
                                               : std::string(to_string(language)) + " " + hash_of_sources(*each));
    }
    return use;
}

ExecutorUse use_for_judge(const Implementation& reference) {
    if (!is_python(reference.variant.language)) return {};
    return {ExecutorKind::python, {"judge " + hash_of_sources(reference)}};
}

std::vector<ExecutorUse> python_uses(std::vector<ExecutorUse> uses) {
    std::erase_if(uses, [](const ExecutorUse& use) { return use.kind != ExecutorKind::python; });
    return uses;
}

Backend* find_backend(const Backends& backends, std::string_view device) {
    const std::string kind = kind_of_device(device);
    for (const auto& backend : backends) {
        if (backend->kind() == kind) return backend.get();
    }
    return nullptr;
}

}  // namespace kernelgen
