// SPDX-License-Identifier: Apache-2.0
#include "core/gate/verdict.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace kernelgen {
namespace {

constexpr std::array<std::pair<Verdict, std::string_view>, 4> names = {{{Verdict::same, "same"},
                                                                        {Verdict::faster, "faster"},
                                                                        {Verdict::slower, "slower"},
                                                                        {Verdict::ambiguous, "ambiguous"}}};

}  // namespace

std::string_view to_string(Verdict verdict) {
    return std::ranges::find(names, verdict, &std::pair<Verdict, std::string_view>::first)->second;
}

std::optional<Verdict> parse_verdict(std::string_view name) {
    const auto found = std::ranges::find(names, name, &std::pair<Verdict, std::string_view>::second);
    return found == names.end() ? std::nullopt : std::optional(found->first);
}

Verdict judge_pairs(const Ratio& ratio, double threshold) {
    if (ratio.median <= 1 - threshold && ratio.upper < 1) return Verdict::slower;
    if (ratio.median >= 1 + threshold && ratio.lower > 1) return Verdict::faster;
    if (ratio.lower >= 1 - threshold && ratio.upper <= 1 + threshold) return Verdict::same;
    return Verdict::ambiguous;
}

Verdict judge_archived(const Ratio& ratio, double threshold) {
    const Verdict verdict = judge_pairs(ratio, threshold);
    const bool is_small = std::abs(ratio.median - 1) < archived_limit;
    return is_small && verdict != Verdict::same ? Verdict::ambiguous : verdict;
}

}  // namespace kernelgen
