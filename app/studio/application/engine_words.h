// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string_view>

namespace kernelgen::studio {

/// A recorded reason or warning in the language of the interface.
QString inWords(std::string_view sentence);

/// A stage of a run in the language of the interface: "Timing 4096x4096 f32" for "bench 4096x4096 f32".
QString stageInWords(const QString& stage);

}  // namespace kernelgen::studio
