// SPDX-License-Identifier: Apache-2.0
#include "core/bench/mixed_check.h"

#include <algorithm>

#include "core/bench/novelty_check.h"
#include "core/measure/statistics.h"

namespace kernelgen {
TimingFailure MixedCheck::run() {
    constexpr std::size_t most_turns = 600, least_turns = 100;
    constexpr double longest_check = 10;  // in budgets
    const double until = sampling_.elapsed() + budget_seconds_;
    const double at_last = sampling_.elapsed() + longest_check * std::max(1.0, budget_seconds_);
    for (std::size_t before = samples_.count();;) {
        bool is_known = true, differs = false;
        for (int side = 0; side < samples_.sides(); ++side) {
            const Slower found = is_slower_when_mixed(side);
            if (found == Slower::yes && is_beyond_predictors(side)) return remembers(side);
            is_known &= found != Slower::unknown;
            differs |= found != Slower::no;
        }
        const std::size_t turns = samples_.count() - before;
        const bool is_over = is_known || turns >= most_turns || (turns >= least_turns && sampling_.elapsed() > until);
        const bool cannot_go_on = !watch_.can_mix() || sampling_.elapsed() > at_last;
        if (is_over || cannot_go_on) return differs ? sample_mixed(at_last) : TimingFailure{};
        if (stop_.stop_requested()) return {Status::cancelled, "cancelled"};
        if (const TimingFailure sampled = sampling_.sample_surprising(); !sampled.ok()) return sampled;
    }
}

/// Whether a side takes longer in mixed calls than branch predictors explain.
bool MixedCheck::is_beyond_predictors(int side) const {
    const double longer = seconds_longer(samples_.of(side, true), samples_.of(side, false));
    return !is_host_ || longer > saved_by_predictors(rotation_.layout());
}

/// Samples on until there are enough mixed calls. Where too few can be had until then, all samples stay.
TimingFailure MixedCheck::sample_mixed(double until) {
    const auto has_enough = [&] { return samples_.mixed_count() >= least_pairs; };
    while (!has_enough() && watch_.can_mix() && sampling_.elapsed() < until) {
        if (stop_.stop_requested()) return {Status::cancelled, "cancelled"};
        if (const TimingFailure sampled = sampling_.sample_surprising(); !sampled.ok()) return sampled;
    }
    counts_only_mixed_ = has_enough();
    return {};
}

Slower MixedCheck::is_slower_when_mixed(int side) const {
    constexpr double noticeable = 0.1;
    constexpr std::size_t least_mixed = 12;  // of a side that claims a speedup
    const Language language = rotation_.sides()[static_cast<std::size_t>(side)].implementation->variant.language;
    if (is_host_ && language == Language::library) return Slower::no;
    const std::vector<double> mixed = samples_.of(side, true), others = samples_.of(side, false);
    if (mixed.empty() || others.empty()) return watch_.can_mix() && claims_speedup(side) ? Slower::unknown : Slower::no;
    const bool is_too_early = mixed.size() < least_mixed && claims_speedup(side);
    if (is_too_early) return Slower::unknown;
    return is_slower(mixed, others, noticeable * lower_quartile(others));
}

bool MixedCheck::claims_speedup(int side) const {
    return side != Sampling::baseline && speedup_of(samples_.of(side), samples_.of(Sampling::baseline)).median > 1;
}

TimingFailure MixedCheck::remembers(int side) const {
    return remembers_inputs(rotation_.sides()[static_cast<std::size_t>(side)], side, samples_.of(side, true),
                            samples_.of(side, false));
}

}  // namespace kernelgen
