// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/report/report.h"

namespace kernelgen {

/// A reason or warning of the engine in a tongue: those of core/base/sentences.h and of said_in_place.def, and what
/// they hold, are recognised; anything else (a compiler's words, a name, what is in backquotes) stays as it is.
std::string in_tongue(std::string_view sentence, Tongue tongue);

}  // namespace kernelgen
