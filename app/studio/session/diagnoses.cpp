// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/session/diagnoses.h"

#include <QtConcurrentRun>
#include <algorithm>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "core/diagnose/diagnose.h"
#include "core/optimize/optimize.h"
#include "core/round/best.h"

namespace kernelgen::studio {

namespace {

/// The best of the rounds that may be compared with this one.
const Round* bestBeside(const History& history, const Round& round) {
    for (const RoundGroup& group : groups_of(history)) {
        const bool is_in = std::ranges::contains(group, round.number, [](const Round* each) { return each->number; });
        if (is_in) return &best_of(group);
    }
    return nullptr;
}

void findBest(FoundCauses& found, const History& history, const std::string& folder) {
    const Round* best = bestBeside(history, found.detail->round);
    if (best == nullptr || best->number == found.detail->round.number) return;
    const Result<RoundDetail> detail = load_round_detail(folder, best->number);
    if (!detail) return;
    found.best = *best;
    for (const Diagnosis& each : found.cases) found.of_best.push_back(evidence_of(*detail, each.evidence.binding));
}

/// `problem`: why there is no detail.
FoundCauses causesOf(const std::shared_ptr<const RoundDetail>& detail, const QString& problem) {
    FoundCauses found{.detail = detail, .cases = {}, .best = {}, .of_best = {}, .book = {}, .problem = problem};
    Validated<RuleBook> book = load_rules();
    if (!book) {
        found.problem = inWords(book.error());
        return found;
    }
    found.book = std::move(*book);
    if (detail) found.cases = diagnose(*detail, found.book.rules);
    return found;
}

FoundStrategies strategiesOf(const Project& project, const RoundDetail& detail) {
    OptimizeOptions options;
    options.run.variant = detail.round.variant;
    options.run.device = detail.round.device;
    const Validated<OptimizePlan> plan = plan_optimization(project, options);
    if (!plan) return {.proposals = {}, .problem = inWords(plan.error())};
    return {.proposals = proposals_for(*plan, detail), .problem = {}};
}

}  // namespace

Diagnoses::Diagnoses(const ProjectDocument& document, RoundStore& rounds, QObject* parent)
    : QObject(parent), document_(document), rounds_(rounds) {
    connect(&rounds_, &RoundStore::detailLoaded, this, [this](int number) {
        if (number == round_ && !causes_) begin();
    });
}

void Diagnoses::show(std::optional<int> round) {
    if (round == round_) return;
    round_ = round;
    again();
}

void Diagnoses::again() {
    delete generation_;
    generation_ = new QObject(this);
    causes_.reset();
    strategies_.reset();
    emit changed();
    begin();
}

void Diagnoses::begin() {
    if (!round_) return;
    const std::shared_ptr<const RoundDetail> detail = rounds_.detail(*round_);
    const QString problem = rounds_.detailProblem(*round_);
    if (!detail && problem.isEmpty()) return;
    QtConcurrent::run([detail, problem, history = rounds_.sharedHistory(), folder = document_.project().folder] {
        auto found = std::make_shared<FoundCauses>(causesOf(detail, problem));
        if (!found->cases.empty()) findBest(*found, *history, folder);
        return std::shared_ptr<const FoundCauses>(std::move(found));
    }).then(generation_, [this](const std::shared_ptr<const FoundCauses>& found) { takeCauses(found); });
}

/// The causes are shown at once; strategies take longer, for models may be fitted to tunings.
void Diagnoses::takeCauses(std::shared_ptr<const FoundCauses> found) {
    causes_ = std::move(found);
    emit changed();
    if (causes_->cases.empty()) return;
    QtConcurrent::run([detail = causes_->detail, project = document_.project()] {
        return std::make_shared<const FoundStrategies>(strategiesOf(project, *detail));
    }).then(generation_, [this](const std::shared_ptr<const FoundStrategies>& strategies) {
        strategies_ = strategies;
        emit changed();
    });
}

}  // namespace kernelgen::studio
