// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>
#include <vector>

#include "core/project/project.h"

namespace kernelgen::studio {

/// Every file of a variant: its source and, of a Triton variant, its companions; none of a library.
std::vector<std::string> filesOf(const Variant& variant);

/// The files for working on `variant` on a device: its own source and its baseline's; or the four files of an operator
/// for a variant in Python. Without duplicates; none where the variant has no source.
std::vector<std::string> filesOfWork(const Project& project, const Variant& variant, const std::string& device);

/// What a file is in the project: "Source of host", "Accuracy test of triton", a line for each.
QString rolesOf(const Project& project, const std::string& file);

}  // namespace kernelgen::studio
