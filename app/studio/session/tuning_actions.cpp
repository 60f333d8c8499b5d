// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/session/tuning_actions.h"

#include <algorithm>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/document/literals.h"
#include "app/studio/session/session.h"
#include "core/project/by_case.h"
#include "core/tuning/resume.h"

namespace kernelgen::studio {

namespace {

Severity severityOf(TuningOutcome::Kind kind) {
    return kind == TuningOutcome::Kind::failed ? Severity::error : Severity::success;
}

/// The sources as they were when the tuning began. A look at a configuration moves the literals of a Python source:
/// they are put back. Errors: something else was edited.
Result<void> putLiteralsBack(Implementation& candidate, const TuningHead& head, const Literals& literals) {
    if (hash_of_sources(candidate) == head.source_hash) return {};
    candidate.text = edited(candidate.text, literals.edits(candidate.variant, head.incumbent));
    if (hash_of_sources(candidate) == head.source_hash) return {};
    return fail(
        TuningActions::tr("The source was edited since the tuning began: undo that, or start another").toStdString());
}

}  // namespace

TuningActions::TuningActions(Session& session) : session_(session) {
    connect(&session.engine(), &Engine::tuningProgressed, this,
            [this](const std::shared_ptr<const TuningNews>& news) { session_.tunings().take(*news); });
    connect(&session.engine(), &Engine::tuningFinished, this, &TuningActions::take);
    connect(&session.tunings(), &Tunings::changed, this, &TuningActions::recallChoices);
    connect(&session.tunings(), &Tunings::failed, this,
            [this](const QString& why) { session_.log().add(Severity::warning, why); });
}

void TuningActions::recallChoices() {
    const std::shared_ptr<const Tuning> last = session_.tunings().shown();
    if (last == nullptr || !session_.tunings().canContinue()) return;
    const Variant* own = session_.document().project().find_variant(last->head.variant);
    if (own != nullptr) session_.tuningChoices().recall(last->head, *own);
}

void TuningActions::tune(TuneOptions options) {
    if (session_.engine().isRunning()) return;
    if (const Diagnostics wrong = session_.obstacles(); !wrong.empty()) return emit session_.refused(inWords(wrong));
    options.run.device = session_.device().toStdString();
    options.run.variant = session_.variantName().toStdString();
    options.run.timeout_seconds = session_.settings().callTimeoutSeconds();
    options.keeps_winner = false;  // which is the user's to adopt
    if (const Variant* chosen = session_.variant()) options.chosen = session_.tuningChoices().of(*chosen);
    const TakeTexts take_texts = [this](RunPlan& run, const TuningHead& head) {
        const Result<void> taken = session_.takeTexts(run);
        return taken ? putLiteralsBack(run.candidate, head, session_.document().literals()) : taken;
    };
    Validated<TunePlan> plan = options.resume ? plan_resumed(session_.document().project(), options, take_texts)
                                              : plan_tuning(session_.document().project(), options);
    if (!plan) return emit session_.refused(inWords(plan.error()));
    session_.tuningChoices().keep();
    if (!options.resume) {
        if (const Result<void> taken = session_.takeTexts(plan->run); !taken)
            return emit session_.refused(inWords(taken.error().message));
    }
    const QString variant = toQt(plan->run.candidate.variant.name), device = toQt(plan->run.options.device);
    if (plan->resumed) session_.tunings().show(*plan->resumed);
    session_.log().add(Severity::information, options.resume ? tr("Tuning goes on: %1 on %2").arg(variant, device)
                                                             : tr("Tune: %1 on %2").arg(variant, device));
    session_.engine().startTuning(std::move(*plan));
}

void TuningActions::take(const TuningEnd& end) {
    session_.tunings().finish(end);
    if (!end.problem.isEmpty()) session_.log().add(Severity::error, tr("Tuning: %1").arg(end.problem));
    std::optional<int> round;
    for (const CaseTuning& each : end.cases) {
        if (each.round) round = each.round->round.number;
        if (!each.tuning.outcome) continue;
        const TuningOutcome& outcome = *each.tuning.outcome;
        session_.log().add(severityOf(outcome.kind),
                           tr("Tuning %1, %2: %3. %4")
                               .arg(each.tuning.head.number)
                               .arg(toQt(to_string(outcome.kind)))
                               .arg(configurationText(outcome.configuration), inWords(outcome.reason)));
        for (const std::string& left : outcome.left_out)
            session_.log().add(Severity::warning, tr("Left out for want of time: %1").arg(inWords(left)));
    }
    if (end.stopped) session_.log().add(Severity::information, tr("The tuning was paused: Continue goes on with it"));
    if (!round) return;
    session_.rounds().reload();
    session_.selectRound(round);
}

/// Adopts a configuration. In a variant with rules by case, only the tuning's case gets it. False where that is
/// refused.
bool TuningActions::adoptOnCase(const Tuning& tuning, const Configuration& configuration) {
    const TuningHead& head = tuning.head;
    const Variant& variant = *session_.document().project().find_variant(head.variant);
    const QString text = tr("adopt from tuning %1").arg(head.number);
    if (variant.configurations.empty()) {
        session_.document().setTunables(text, head.variant, configuration);
        return true;
    }
    if (is_python(variant.language)) {
        emit session_.refused(
            tr("%1 has rules for several cases, which its source states too: change them in project.json")
                .arg(toQt(head.variant)));
        return false;
    }
    session_.document().edit(text, [&](Project& project) {
        Variant& edited = *std::ranges::find(project.variants, head.variant, &Variant::name);
        Configuration base = configuration_of(edited);
        adopt_on(base, edited.configurations, head.binding, device_of(head), configuration);
        for (Tunable& each : edited.tunables) each.value = base.at(each.name);
    });
    return true;
}

void TuningActions::adopt(const Configuration& configuration) {
    const std::shared_ptr<const Tuning> tuning = session_.tunings().shown();
    if (!tuning) return;
    const std::string& variant = tuning->head.variant;
    if (session_.document().project().find_variant(variant) == nullptr)
        return emit session_.refused(tr("the project has no variant `%1` any more").arg(toQt(variant)));
    if (!adoptOnCase(*tuning, configuration)) return;
    const Result<void> saved = session_.document().save();
    session_.log().add(
        saved ? Severity::success : Severity::error,
        saved ? tr("Adopted from tuning %1: %2").arg(tuning->head.number).arg(configurationText(configuration))
              : inWords(saved.error().message));
}

void TuningActions::adoptRules() {
    const Result<void> begun = session_.rules().adopt(session_.settings().callTimeoutSeconds());
    if (!begun) emit session_.refused(inWords(begun.error().message));
}

}  // namespace kernelgen::studio
