// SPDX-License-Identifier: Apache-2.0
#include "core/project/by_case.h"

#include <algorithm>
#include <utility>

#include "core/lang/integer_expression.h"
#include "core/lang/lexer.h"
#include "core/project/values.h"

namespace kernelgen {

std::vector<std::string> names_in_conditions(const Operator& definition, Language language) {
    std::vector<std::string> names = definition.symbols;
    names.emplace_back(dtype_bytes);
    // The properties that PyTorch tells of a device, by which a Python file states its rules, do not have these.
    const auto is_unknown_to_python = [&](const std::string& name) {
        return is_python(language) && (name == "device.architecture" || name == "device.blocks_per_multiprocessor" ||
                                       name == "device.registers_per_block");
    };
    for (std::string& name : device_names(language)) {
        if (!is_unknown_to_python(name)) names.push_back(std::move(name));
    }
    return names;
}

bool holds_on(const std::string& condition, const Case& binding, const Sizes& device) {
    const Validated<IntegerExpression> expression = IntegerExpression::parse(condition, "when");
    if (!expression) return false;
    Sizes values = binding.sizes;
    values[std::string(dtype_bytes)] = static_cast<std::int64_t>(size_of(binding.dtype));
    for (const auto& [name, value] : device) values[std::string(device_prefix) + name] = value;
    return expression->evaluate(values).value_or(0) != 0;
}

Implementation for_case(Implementation implementation, const Case& binding) {
    const std::vector<ConfigurationRule> rules = std::exchange(implementation.variant.configurations, {});
    const auto rule = std::ranges::find_if(
        rules, [&](const ConfigurationRule& each) { return holds_on(each.when, binding, implementation.device); });
    if (rule == rules.end()) return implementation;
    for (const auto& [name, value] : rule->values) implementation.configuration[name] = value;
    return implementation;
}

void adopt_on(Configuration& base, std::vector<ConfigurationRule>& rules, const Case& binding, const Sizes& device,
              const Configuration& chosen) {
    const auto holding = std::ranges::find_if(
        rules, [&](const ConfigurationRule& each) { return holds_on(each.when, binding, device); });
    for (const auto& [name, value] : chosen) {
        const auto own = base.find(name);
        if (own == base.end()) continue;
        if (holding != rules.end()) {
            if (holding->values.contains(name) || own->second != value) holding->values[name] = value;
        } else if (own->second != value) {
            for (ConfigurationRule& rule : rules) rule.values.emplace(name, own->second);
            own->second = value;
        }
    }
}

std::vector<ConfigurationRule> rules_of_others(const Configuration& base, std::vector<ConfigurationRule> rules,
                                               const std::vector<Case>& cases, const Sizes& device) {
    std::erase_if(rules, [&](const ConfigurationRule& rule) {
        return std::ranges::any_of(cases, [&](const Case& each) { return holds_on(rule.when, each, device); });
    });
    for (ConfigurationRule& each : rules) each.values.insert(base.begin(), base.end());
    return rules;
}

std::vector<ConfigurationRule> rules_for(const Variant& variant, std::vector<ConfigurationRule> rules) {
    for (ConfigurationRule& rule : rules) {
        std::erase_if(rule.values, [&](const auto& each) { return !with_changes(variant, {}, {each}); });
    }
    std::erase_if(rules, [](const ConfigurationRule& each) { return each.values.empty(); });
    return rules;
}

Result<Implementation> with_fixed(Implementation implementation, const Configuration& changes) {
    Result<Configuration> changed = with_changes(implementation.variant, implementation.configuration, changes);
    if (!changed) return std::unexpected(changed.error());
    implementation.configuration = std::move(*changed);
    for (ConfigurationRule& rule : implementation.variant.configurations) {
        for (auto& [name, value] : rule.values) {
            if (const auto fixed = changes.find(name); fixed != changes.end()) value = fixed->second;
        }
    }
    return implementation;
}

}  // namespace kernelgen
