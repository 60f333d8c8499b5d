// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a session that is about the gate.
#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/session/session.h"

namespace kernelgen::studio {

void Session::followGate() {
    const auto show = [this] { gates_.show(document_.isOpen() ? document_.folder() : QString(), variant_, device_); };
    connect(&document_, &ProjectDocument::opened, &gates_, show);
    connect(this, &Session::variantChanged, &gates_, show);
    connect(&engine_, &Engine::gateFinished, this, &Session::takeGate);
}

QString Session::whyNotGated() const {
    if (engine_.isRunning()) return tr("Something runs: wait for its end, or stop it (Ctrl+.)");
    if (const Diagnostics wrong = obstacles(); !wrong.empty()) return inWords(wrong);
    return variant() == nullptr ? tr("No variant runs on %1").arg(device_) : QString();
}

QString Session::whyNotChecked() const {
    if (const QString why = whyNotGated(); !why.isEmpty()) return why;
    const bool stored = gates_.gate() && gates_.gate()->stored;
    return stored ? QString() : tr("Nothing is stored to compare with: record a round first");
}

void Session::recordGate() {
    if (const QString why = whyNotGated(); !why.isEmpty()) return emit refused(why);
    Validated<RunPlan> made = plan();
    if (!made) return emit refused(inWords(made.error()));
    log_.add(Severity::information, tr("Gate: record %1 on %2").arg(variant_, device_));
    engine_.startGateRecord(std::move(*made));
}

void Session::checkGate(std::optional<double> threshold) {
    if (const QString why = whyNotChecked(); !why.isEmpty()) return emit refused(why);
    Validated<RunPlan> made = plan();
    if (!made) return emit refused(inWords(made.error()));
    log_.add(Severity::information, tr("Gate: check %1 on %2").arg(variant_, device_));
    engine_.startGateCheck(std::move(*made), *gates_.gate()->stored, {.threshold = threshold});
}

/// A round that was run for it is told like any other, by `runFinished`.
void Session::takeGate(const GateEnd& end) {
    if (!end.problem.isEmpty()) log_.add(Severity::error, tr("Gate: %1").arg(end.problem));
    else if (end.stored)
        log_.add(Severity::success, tr("Gate: round %1 is the stored baseline of %2 on %3")
                                        .arg(end.stored->round)
                                        .arg(toQt(end.stored->implementation.variant.name), toQt(end.stored->device)));
    gates_.reload();
}

}  // namespace kernelgen::studio
