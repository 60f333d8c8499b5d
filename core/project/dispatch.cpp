// SPDX-License-Identifier: Apache-2.0
#include "core/project/dispatch.h"

#include <algorithm>

#include "core/project/by_case.h"

namespace kernelgen {

std::vector<std::string> names_in_dispatch(const Operator& definition, const Variant& variant) {
    // On a GPU only the device's numbers that a Python file can name: the rules are written into a Python function.
    return names_in_conditions(definition, runs_on(variant, "cuda") ? Language::triton : Language::cpp);
}

std::vector<DispatchRule> dispatch_on(const Project& project, std::string_view device) {
    std::vector<DispatchRule> rules;
    for (const DispatchRule& each : project.dispatch) {
        const Variant* variant = project.find_variant(each.variant);
        if (variant != nullptr && runs_on(*variant, device)) rules.push_back(each);
    }
    return rules;
}

const DispatchRule* rule_for(const std::vector<DispatchRule>& rules, const Case& binding, const Sizes& device) {
    const auto found =
        std::ranges::find_if(rules, [&](const DispatchRule& each) { return holds_on(each.when, binding, device); });
    return found == rules.end() ? nullptr : &*found;
}

}  // namespace kernelgen
