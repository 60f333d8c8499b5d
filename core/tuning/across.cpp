// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/across.h"

#include <algorithm>
#include <limits>

#include "core/project/by_case.h"
#include "core/project/values.h"
#include "core/tuning/case_space.h"
#include "core/tuning/trials.h"

namespace kernelgen {

namespace {

constexpr std::size_t most_compared = 12, best_of_each = 3;
constexpr double most_seconds_each = 1, least_seconds_each = 0.1;  ///< of sampling, of a configuration on a case
constexpr double sampling_share = 0.5;  ///< of the time for a case; builds and screens take the rest

void add(std::vector<Configuration>& all, const Configuration& each) {
    if (all.size() < most_compared && !std::ranges::contains(all, each)) all.push_back(each);
}

/// The configurations that were right and sampled to the end, the best first.
std::vector<const Tried*> ranked(const Tuning& tuning) {
    std::vector<const Tried*> right;
    for (const Tried& each : tuning.tried) {
        if (each.is_ok() && !each.left) right.push_back(&each);
    }
    std::ranges::sort(right, {}, &Tried::objective);
    return right;
}

bool has_failed(const Tuning& tuning, const Configuration& configuration) {
    const auto found = std::ranges::find(tuning.tried, configuration, &Tried::configuration);
    return found != tuning.tried.end() && !found->is_ok();
}

/// Sets the pace that the tuning had: its incumbent, or where that failed, its outcome.
bool set_pace(Trials& trials, const Tuning& tuning) {
    const bool has_incumbent = !has_failed(tuning, tuning.head.incumbent);
    return trials.set_pace(has_incumbent ? tuning.head.incumbent : tuning.outcome->configuration).is_ok();
}

/// Seconds of sampling for each configuration on each case, where so many configurations are raced on so many cases in
/// the time that is left.
double seconds_each(const AcrossJob& job, std::size_t configurations, std::size_t cases) {
    const auto calls = static_cast<double>(cases * (1 + configurations));
    return std::clamp(sampling_share * job.time.left() / calls, least_seconds_each, most_seconds_each);
}

/// Seconds that a race of so many configurations on a case will take, by what the search took there: the time of the
/// incumbent, which sets the pace, and for each configuration the mean time of those tried.
double seconds_on(const Tuning& tuning, std::size_t configurations) {
    double pace = 0, all = 0;
    for (const Tried& each : tuning.tried) {
        const double taken = each.screen_seconds + each.race_seconds;
        if (each.configuration == tuning.head.incumbent) pace = taken;
        all += taken;
    }
    const auto tried = static_cast<double>(std::max<std::size_t>(tuning.tried.size(), 1));
    return pace + static_cast<double>(configurations) * all / tried;
}

bool is_time_for(const AcrossJob& job, const std::vector<Tuning>& tunings, std::size_t configurations) {
    double needed = 0;
    for (const Tuning& each : tunings) needed += seconds_on(each, configurations);
    return needed <= job.time.left_until_cut();
}

/// `cases`: on so many it is still to be raced, this one included.
std::vector<Tried> raced_on(const AcrossJob& job, const Tuning& tuning, const std::vector<Configuration>& all,
                            std::size_t cases) {
    RunPlan plan = job.plan;
    plan.cases = {tuning.head.binding};
    plan.candidate = for_case(job.plan.candidate, tuning.head.binding);
    plan.candidate.configuration = tuning.head.incumbent;
    const Progress progress = [&](std::string_view stage, int, int) {
        job.time.take_stage(&job.worker, stage, 1);
        job.progress({.stage = "across cases: " + std::string(stage), .case_name = tuning.head.binding.name});
    };
    std::vector<Configuration> allowed;
    const Restrictions restrictions(plan.candidate.variant);
    for (const Configuration& each : all) {
        const bool is_allowed = !restrictions.violated(with_configuration(plan, each).candidate, tuning.head.binding);
        if (is_allowed && !has_failed(tuning, each)) allowed.push_back(each);
    }
    Trials trials(plan, job.objective, job.worker, progress, job.time.cut());
    if (allowed.empty() || !set_pace(trials, tuning)) return {};
    trials.begin(allowed);
    std::vector<Tried> raced = trials.finish(std::numeric_limits<double>::infinity());
    trials.race_again(raced, seconds_each(job, raced.size(), cases) * static_cast<double>(1 + raced.size()));
    return raced;
}

}  // namespace

std::vector<Configuration> finals_of(const std::vector<Tuning>& tunings) {
    std::vector<Configuration> all;
    for (const Tuning& each : tunings) add(all, each.outcome->configuration);
    for (const Tuning& each : tunings) add(all, each.head.incumbent);
    for (std::size_t place = 0; place < best_of_each; ++place) {
        for (const Tuning& each : tunings) {
            const std::vector<const Tried*> best = ranked(each);
            if (place < best.size()) add(all, best[place]->configuration);
        }
    }
    return all;
}

Result<void> race_across(const AcrossJob& job, std::vector<CaseTuning>& done) {
    std::vector<Tuning> tunings;
    for (const CaseTuning& each : done) tunings.push_back(each.tuning);
    std::vector<Configuration> all = finals_of(tunings), needed;
    for (const Tuning& each : tunings) add(needed, each.outcome->configuration);
    for (const Tuning& each : tunings) add(needed, each.head.incumbent);
    while (all.size() > needed.size() && !is_time_for(job, tunings, all.size())) all.pop_back();
    if (!is_time_for(job, tunings, all.size())) return {};
    for (std::size_t i = 0; i < done.size(); ++i) {
        CaseTuning& each = done[i];
        std::vector<Tried> raced = raced_on(job, each.tuning, all, done.size() - i);
        if (job.time.cut().stop_requested() || !job.worker.alive()) return {};
        job.file.go_on(each.tuning.head.number);
        for (const Tried& tried : raced) {
            if (Result<void> written = job.file.append(tried, TriedLine::across); !written) return written;
        }
        each.tuning.across = std::move(raced);
    }
    return {};
}

}  // namespace kernelgen
