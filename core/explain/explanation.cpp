// SPDX-License-Identifier: Apache-2.0
#include "core/explain/explanation.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "core/project/project_file.h"
#include "core/said/said.h"

namespace kernelgen {

using nlohmann::json;

json to_json(const Explanation& explanation) {
    json object = {{"case", json(to_json(explanation.binding))},
                   {"set", to_string(explanation.set)},
                   {"seed", explanation.seed},
                   {"status", to_string(explanation.status)},
                   {"smallest", explanation.smallest},
                   {"sizes_tried", explanation.sizes_tried},
                   {"sizes_failed", explanation.sizes_failed},
                   {"maps", json::array()},
                   {"causes", json::array()}};
    for (const ErrorMap& each : explanation.maps) object["maps"].push_back(to_json(each));
    for (const Cause& each : explanation.causes) object["causes"].push_back(to_json(each));
    put_said(object, "remarks", explanation.remarks);
    return object;
}

Explanation explanation_from_json(const json& object) {
    Explanation explanation;
    Validated<Case> binding = case_from_json(object.at("case"));
    if (!binding) throw std::runtime_error(to_string(binding.error()));
    explanation.binding = std::move(*binding);
    const auto set = parse_input_set(object.at("set").get<std::string>());
    const auto status = parse_status(object.at("status").get<std::string>());
    if (!set || !status) throw std::runtime_error("unknown inputs or status in an explanation");
    explanation.set = *set;
    explanation.status = *status;
    explanation.seed = object.at("seed");
    explanation.smallest = object.at("smallest");
    explanation.sizes_tried = object.at("sizes_tried");
    explanation.sizes_failed = object.at("sizes_failed");
    for (const json& each : object.at("maps")) explanation.maps.push_back(error_map_from_json(each));
    for (const json& each : object.at("causes")) explanation.causes.push_back(cause_from_json(each));
    explanation.remarks = all_own_words(object, "remarks");
    return explanation;
}

bool can_explain(Status status) {
    switch (status) {
        case Status::mismatch:
        case Status::nondeterministic:
        case Status::unwritten:
        case Status::out_of_bounds:
        case Status::input_modified:
        case Status::crashed: return true;
        default: return false;
    }
}

const CaseAccuracy* failing_check(const VerifyResult& result) {
    const auto found = std::ranges::find_if(result.cases, [&](const CaseAccuracy& each) {
        return each.status == result.status && can_explain(each.status);
    });
    return found == result.cases.end() ? nullptr : &*found;
}

}  // namespace kernelgen
