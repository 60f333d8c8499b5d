// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/catalogue.h"

#include "core/report/log_sections.h"

namespace kernelgen::studio {

namespace {

constexpr char separator = '\n';

std::string keyOf(const Case& binding) {
    std::string key = binding.name + separator + std::string(to_string(binding.dtype));
    for (const auto& [symbol, size] : binding.sizes) key += separator + symbol + '=' + std::to_string(size);
    return key;
}

/// A key of a round: two keys are equal exactly where `comparable` holds.
std::string keyOf(const Round& round) {
    return round.device + separator + round.baseline + separator + round.environment;
}

}  // namespace

double bytesOf(const RoundCase& timing) { return timing.roofline.bandwidth_gbps * 1e9 * timing.seconds; }

Catalogue::Catalogue(const History& history) {
    for (const Round& round : history.rounds) {
        std::size_t guess = 0;
        for (const RoundCase* each : timed_cases(round)) caseNumber(each->binding, guess++);
    }
}

int Catalogue::caseNumber(const Case& binding, std::size_t guess) {
    if (guess < cases.size() && cases[guess] == binding) return static_cast<int>(guess);
    const auto [found, is_new] = case_numbers_.try_emplace(keyOf(binding), static_cast<int>(cases.size()));
    if (is_new) cases.push_back(binding);
    return found->second;
}

int Catalogue::groupNumber(const Round& round) {
    if (!groups.empty() && comparable(*groups[last_group_], round)) return static_cast<int>(last_group_);
    const auto [found, is_new] = group_numbers_.try_emplace(keyOf(round), static_cast<int>(groups.size()));
    if (is_new) groups.push_back(&round);
    last_group_ = static_cast<std::size_t>(found->second);
    return found->second;
}

std::vector<Timing> timingsOf(const Round& round, Catalogue& catalogue) {
    std::vector<Timing> timings;
    for (const RoundCase* each : timed_cases(round)) {
        timings.push_back({.round = &round,
                           .timing = each,
                           .binding = catalogue.caseNumber(each->binding, timings.size()),
                           .group = catalogue.groupNumber(round)});
    }
    return timings;
}

}  // namespace kernelgen::studio
