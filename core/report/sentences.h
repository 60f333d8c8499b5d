// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/report/report.h"

namespace kernelgen {

/// Translates a reason or warning of the engine. Sentences of core/base/sentences.h and said_in_place.def, and
/// sentences inside them, are recognised; any other text (a compiler's message, a name, text in backquotes) is
/// unchanged.
std::string in_tongue(std::string_view sentence, Tongue tongue);

}  // namespace kernelgen
