// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "core/scaling/mode_errors.h"

namespace kernelgen {

/// Why a format was chosen.
enum class FormatReason {
    precise,    ///< E4M3 is a bit more precise, and its range is enough
    range,      ///< E4M3 would store too many elements as 0, or has the larger error
    amax_only,  ///< E4M3, since only amax is known, which tells nothing against it
    asked,      ///< it was asked for
    channels,   ///< the channels' amax lie so far apart that E4M3 with one scale would lose the small ones
};

struct FormatChoice {
    DType format = DType::f8e4m3;
    FormatReason reason = FormatReason::precise;
    std::optional<ModeErrors> e4m3, e5m2;  ///< with one scale for the tensor; nothing where only amax is known
};

/// E4M3, unless it stores more than this share of the elements as 0 and E5M2 fewer, or its error is the larger one.
inline constexpr double most_flushed = 0.01;

FormatChoice choose_format(const ModeErrors& e4m3, const ModeErrors& e5m2);
/// The same of the amax of channels, which may be none.
FormatChoice choose_format(const std::vector<double>& channels);

/// Takes the format that was asked for in place of the chosen one.
inline void use_format(FormatChoice& choice, DType asked) {
    choice.format = asked;
    choice.reason = FormatReason::asked;
}

}  // namespace kernelgen
