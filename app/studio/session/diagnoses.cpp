// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/session/diagnoses.h"

#include <QtConcurrentRun>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "core/diagnose/diagnose.h"
#include "core/optimize/optimize.h"

namespace kernelgen::studio {

namespace {

/// `problem`: why there is no detail.
FoundCauses causesOf(const std::shared_ptr<const RoundDetail>& detail, const QString& problem) {
    FoundCauses found{.detail = detail, .cases = {}, .book = {}, .problem = problem};
    Validated<RuleBook> book = load_rules();
    if (!book) {
        found.problem = toQt(book.error());
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
    QtConcurrent::run([detail, problem] {
        return std::make_shared<const FoundCauses>(causesOf(detail, problem));
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
