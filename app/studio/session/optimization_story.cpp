// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/session/optimization_story.h"

#include <algorithm>
#include <ranges>

#include "app/studio/application/engine_words.h"
#include "core/optimize/optimize.h"

namespace kernelgen::studio {

namespace {

/// Ends with the last round of `history` that ended an optimization, and begins with the round that it set out from.
std::vector<Round> lastOptimization(const std::vector<Round>& history) {
    const auto ended = [](const Round& each) { return each.applied && !each.applied->ended.empty(); };
    const auto last = std::ranges::find_if(history | std::views::reverse, ended);
    if (last == history.rend()) return {};
    const auto is_start = [](const Round& each) { return !each.applied; };
    const auto start = std::find_if(last, history.rend(), is_start);
    if (start == history.rend()) return {};
    return {std::prev(start.base()), last.base()};
}

}  // namespace

QString OptimizationStory::reason() const { return ended_.empty() ? problem_ : endingInWords(ended_); }

QStringList OptimizationStory::warnings() const {
    QStringList warnings;
    for (const Said& each : warnings_) warnings << inWords(each);
    return warnings;
}

void OptimizationStory::clear() {
    running_ = followed_ = false;
    most_rounds_ = 0;
    rounds_.clear();
    next_.reset();
    ended_.clear();
    problem_.clear();
    best_.reset();
    warnings_.clear();
    emit changed();
}

void OptimizationStory::begin(const OptimizePlan& plan) {
    clear();
    running_ = followed_ = true;
    most_rounds_ = plan.options.rounds;
    emit changed();
}

void OptimizationStory::take(const OptimizationNews& news) {
    rounds_.push_back(news.recorded);
    next_ = news.next;
    emit changed();
}

void OptimizationStory::finish(const OptimizationEnd& end) {
    running_ = false;
    next_.reset();
    problem_ = end.problem;
    if (end.done) {
        const Optimization& done = *end.done;
        ended_ = done.reason.id;
        if (!done.rounds.empty() || done.best > 0) best_ = done.best;
        warnings_ = done.warnings;
    }
    emit changed();
}

void OptimizationStory::recall(const std::vector<Round>& history) {
    if (followed_) return;
    std::vector<Round> rounds = lastOptimization(history);
    if (rounds.empty()) return;
    rounds_ = std::move(rounds);
    ended_ = rounds_.back().applied->ended;
    const Round* best = &rounds_.front();
    for (const Round& each : rounds_) {
        if (is_improvement(each, *best)) best = &each;
    }
    best_ = best->number;
    emit changed();
}

}  // namespace kernelgen::studio
