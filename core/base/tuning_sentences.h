// SPDX-License-Identifier: Apache-2.0
// How tunings are decided, and what ends their builds: as core/base/sentences.h.
#pragma once

#include <string_view>

namespace kernelgen::sentences {

inline constexpr std::string_view build_timed_out = "the build did not end within {}";
inline constexpr std::string_view two_workers_died =
    "two workers died while they tried this configuration, the last: {}";
inline constexpr std::string_view tuned_in_pairs =
    "the best finalist over the incumbent, in pairs: {:.3f}x [{:.3f}, {:.3f}], {} pairs";
inline constexpr std::string_view tuned_too_wide =
    "the best finalist over the incumbent, in pairs: {:.3f}x [{:.3f}, {:.3f}], {} pairs; the interval is too wide to "
    "tell "
    "which is faster, so the incumbent stays; a longer budget, or a device that nothing else uses, makes it narrower";
inline constexpr std::string_view tuned_without_incumbent =
    "the incumbent failed, so that the fastest configuration that is right won";
inline constexpr std::string_view no_energy = "the device does not tell its energy, which the objective asks for";
inline constexpr std::string_view pace_failed = "the configuration to which times are related failed ({}): {}";
inline constexpr std::string_view tuned_no_rival = "no other configuration that is right was as fast as the incumbent";
inline constexpr std::string_view tuned_nothing_else = "no other configuration was tried";
inline constexpr std::string_view tuned_round_failed = "round {} of the configuration that was best ended as {}";
inline constexpr std::string_view not_kept_for_other_cases =
    "the project's configuration is for other cases, too; `kernelgen keep PROJECT ROUND` takes this one for all";
inline constexpr std::string_view not_kept_since_changed =
    "the variant, its sources or the definition have changed since the tuning began; `kernelgen keep PROJECT ROUND` "
    "takes what was tuned";
inline constexpr std::string_view tuned_too_slow =
    "no answer within {}: a tuning waits for 5 s and 50 times the time of the configuration to which it relates times";
inline constexpr std::string_view tuned_without_time =
    "the time was over before another configuration was shown to be right and faster";
inline constexpr std::string_view tuned_fell_in_time =
    "the time was over; of the configurations that were fastest {} did not pass the whole verification or timing, the "
    "last "
    "({}): {}: {}";
inline constexpr std::string_view tuned_seen_in_time =
    "the time was over before it was decided; fastest in the search, not verified in full: {}, {:.2f}x the incumbent "
    "in a "
    "short race";
inline constexpr std::string_view tuned_failed_in_time =
    "the time was over before another configuration was shown to be right; the present one: {}";
inline constexpr std::string_view left_out_search =
    "the search for other configurations than the present one; `kernelgen tune PROJECT --resume` goes on with it";
inline constexpr std::string_view left_out_final =
    "the full verification of faster configurations, and their timing beside the present one; `kernelgen tune PROJECT "
    "--resume` goes on with it";
inline constexpr std::string_view left_out_incumbent =
    "the full verification of the present configuration; `kernelgen tune PROJECT --resume` goes on with it";
inline constexpr std::string_view left_out_round =
    "the round of the configuration that is recommended; `kernelgen tune PROJECT --resume` goes on with it";
inline constexpr std::string_view left_out_cases =
    "the cases of the command that follow; `kernelgen tune PROJECT --resume` goes on with them";
inline constexpr std::string_view left_out_across =
    "the race across the cases, which rules by size need; `kernelgen tune PROJECT --resume` goes on with it";
inline constexpr std::string_view tuned_nothing_ok = "no configuration that was tried is ok; the present one: {}";

}  // namespace kernelgen::sentences
