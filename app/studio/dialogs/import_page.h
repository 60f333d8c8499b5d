// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>
#include <QString>
#include <vector>

#include "core/files/import_folder.h"

namespace kernelgen::studio {

/// What a set of Python files was understood as, as a page: roles, the operator, parameters, tunables, cases, what is
/// rewritten, and what is not understood.
QString importPage(const ImportedSet& set, const QPalette& palette);

/// What a folder of problems was understood as: its files, and why those left out cannot be imported.
QString importFolderPage(const std::vector<ImportedFile>& files, const QPalette& palette);

/// Why a folder or file cannot be imported as it is; `advice` may be empty.
QString importProblemPage(const Diagnostics& problems, const QPalette& palette, const QString& advice = {});

}  // namespace kernelgen::studio
