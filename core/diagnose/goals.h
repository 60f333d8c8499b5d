// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "core/base/result.h"

namespace kernelgen {

/// Makes these, by metric, the user's goals: a file of its own among the user's rules (core/diagnose/rule.h), which
/// replaces the one that was saved before. Errors: no data folder, or one that cannot be written.
Result<void> save_goals(const std::map<std::string, double>& goals);

}  // namespace kernelgen
