// SPDX-License-Identifier: Apache-2.0
#include "core/bench/novelty_check.h"

#include <algorithm>
#include <format>
#include <limits>

#include "core/base/text.h"
#include "core/base/verdict_sentences.h"
#include "core/bench/slower.h"
#include "core/measure/statistics.h"

namespace kernelgen {

namespace {

constexpr int nobody = -1;  ///< of the sides

std::vector<double> medians_of(const NoveltyCheck::Times& times) {
    std::vector<double> medians;
    for (const std::vector<double>& side : times) medians.push_back(summarise(side).p50);
    return medians;
}

}  // namespace

TimingFailure remembers_inputs(const Side& side, int number, const std::vector<double>& fresh,
                               const std::vector<double>& known) {
    return {Status::mismatch,
            say(sentences::remembers_inputs, side.implementation->variant.name,
                with_si_prefix(summarise(fresh).p50, "s"), with_si_prefix(summarise(known).p50, "s")),
            number};
}

/// Rounds compare calls on new inputs with calls on the same ones, which finds less memory than a comparison with all
/// calls before, but not that of a kernel which remembers only what it sees often. With warm caches the latter is left
/// out: written inputs lie in other caches.
TimingFailure NoveltyCheck::run(const Times& seconds, bool warm_caches) {
    const int sets = rotation_.sets();
    Times fresh(seconds.size());
    if (sets > 1) {  // the second call of a sample would have the inputs of the first
        if (const TimingFailure prepared = rotation_.prepare(1); !prepared.ok()) return prepared;
    }
    if (const TimingFailure compared = compare_rounds(seconds, fresh); !compared.ok()) return compared;
    if (!only_new_.empty()) return sample_new();
    if (sets > 1) {
        fresh.assign(seconds.size(), {});  // times of other samples
        if (const TimingFailure prepared = rotation_.prepare(sets); !prepared.ok()) return prepared;
    }
    return warm_caches ? TimingFailure{} : compare_with_before(std::move(fresh), seconds);
}

TimingFailure NoveltyCheck::failure(int side, const Times& fresh, const Times& known) const {
    const auto number = static_cast<std::size_t>(side);
    return remembers_inputs(rotation_.sides()[number], side, fresh[number], known[number]);
}

/// Libraries on a CPU are not asked: their threads have fallen asleep while inputs were made.
bool NoveltyCheck::is_asked(std::size_t side) const {
    return !is_host_ || rotation_.sides()[side].implementation->variant.language != Language::library;
}

/// The side that takes longer on new inputs than before, by more than all sides do, and by a noticeable share; -1:
/// none. What waking its threads may take does not count: on a CPU they have fallen asleep while inputs were made.
int NoveltyCheck::slower_than_before(const Times& fresh, const Times& seconds) const {
    constexpr double by_chance = 0.01;
    const std::vector<double> before = medians_of(seconds), after = medians_of(fresh);
    double of_machine = std::numeric_limits<double>::infinity();
    for (std::size_t side = 0; side < before.size(); ++side)
        of_machine = std::min(of_machine, std::max(1.0, after[side] / before[side]));
    for (std::size_t side = 0; side < before.size(); ++side) {
        if (!is_asked(side)) continue;
        const bool is_slow_to_wake =
            is_host_ && runs_in_python(rotation_.sides()[side].implementation->variant.language);
        const double noticeable = is_slow_to_wake ? 0.5 : 0.1, waking_seconds = is_slow_to_wake ? 3e-3 : 1e-3;
        if (after[side] <= of_machine * (1 + noticeable) * before[side]) continue;
        if (mann_whitney_p(fresh[side], seconds[side]) >= by_chance) continue;
        if (!is_host_ || (after[side] - before[side]) * rotation_.sets() >= waking_seconds)
            return static_cast<int>(side);
    }
    return -1;
}

/// In each round all sides are called on new inputs, and twice more on the same ones, made and written again: what
/// waking threads, cold code and other programs take is in all of these times. Of a kernel that remembers nothing they
/// have one distribution, however wide it is. Ends when it is known of all sides whether those on new inputs are
/// longer. Where they are, but branch predictors may explain it, only calls on new inputs count; so they do where it
/// stays unknown, but chance is a poor explanation.
TimingFailure NoveltyCheck::compare_rounds(const Times& seconds, Times& fresh) {
    constexpr std::size_t most_rounds = 40;
    constexpr double poor_chance = 0.01;
    Times again(seconds.size());
    bool differs = false;
    judge_one_of(least_rounds());
    for (std::size_t round = 1; round <= most_rounds; ++round) {
        if (stop_.stop_requested()) return {Status::cancelled, "cancelled"};
        for (const auto& [inputs, times] : {std::pair{OutputWatch::Inputs::others, &fresh},
                                            {OutputWatch::Inputs::same, &again},
                                            {OutputWatch::Inputs::same, &again}}) {
            if (const TimingFailure sampled = sample_on(inputs, *times); !sampled.ok()) return sampled;
        }
        bool is_known = round >= least_rounds();
        differs = false;
        for (std::size_t side = 0; side < fresh.size(); ++side) {
            if (!is_asked(side)) continue;
            const Slower found = is_slower(fresh[side], again[side], noticeable_seconds(side, seconds));
            if (found == Slower::yes && is_beyond_predictors(seconds_longer(fresh[side], again[side])))
                return failure(static_cast<int>(side), fresh, again);
            is_known &= found != Slower::unknown;
            differs |= found == Slower::yes ||
                       (found == Slower::unknown && mann_whitney_p(fresh[side], again[side]) < poor_chance);
        }
        if (is_known) break;
    }
    if (differs) only_new_.resize(seconds.size());
    return {};
}

/// Samples that take the place of all others. None of the rounds: a kernel could know that it was no longer judged
/// there.
TimingFailure NoveltyCheck::sample_new() {
    constexpr int turns = 24, judged_one_of = 3;
    for (int turn = 0; turn < turns; ++turn) {
        if (stop_.stop_requested()) return {Status::cancelled, "cancelled"};
        const int judged = random_() % judged_one_of == 0 ? draw_candidate() : nobody;
        if (const TimingFailure sampled = sample_turn(OutputWatch::Inputs::others, judged, only_new_); !sampled.ok())
            return sampled;
    }
    return {};
}

double NoveltyCheck::noticeable_seconds(std::size_t side, const Times& seconds) const {
    const double call = lower_quartile(seconds[side]);
    return (is_host_ ? 0.25 : 0.1) * call;
}

bool NoveltyCheck::is_beyond_predictors(double longer_seconds) const {
    return !is_host_ || longer_seconds > saved_by_predictors(rotation_.layout());
}

/// Compares calls on new inputs with all those before, twice, since a machine may be slower for a while. `fresh`: what
/// there is of the first time.
TimingFailure NoveltyCheck::compare_with_before(Times fresh, const Times& seconds) {
    for (int tries = 0;; ++tries) {
        if (const TimingFailure sampled = sample_until_many(fresh); !sampled.ok()) return sampled;
        const int slower = slower_than_before(fresh, seconds);
        if (slower < 0) return {};
        if (tries == 1) return failure(slower, fresh, seconds);
        fresh.assign(seconds.size(), {});
    }
}

std::size_t NoveltyCheck::least_rounds() const {
    constexpr std::size_t enough = 5;
    return std::min(many_inputs(), enough);
}

/// How many new inputs are compared with calls before: few where these are large.
std::size_t NoveltyCheck::many_inputs() const {
    constexpr double bytes = 64e6, fewest = 3, most = 12;
    const double wished = bytes / static_cast<double>(rotation_.layout().total);
    return static_cast<std::size_t>(std::clamp(wished, fewest, most));
}

/// Samples turns on new inputs until there are many.
TimingFailure NoveltyCheck::sample_until_many(Times& fresh) {
    if (fresh.front().size() < many_inputs()) judge_one_of(many_inputs() - fresh.front().size());
    while (fresh.front().size() < many_inputs()) {
        if (stop_.stop_requested()) return {Status::cancelled, "cancelled"};
        const TimingFailure sampled = sample_on(OutputWatch::Inputs::others, fresh);
        if (!sampled.ok()) return sampled;
    }
    return {};
}

/// Of one of the next turns on new inputs a candidate's call is judged, so that no kernel can leave out its work there.
/// One is what a timing can pay for: it costs a whole reference.
void NoveltyCheck::judge_one_of(std::size_t turns) { judged_turn_ = turns_on_others_ + random_() % turns; }

TimingFailure NoveltyCheck::sample_on(OutputWatch::Inputs inputs, Times& seconds) {
    const bool is_judged = inputs == OutputWatch::Inputs::others && turns_on_others_++ == judged_turn_;
    return sample_turn(inputs, is_judged ? draw_candidate() : nobody, seconds);
}

int NoveltyCheck::draw_candidate() { return 1 + static_cast<int>(random_() % (rotation_.sides().size() - 1)); }

TimingFailure NoveltyCheck::sample_turn(OutputWatch::Inputs inputs, int judged, Times& seconds) {
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
