// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "core/base/said.h"
#include "core/gate/check.h"

namespace kernelgen {

/// Where a check found a case slower: a sentence on the first recorded round after the stored baseline in which that
/// case was slower too, by its speedup over the same baseline in the same environment. Empty where there is none.
Said first_slower_round(const std::filesystem::path& project_folder, const StoredBaseline& stored,
                        const GateCheck& check);

}  // namespace kernelgen
