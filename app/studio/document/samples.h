// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include "core/base/result.h"

namespace kernelgen::studio {

/// The folders of the sample projects that are installed beside this program.
QStringList samples();

/// The user's own copy of a sample in `parent`, made where it is not there yet: samples stay as they were shipped.
/// Errors: a folder that cannot be made or written.
Result<QString> copyOfSample(const QString& sample, const QString& parent);

}  // namespace kernelgen::studio
