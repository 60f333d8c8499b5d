// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/session/optimization_story.h"

#include <algorithm>
#include <ranges>

#include "app/studio/application/engine_words.h"
#include "core/round/best.h"

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

void OptimizationStory::clear() {
    running_ = followed_ = false;
    most_rounds_ = 0;
    rounds_.clear();
    next_.reset();
    reason_.clear();
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
    reason_ = end.problem;
    if (end.done) {
        const Optimization& done = *end.done;
        reason_ = endingInWords(done.reason.id);
        if (!done.rounds.empty() || done.best > 0) best_ = done.best;
        for (const Said& each : done.warnings) warnings_ << inWords(each);
    }
    emit changed();
}

void OptimizationStory::recall(const std::vector<Round>& history) {
    if (followed_) return;
    std::vector<Round> rounds = lastOptimization(history);
    if (rounds.empty()) return;
    rounds_ = std::move(rounds);
    reason_ = endingInWords(rounds_.back().applied->ended);
    const auto speed = [](const Round& each) {
        const RoundCase* deciding = deciding_case(each);
        return deciding == nullptr ? 0.0 : deciding->speedup;
    };
    best_ = std::ranges::max_element(rounds_, {}, speed)->number;
    emit changed();
}

}  // namespace kernelgen::studio
