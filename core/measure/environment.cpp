// SPDX-License-Identifier: Apache-2.0
#include "core/measure/environment.h"

#include <nlohmann/json.hpp>

#include "core/base/text.h"

namespace kernelgen {

using nlohmann::json;

std::string fingerprint(const Environment& environment) {
    json parts = to_json(environment);
    parts.erase("kernelgen");
    parts.erase("clocks");
    return hash_hex(parts.dump()).substr(0, 12);
}

json to_json(const Environment& environment) {
    json object = {{"device", environment.device},
                   {"hardware", environment.hardware},
                   {"threads", environment.threads},
                   {"caches", environment.caches},
                   {"memory_gib", environment.memory_gib},
                   {"clocks", environment.clocks},
                   {"instruction_set", environment.instruction_set},
                   {"operating_system", environment.operating_system},
                   {"compiler", environment.compiler},
                   {"libraries", environment.libraries},
                   {"driver", environment.driver},
                   {"kernelgen", environment.kernelgen}};
    if (environment.multiprocessors > 0) object["multiprocessors"] = environment.multiprocessors;
    return object;
}

Environment environment_from_json(const json& object) {
    Environment environment;
    environment.device = object.value("device", "");
    environment.hardware = object.value("hardware", "");
    environment.threads = object.value("threads", 0);
    environment.multiprocessors = object.value("multiprocessors", 0);
    environment.caches = object.value("caches", "");
    environment.memory_gib = object.value("memory_gib", 0.0);
    environment.clocks = object.value("clocks", "");
    environment.instruction_set = object.value("instruction_set", "");
    environment.operating_system = object.value("operating_system", "");
    environment.compiler = object.value("compiler", "");
    environment.libraries = object.value("libraries", "");
    environment.driver = object.value("driver", "");
    environment.kernelgen = object.value("kernelgen", "");
    return environment;
}

}  // namespace kernelgen
