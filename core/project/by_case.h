// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/project/project.h"

namespace kernelgen {

/// The names that the condition of a rule may have, of a variant in `language`: symbols, `dtype_bytes`, and numbers of
/// the device.
std::vector<std::string> names_in_conditions(const Operator& definition, Language language);

/// Whether the condition of a rule holds on a case and on a device with these numbers. One that cannot be evaluated,
/// such as one on a device that is not there, does not hold.
bool holds_on(const std::string& condition, const Case& binding, const Sizes& device);

/// The implementation as it runs on a case: its configuration has the values of the first rule whose condition holds,
/// and its variant has no rules.
Implementation for_case(Implementation implementation, const Case& binding);

/// Changes `base` or one rule so that the case gets the configuration `chosen`. The first rule that holds on the case
/// gets the values that differ from `base`. Where no rule holds, `base` becomes `chosen`; other cases keep theirs.
void adopt_on(Configuration& base, std::vector<ConfigurationRule>& rules, const Case& binding, const Sizes& device,
              const Configuration& chosen);

/// The rules that hold on none of these cases, with the values that they take from `base` too.
std::vector<ConfigurationRule> rules_of_others(const Configuration& base, std::vector<ConfigurationRule> rules,
                                               const std::vector<Case>& cases, const Sizes& device);

/// The rules without the values that the variant's tunables do not have.
std::vector<ConfigurationRule> rules_for(const Variant& variant, std::vector<ConfigurationRule> rules);

/// The implementation with these values on every case, whatever its rules say. Errors: as `with_changes`.
Result<Implementation> with_fixed(Implementation implementation, const Configuration& changes);

}  // namespace kernelgen
