// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/session/strategy_actions.h"

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/session/session.h"
#include "core/strategy/catalogue.h"

namespace kernelgen::studio {

StrategyActions::StrategyActions(Session& session) : session_(session) {
    connect(&session, &Session::selectedRoundChanged, this,
            [this] { session_.diagnoses().show(session_.selectedRound()); });
    connect(&session.rounds(), &RoundStore::changed, this,
            [this] { session_.story().recall(session_.rounds().history().rounds); });
    connect(&session.engine(), &Engine::optimizationProgressed, this,
            [this](const std::shared_ptr<const OptimizationNews>& news) {
                session_.story().take(*news);
                session_.rounds().reload();
                session_.selectRound(news->recorded.number);
            });
    connect(&session.engine(), &Engine::optimizationFinished, this, &StrategyActions::take);
}

/// Why nothing can be applied to a round now; "" where something may.
QString StrategyActions::whyNothingIsApplied(const RoundDetail& before) const {
    if (session_.engine().isRunning()) return tr("Something runs: wait for its end, or stop it (Ctrl+.)");
    if (const Diagnostics wrong = session_.obstacles(); !wrong.empty()) return inWords(wrong);
    const Round& round = before.round;
    if (toQt(round.device) != session_.device())
        return tr("Round %1 was made on %2: choose that device in the toolbar")
            .arg(round.number)
            .arg(toQt(round.device));
    if (session_.document().project().find_variant(round.variant) == nullptr)
        return tr("The project has no variant `%1` any more").arg(toQt(round.variant));
    if (before.definition != session_.document().project().definition)
        return tr("The operator was changed since round %1: make a round of it as it is now (F5)").arg(round.number);
    return {};
}

QString StrategyActions::whyNotApplied(const RoundDetail& before, const Proposal& proposal) const {
    const QString why = whyNothingIsApplied(before);
    if (!why.isEmpty()) return why;
    const auto* other = std::get_if<OtherVariant>(&proposal.change);
    const bool adds =
        other != nullptr && session_.document().project().find_variant(other->generated.variant.name) == nullptr;
    return adds && session_.document().isModified()
               ? tr("It adds a variant to the project: save your changes first (Ctrl+S)")
               : QString();
}

void StrategyActions::apply(std::shared_ptr<const RoundDetail> before, const Proposal& proposal) {
    if (const QString why = whyNotApplied(*before, proposal); !why.isEmpty()) return emit session_.refused(why);
    RunOptions options;
    options.device = before->round.device;
    options.variant = before->round.variant;
    options.timeout_seconds = session_.settings().callTimeoutSeconds();
    options.explain = true;
    Validated<RunPlan> plan = plan_run(session_.document().project(), options);
    if (!plan) return emit session_.refused(inWords(plan.error()));
    if (const Result<void> taken = session_.takeTexts(*plan); !taken)
        return emit session_.refused(inWords(taken.error().message));
    session_.log().add(Severity::information,
                       tr("Apply to round %1: %2").arg(before->round.number).arg(toQt(proposal.line)));
    session_.engine().startApplied({std::move(*plan), std::move(before), proposal});
}

QString StrategyActions::whyNotOptimized() const {
    if (session_.engine().isRunning()) return tr("Something runs: wait for its end, or stop it (Ctrl+.)");
    if (const Diagnostics wrong = session_.obstacles(); !wrong.empty()) return inWords(wrong);
    return session_.variant() == nullptr ? tr("No variant runs on %1").arg(session_.device()) : QString();
}

void StrategyActions::optimize(OptimizeOptions options) {
    if (const QString why = whyNotOptimized(); !why.isEmpty()) return emit session_.refused(why);
    if (const Result<void> saved = session_.document().save(); !saved)
        return emit session_.refused(inWords(saved.error().message));
    options.run.device = session_.device().toStdString();
    options.run.variant = session_.variantName().toStdString();
    options.run.timeout_seconds = session_.settings().callTimeoutSeconds();
    options.run.explain = true;
    Validated<OptimizePlan> plan = plan_optimization(session_.document().project(), options);
    if (!plan) return emit session_.refused(inWords(plan.error()));
    session_.log().add(Severity::information,
                       tr("Optimise: %1 on %2").arg(toQt(plan->run.candidate.variant.name), session_.device()));
    session_.story().begin(*plan);
    session_.engine().startOptimization(std::move(*plan));
}

void StrategyActions::take(const OptimizationEnd& end) {
    session_.story().finish(end);
    const bool done = end.done && end.problem.isEmpty();
    session_.log().add(done ? Severity::success : Severity::error,
                       tr("The optimisation ended: %1").arg(session_.story().reason()));
    for (const QString& each : session_.story().warnings())
        session_.log().add(Severity::warning, tr("Not applied: %1").arg(each));
    session_.rounds().reload();
    if (session_.story().best()) session_.selectRound(session_.story().best());
}

}  // namespace kernelgen::studio
