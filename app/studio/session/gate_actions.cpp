// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/session/gate_actions.h"

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/session/session.h"

namespace kernelgen::studio {

GateActions::GateActions(Session& session) : session_(session) {
    const auto show = [this] {
        const ProjectDocument& document = session_.document();
        session_.gates().show(document.isOpen() ? document.folder() : QString(), session_.variantName(),
                              session_.device());
    };
    connect(&session.document(), &ProjectDocument::opened, &session.gates(), show);
    connect(&session, &Session::variantChanged, &session.gates(), show);
    connect(&session.engine(), &Engine::gateFinished, this, &GateActions::take);
}

QString GateActions::whyNotRecorded() const {
    if (session_.engine().isRunning()) return tr("Something runs: wait for its end, or stop it (Ctrl+.)");
    if (const Diagnostics wrong = session_.obstacles(); !wrong.empty()) return inWords(wrong);
    return session_.variant() == nullptr ? tr("No variant runs on %1").arg(session_.device()) : QString();
}

QString GateActions::whyNotChecked() const {
    if (const QString why = whyNotRecorded(); !why.isEmpty()) return why;
    const bool stored = session_.gates().gate() && session_.gates().gate()->stored;
    return stored ? QString() : tr("Nothing is stored to compare with: record a round first");
}

void GateActions::record() {
    if (const QString why = whyNotRecorded(); !why.isEmpty()) return emit session_.refused(why);
    Validated<RunPlan> made = session_.plan();
    if (!made) return emit session_.refused(inWords(made.error()));
    session_.log().add(Severity::information,
                       tr("Gate: record %1 on %2").arg(session_.variantName(), session_.device()));
    session_.engine().startGateRecord(std::move(*made));
}

void GateActions::check(std::optional<double> threshold) {
    if (const QString why = whyNotChecked(); !why.isEmpty()) return emit session_.refused(why);
    Validated<RunPlan> made = session_.plan();
    if (!made) return emit session_.refused(inWords(made.error()));
    session_.log().add(Severity::information,
                       tr("Gate: check %1 on %2").arg(session_.variantName(), session_.device()));
    session_.engine().startGateCheck(std::move(*made), *session_.gates().gate()->stored, {.threshold = threshold});
}

/// A round that was run for it is told like any other, by `runFinished`.
void GateActions::take(const GateEnd& end) {
    if (!end.problem.isEmpty()) session_.log().add(Severity::error, tr("Gate: %1").arg(end.problem));
    else if (end.stored)
        session_.log().add(Severity::success,
                           tr("Gate: round %1 is the stored baseline of %2 on %3")
                               .arg(end.stored->round)
                               .arg(toQt(end.stored->implementation.variant.name), toQt(end.stored->device)));
    session_.gates().reload();
}

}  // namespace kernelgen::studio
