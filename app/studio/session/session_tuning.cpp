// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a session that is about tuning.
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
    return fail(Session::tr("The source was edited since the tuning began: undo that, or start another").toStdString());
}

}  // namespace

void Session::tune(TuneOptions options) {
    if (engine_.isRunning()) return;
    if (const Diagnostics wrong = obstacles(); !wrong.empty()) return emit refused(inWords(wrong));
    options.run.device = device_.toStdString();
    options.run.variant = variant_.toStdString();
    options.run.timeout_seconds = settings_.callTimeoutSeconds();
    options.keeps_winner = false;  // which is the user's to adopt
    if (const Variant* chosen = variant()) options.chosen = tuning_choices_.of(*chosen);
    const TakeTexts take_texts = [this](RunPlan& run, const TuningHead& head) {
        const Result<void> taken = takeTexts(run);
        return taken ? putLiteralsBack(run.candidate, head, document_.literals()) : taken;
    };
    Validated<TunePlan> plan = options.resume ? plan_resumed(document_.project(), options, take_texts)
                                              : plan_tuning(document_.project(), options);
    if (!plan) return emit refused(inWords(plan.error()));
    tuning_choices_.keep();
    if (!options.resume) {
        if (const Result<void> taken = takeTexts(plan->run); !taken)
            return emit refused(inWords(taken.error().message));
    }
    const QString variant = toQt(plan->run.candidate.variant.name), device = toQt(plan->run.options.device);
    if (plan->resumed) tunings_.show(*plan->resumed);
    log_.add(Severity::information, options.resume ? tr("Tuning goes on: %1 on %2").arg(variant, device)
                                                   : tr("Tune: %1 on %2").arg(variant, device));
    engine_.startTuning(std::move(*plan));
}

void Session::takeTuning(const TuningEnd& end) {
    tunings_.finish(end);
    if (!end.problem.isEmpty()) log_.add(Severity::error, tr("Tuning: %1").arg(end.problem));
    std::optional<int> round;
    for (const CaseTuning& each : end.cases) {
        if (each.round) round = each.round->round.number;
        if (!each.tuning.outcome) continue;
        const TuningOutcome& outcome = *each.tuning.outcome;
        log_.add(severityOf(outcome.kind), tr("Tuning %1, %2: %3. %4")
                                               .arg(each.tuning.head.number)
                                               .arg(toQt(to_string(outcome.kind)))
                                               .arg(configurationText(outcome.configuration), inWords(outcome.reason)));
        for (const std::string& left : outcome.left_out)
            log_.add(Severity::warning, tr("Left out for want of time: %1").arg(inWords(left)));
    }
    if (end.stopped) log_.add(Severity::information, tr("The tuning was paused: Continue goes on with it"));
    if (!round) return;
    rounds_.reload();
    selectRound(round);
}

/// Adopts a configuration. In a variant with rules by case, only the tuning's case gets it. False where that is
/// refused.
bool Session::adoptOnCase(const Tuning& tuning, const Configuration& configuration) {
    const TuningHead& head = tuning.head;
    const Variant& variant = *document_.project().find_variant(head.variant);
    const QString text = tr("adopt from tuning %1").arg(head.number);
    if (variant.configurations.empty()) {
        document_.setTunables(text, head.variant, configuration);
        return true;
    }
    if (is_python(variant.language)) {
        emit refused(tr("%1 has rules for several cases, which its source states too: change them in project.json")
                         .arg(toQt(head.variant)));
        return false;
    }
    document_.edit(text, [&](Project& project) {
        Variant& edited = *std::ranges::find(project.variants, head.variant, &Variant::name);
        Configuration base = configuration_of(edited);
        adopt_on(base, edited.configurations, head.binding, device_of(head), configuration);
        for (Tunable& each : edited.tunables) each.value = base.at(each.name);
    });
    return true;
}

void Session::adopt(const Configuration& configuration) {
    const std::shared_ptr<const Tuning> tuning = tunings_.shown();
    if (!tuning) return;
    const std::string& variant = tuning->head.variant;
    if (document_.project().find_variant(variant) == nullptr)
        return emit refused(tr("the project has no variant `%1` any more").arg(toQt(variant)));
    if (!adoptOnCase(*tuning, configuration)) return;
    const Result<void> saved = document_.save();
    log_.add(saved ? Severity::success : Severity::error,
             saved ? tr("Adopted from tuning %1: %2").arg(tuning->head.number).arg(configurationText(configuration))
                   : inWords(saved.error().message));
}

void Session::adoptRules() {
    const Result<void> begun = rules_.adopt(settings_.callTimeoutSeconds());
    if (!begun) emit refused(inWords(begun.error().message));
}

}  // namespace kernelgen::studio
