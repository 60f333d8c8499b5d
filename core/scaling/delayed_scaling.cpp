// SPDX-License-Identifier: Apache-2.0
#include "core/scaling/delayed_scaling.h"

#include <algorithm>
#include <numeric>

namespace kernelgen {
namespace {

void follow_amax(double& average, double amax, double smoothing) {
    if (amax == 0) return;
    average = average == 0 ? amax : smoothing * average + (1 - smoothing) * amax;
}

bool is_above_recent(const AmaxHistory& history, double amax) {
    if (history.recent.size() < anomaly_steps) return false;
    const double sum = std::accumulate(history.recent.begin(), history.recent.end(), 0.0);
    return amax > anomaly_factor * sum / static_cast<double>(anomaly_steps);
}

double share_of_count(std::int64_t part, std::int64_t all) {
    return all == 0 ? 0 : static_cast<double>(part) / static_cast<double>(all);
}

}  // namespace

DelayedStep observe(AmaxHistory& history, const AmaxStep& step, const DelayedRule& rule) {
    DelayedStep told{.step = step.step, .amax = step.amax, .covered = step.amax};
    told.is_first = history.average == 0;
    if (!told.is_first) {
        told.covered = rule.margin * history.average;
        told.is_clipped = step.amax > told.covered;
        for (std::size_t i = 0; i < step.channels.size() && i < history.channels.size(); ++i) {
            const double covered = rule.margin * history.channels[i];
            told.clipped_channels += history.channels[i] > 0 && step.channels[i] > covered ? 1 : 0;
        }
    }
    told.is_anomaly = is_above_recent(history, step.amax);
    ++history.steps;
    follow_amax(history.average, step.amax, rule.smoothing);
    if (!step.channels.empty()) history.channels.resize(step.channels.size());
    for (std::size_t i = 0; i < step.channels.size(); ++i)
        follow_amax(history.channels[i], step.channels[i], rule.smoothing);
    if (history.recent.size() == anomaly_steps) history.recent.erase(history.recent.begin());
    history.recent.push_back(step.amax);
    return told;
}

std::int64_t DelayedRun::judged() const { return std::ranges::count(steps, false, &DelayedStep::is_first); }
std::int64_t DelayedRun::clipped() const { return std::ranges::count(steps, true, &DelayedStep::is_clipped); }
std::int64_t DelayedRun::anomalies() const { return std::ranges::count(steps, true, &DelayedStep::is_anomaly); }
double DelayedRun::clip_ratio() const { return share_of_count(clipped(), judged()); }

double DelayedRun::channel_clip_ratio() const {
    std::int64_t all = 0;
    for (const DelayedStep& each : steps) all += each.clipped_channels;
    return share_of_count(all, channels * judged());
}

DelayedRun follow(AmaxHistory& history, const std::vector<AmaxStep>& steps, const DelayedRule& rule) {
    DelayedRun run;
    for (const AmaxStep& each : steps) {
        run.channels = static_cast<std::int64_t>(each.channels.size());
        const DelayedStep& told = run.steps.emplace_back(observe(history, each, rule));
        if (!told.is_first && !told.is_anomaly)
            run.needed_margin = std::max(run.needed_margin, rule.margin * told.amax / told.covered);
    }
    return run;
}

}  // namespace kernelgen
