// SPDX-License-Identifier: Apache-2.0
#include "core/bench/novelty_check.h"

#include <algorithm>
#include <format>
#include <limits>

#include "core/base/text.h"
#include "core/base/verdict_sentences.h"
#include "core/measure/statistics.h"

namespace kernelgen {

namespace {

std::vector<double> medians_of(const NoveltyCheck::Times& times) {
    std::vector<double> medians;
    for (const std::vector<double>& side : times) medians.push_back(summarise(side).p50);
    return medians;
}

}  // namespace

TimingFailure NoveltyCheck::run(const Times& seconds) {
    Times fresh, again;
    Finding found;
    for (int tries = 0; tries < 2; ++tries) {
        if (const TimingFailure sampled = sample(fresh, nullptr); !sampled.ok()) return sampled;
        found = compare(fresh, seconds, medians_of(seconds), Waking::is_in_one);
        if (found.slower < 0) break;
    }
    if (found.slower >= 0) return failure(found.slower, fresh, seconds);
    if (!found.may_wake) return {};
    for (int tries = 0; tries < 2; ++tries) {
        if (const TimingFailure sampled = sample(fresh, &again); !sampled.ok()) return sampled;
        found = compare(fresh, again, medians_of(seconds), Waking::is_in_both);
        if (found.slower < 0) return {};
    }
    return failure(found.slower, fresh, again);
}

TimingFailure NoveltyCheck::failure(int side, const Times& fresh, const Times& known) const {
    const auto number = static_cast<std::size_t>(side);
    return {Status::mismatch,
            say(sentences::remembers_inputs, rotation_.sides()[number].implementation->variant.name,
                with_si_prefix(summarise(fresh[number]).p50, "s"), with_si_prefix(summarise(known[number]).p50, "s")),
            side};
}

/// The side that takes longer on new inputs than on `known` ones, by more than all sides do, and by a noticeable share
/// of its `undisturbed` time. On a CPU threads have fallen asleep while inputs were made: those of libraries are not
/// asked, Python's have more time to wake, and what waking takes does not count, unless both had to wake. There it is
/// in both times, so that it cannot hide the share.
NoveltyCheck::Finding NoveltyCheck::compare(const Times& fresh, const Times& known,
                                            const std::vector<double>& undisturbed, Waking waking) const {
    constexpr double by_chance = 0.01;
    const std::vector<double> before = medians_of(known), after = medians_of(fresh);
    double of_machine = std::numeric_limits<double>::infinity();
    for (std::size_t side = 0; side < known.size(); ++side)
        of_machine = std::min(of_machine, std::max(1.0, after[side] / before[side]));
    Finding found;
    for (std::size_t side = 0; side < before.size(); ++side) {
        const Language language = rotation_.sides()[side].implementation->variant.language;
        if (is_host_ && language == Language::library) continue;
        const bool is_slow_to_wake = is_host_ && runs_in_python(language);
        const double noticeable = is_slow_to_wake ? 0.5 : 0.1, waking_seconds = is_slow_to_wake ? 3e-3 : 1e-3;
        if (after[side] <= of_machine * (before[side] + noticeable * undisturbed[side])) continue;
        if (mann_whitney_p(fresh[side], known[side]) >= by_chance) continue;
        const bool wakes = is_host_ && (after[side] - before[side]) * rotation_.sets() < waking_seconds;
        if (waking == Waking::is_in_both || !wakes) return {static_cast<int>(side)};
        found.may_wake = true;
    }
    return found;
}

/// Samples a turn on each of several new inputs, few where these are large; with `again`, also on the same inputs once
/// they were made and written again. Now and then a call on new inputs is judged, so that no kernel can leave out its
/// work there.
TimingFailure NoveltyCheck::sample(Times& fresh, Times* again) {
    constexpr double bytes = 64e6, fewest = 3, most = 12;
    const double wished = bytes / static_cast<double>(rotation_.layout().total);
    const auto count = static_cast<std::size_t>(std::clamp(wished, fewest, most));
    fresh.assign(rotation_.sides().size(), {});
    if (again != nullptr) *again = fresh;
    const std::size_t judged_one = random_() % (3 * count);  // in one of three timings: it costs a whole reference
    const int judged_side = static_cast<int>(random_() % fresh.size());
    for (std::size_t i = 0; i < count; ++i) {
        if (stop_.stop_requested()) return {Status::cancelled, "cancelled"};
        const int judged = i == judged_one ? judged_side : -1;
        if (const TimingFailure sampled = sample_on(OutputWatch::Inputs::others, judged, fresh); !sampled.ok())
            return sampled;
        if (again == nullptr) continue;
        if (const TimingFailure sampled = sample_on(OutputWatch::Inputs::same, -1, *again); !sampled.ok())
            return sampled;
    }
    return {};
}

TimingFailure NoveltyCheck::sample_on(OutputWatch::Inputs inputs, int judged, Times& seconds) {
    SampleRequest request = rotation_.draw_turns(1, random_);
    request.turns.insert(request.turns.begin(), {{SampleRequest::nobody}, {SampleRequest::nobody}});  // wakes clocks
    Samples samples;
    const TimingFailure sampled = watch_.sample_afresh(request, inputs, judged, samples);
    for (std::size_t side = 0; sampled.ok() && side < seconds.size(); ++side) {
        seconds[side].insert(seconds[side].end(), samples.seconds[side].begin(), samples.seconds[side].end());
    }
    return sampled;
}

}  // namespace kernelgen
