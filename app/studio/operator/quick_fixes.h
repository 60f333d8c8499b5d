// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <vector>

#include "core/project/project.h"

namespace kernelgen::studio {

/// A change that mends something that is wrong in a definition.
struct QuickFix {
    QString title;
    std::function<void(Project&)> apply;
};

/// What could mend these errors: the name that was probably meant, an input where a name of the body is none, in the
/// order of the errors.
std::vector<QuickFix> quickFixes(const Project& project, const Diagnostics& diagnostics);

}  // namespace kernelgen::studio
