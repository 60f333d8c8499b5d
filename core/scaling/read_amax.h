// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "core/base/json_reader.h"

namespace kernelgen {

/// An amax to read, or a list with one for each channel, which may be longer than lists that people write.
struct AmaxList {
    std::vector<double>& values;
    bool* is_list = nullptr;  ///< told where it is asked for; else only a list is right
};

inline void read(const JsonPlace& place, const AmaxList& amax) {
    const nlohmann::json& found = place.value();
    if (amax.is_list != nullptr && found.is_number()) return amax.values.push_back(found.get<double>());
    if (!found.is_array() || found.empty()) return place.error("expected a number, or a list of numbers");
    if (amax.is_list != nullptr) *amax.is_list = true;
    for (const nlohmann::json& each : found) {
        if (!each.is_number()) return place.error("expected a number, or a list of numbers");
        amax.values.push_back(each.get<double>());
    }
}

}  // namespace kernelgen
