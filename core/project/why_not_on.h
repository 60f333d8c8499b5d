// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/said.h"
#include "core/project/project.h"

namespace kernelgen {

/// Why a variant does not run on a device for which `runs_on` is false, with what to do.
Said why_not_on(const Variant& variant, std::string_view device);

}  // namespace kernelgen
