// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace kernelgen {

/// Why an optimization ended, in English and Chinese; core/round/stop_reasons.def has them all.
struct StopReason {
    std::string_view id, text, text_zh;
};

namespace stop_reasons {
#define STOP_REASON(id, english, chinese) inline constexpr StopReason id{#id, english, chinese};
#include "core/round/stop_reasons.def"
#undef STOP_REASON
}  // namespace stop_reasons

inline constexpr StopReason all_stop_reasons[] = {
#define STOP_REASON(id, english, chinese) stop_reasons::id,
#include "core/round/stop_reasons.def"
#undef STOP_REASON
};

}  // namespace kernelgen
