// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "app/cli/outline.h"

namespace kernelgen::cli {

/// The manual page kernelgen(1), in the form that man(7) describes.
std::string manual_page(const ProgramOutline& outline);

}  // namespace kernelgen::cli
