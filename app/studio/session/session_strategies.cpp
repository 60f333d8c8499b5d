// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a session that is about diagnosis, strategies and the loop.
#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/session/session.h"
#include "core/strategy/catalogue.h"

namespace kernelgen::studio {

void Session::followStrategies() {
    connect(this, &Session::selectedRoundChanged, &diagnoses_, [this] { diagnoses_.show(selected_round_); });
    connect(&rounds_, &RoundStore::changed, &story_, [this] { story_.recall(rounds_.history().rounds); });
    connect(&engine_, &Engine::optimizationProgressed, this,
            [this](const std::shared_ptr<const OptimizationNews>& news) {
                story_.take(*news);
                rounds_.reload();
                selectRound(news->recorded.number);
            });
    connect(&engine_, &Engine::optimizationFinished, this, &Session::takeOptimization);
}

/// Why nothing can be applied to a round now; "" where something may.
QString Session::whyNothingIsApplied(const RoundDetail& before) const {
    if (engine_.isRunning()) return tr("Something runs: wait for its end, or stop it (Ctrl+.)");
    if (const Diagnostics wrong = obstacles(); !wrong.empty()) return inWords(wrong);
    const Round& round = before.round;
    if (toQt(round.device) != device_)
        return tr("Round %1 was made on %2: choose that device in the toolbar")
            .arg(round.number)
            .arg(toQt(round.device));
    if (document_.project().find_variant(round.variant) == nullptr)
        return tr("The project has no variant `%1` any more").arg(toQt(round.variant));
    if (before.definition != document_.project().definition)
        return tr("The operator was changed since round %1: make a round of it as it is now (F5)").arg(round.number);
    return {};
}

QString Session::whyNotApplied(const RoundDetail& before, const Proposal& proposal) const {
    const QString why = whyNothingIsApplied(before);
    if (!why.isEmpty()) return why;
    const auto* other = std::get_if<OtherVariant>(&proposal.change);
    const bool adds = other != nullptr && document_.project().find_variant(other->generated.variant.name) == nullptr;
    return adds && document_.isModified() ? tr("It adds a variant to the project: save your changes first (Ctrl+S)")
                                          : QString();
}

void Session::apply(std::shared_ptr<const RoundDetail> before, const Proposal& proposal) {
    if (const QString why = whyNotApplied(*before, proposal); !why.isEmpty()) return emit refused(why);
    RunOptions options;
    options.device = before->round.device;
    options.variant = before->round.variant;
    options.timeout_seconds = settings_.callTimeoutSeconds();
    options.explain = true;
    Validated<RunPlan> plan = plan_run(document_.project(), options);
    if (!plan) return emit refused(inWords(plan.error()));
    if (const Result<void> taken = takeTexts(*plan); !taken) return emit refused(inWords(taken.error().message));
    log_.add(Severity::information, tr("Apply to round %1: %2").arg(before->round.number).arg(toQt(proposal.line)));
    engine_.startApplied({std::move(*plan), std::move(before), proposal});
}

QString Session::whyNotOptimized() const {
    if (engine_.isRunning()) return tr("Something runs: wait for its end, or stop it (Ctrl+.)");
    if (const Diagnostics wrong = obstacles(); !wrong.empty()) return inWords(wrong);
    return variant() == nullptr ? tr("No variant runs on %1").arg(device_) : QString();
}

void Session::optimize(OptimizeOptions options) {
    if (const QString why = whyNotOptimized(); !why.isEmpty()) return emit refused(why);
    if (const Result<void> saved = document_.save(); !saved) return emit refused(inWords(saved.error().message));
    options.run.device = device_.toStdString();
    options.run.variant = variant_.toStdString();
    options.run.timeout_seconds = settings_.callTimeoutSeconds();
    options.run.explain = true;
    Validated<OptimizePlan> plan = plan_optimization(document_.project(), options);
    if (!plan) return emit refused(inWords(plan.error()));
    log_.add(Severity::information, tr("Optimise: %1 on %2").arg(toQt(plan->run.candidate.variant.name), device_));
    story_.begin(*plan);
    engine_.startOptimization(std::move(*plan));
}

void Session::takeOptimization(const OptimizationEnd& end) {
    story_.finish(end);
    const bool done = end.done && end.problem.isEmpty();
    log_.add(done ? Severity::success : Severity::error, tr("The optimisation ended: %1").arg(story_.reason()));
    for (const QString& each : story_.warnings()) log_.add(Severity::warning, tr("Not applied: %1").arg(each));
    rounds_.reload();
    if (story_.best()) selectRound(story_.best());
}

}  // namespace kernelgen::studio
