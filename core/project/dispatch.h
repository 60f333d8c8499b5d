// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/project/project.h"

namespace kernelgen {

/// The names that the condition of a dispatch rule to this variant may have: symbols, `dtype_bytes`, and the numbers of
/// the devices on which the variant runs, where PyTorch tells them too.
std::vector<std::string> names_in_dispatch(const Operator& definition, const Variant& variant);

/// The dispatch rules that count on a kind of device: their variants run there.
std::vector<DispatchRule> dispatch_on(const Project& project, std::string_view device);

/// The first of these rules whose condition holds on the case and the device with these numbers; null where none does.
const DispatchRule* rule_for(const std::vector<DispatchRule>& rules, const Case& binding, const Sizes& device);

}  // namespace kernelgen
