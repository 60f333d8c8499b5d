// SPDX-License-Identifier: Apache-2.0
#include "core/tune/tuning_head.h"

#include <nlohmann/json.hpp>

#include "core/lang/lexer.h"
#include "core/said/said.h"

namespace kernelgen {

using nlohmann::json;

namespace {

json to_json(const Pruned& pruned) {
    json result = {{"count", pruned.count}};
    if (pruned.is_estimate) result["is_estimate"] = true;
    put_said(result, "reason", pruned.reason);
    return result;
}

}  // namespace

std::uint64_t count_of(const std::vector<Pruned>& pruned) {
    std::uint64_t count = 0;
    for (const Pruned& each : pruned) {
        if (__builtin_add_overflow(count, each.count, &count)) return UINT64_MAX;
    }
    return count;
}

Sizes device_of(const TuningHead& head) {
    Sizes numbers;
    for (const auto& [name, value] : head.sizes) {
        if (name.starts_with(device_prefix)) numbers[name.substr(device_prefix.size())] = value;
    }
    return numbers;
}

json to_json(const std::vector<Pruned>& pruned) {
    json result = json::array();
    for (const Pruned& each : pruned) result.push_back(to_json(each));
    return result;
}

}  // namespace kernelgen
