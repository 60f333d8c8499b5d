// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/base/said.h"
#include "core/report/report.h"

namespace kernelgen {

/// Translates a reason or warning of the engine by what `said_by` (core/said/said.h) tells of it. Any other text (a
/// compiler's message, a name, text in backquotes) is unchanged.
std::string in_tongue(const Said& said, Tongue tongue);

/// The formats of all sentences, in the order of `english_formats`.
std::span<const std::string_view> formats_in(Tongue tongue);

}  // namespace kernelgen
