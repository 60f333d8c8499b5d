// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tuning/tuning_words.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/metric_words.h"
#include "app/studio/application/text.h"
#include "app/studio/charts/chart_style.h"
#include "app/studio/charts/number_text.h"
#include "app/studio/rounds/words.h"

namespace kernelgen::studio {

namespace {

struct TuningWords {
    Q_DECLARE_TR_FUNCTIONS(TuningWords)
};

QString clockText(double seconds) {
    const int whole = static_cast<int>(std::max(0.0, seconds));
    return QStringLiteral("%1:%2").arg(whole / 60).arg(whole % 60, 2, 10, QChar('0'));
}

/// Seconds until the budget is spent, or until nothing is left to try at the present rate.
double secondsLeft(const TuneState& state) {
    const double until_budget = state.budget_seconds - state.elapsed_seconds;
    if (state.tried == 0) return until_budget;
    return std::min(until_budget, static_cast<double>(state.left) * state.elapsed_seconds / state.tried);
}

QString resourcesText(const Tried& tried) {
    QStringList parts;
    for (const Metric* metric : {&metrics::registers, &metrics::stack_bytes}) {
        const auto found = tried.resources.find(metric->name);
        if (found != tried.resources.end()) parts << titleOf(*metric) + ' ' + valueOf(*metric, found->second);
    }
    if (tried.memory_bytes > 0) parts << TuningWords::tr("memory %1").arg(bytesText(tried.memory_bytes));
    if (tried.energy_joules > 0) parts << TuningWords::tr("energy %1").arg(joulesText(tried.energy_joules));
    return parts.join(QStringLiteral(" · "));
}

}  // namespace

QString objectiveTitle(const TuningHead& head) {
    return head.objective == "time" ? TuningWords::tr("Time of one call")
                                    : TuningWords::tr("Objective: %1").arg(toQt(head.objective));
}

QString objectiveBrief(const TuningHead& head) {
    return head.objective == "time" ? TuningWords::tr("Time") : TuningWords::tr("Objective");
}

QString objectiveText(const TuningHead& head, double value) {
    return head.objective == "time" ? secondsText(value) : threeDigits(value);
}

QString tipOfTried(const Tuning& tuning, std::size_t row) {
    const Tried& tried = tuning.tried[row];
    QStringList lines{configurationText(tried.configuration)};
    if (tried.is_ok()) {
        const bool is_time = tuning.head.objective == "time";  // as the table and the charts have it
        lines << TuningWords::tr("%1, %2 as fast as the present configuration")
                     .arg(secondsText(is_time ? tried.objective : tried.seconds),
                          ratioText(tried.ratio > 0 ? 1 / tried.ratio : 0));
        if (!is_time)
            lines << objectiveTitle(tuning.head) + QStringLiteral(" = ") + objectiveText(tuning.head, tried.objective);
        if (tried.left) lines << TuningWords::tr("clearly slower than the best before it, and sampled no further");
    } else {
        lines << inWords(tried.status, tried.reason).section('\n', 0, 2);
    }
    lines << TuningWords::tr("number %1, after %2; built in %3")
                 .arg(row + 1)
                 .arg(secondsText(tried.elapsed_seconds), secondsText(tried.build_seconds));
    if (const QString resources = resourcesText(tried); !resources.isEmpty()) lines << resources;
    return lines.join('\n');
}

const Tried* bestOf(const Tuning& tuning) {
    const Tried* best = nullptr;
    for (const Tried& each : tuning.tried) {
        if (each.is_ok() && (best == nullptr || each.objective < best->objective)) best = &each;
    }
    return best;
}

const Configuration* recommendedBy(const Tuning& tuning) {
    if (tuning.outcome && tuning.outcome->kind != TuningOutcome::Kind::failed) return &tuning.outcome->configuration;
    const Tried* best = bestOf(tuning);
    return best == nullptr ? nullptr : &best->configuration;
}

QString describe(const Tuning& tuning) {
    const TuningHead& head = tuning.head;
    const auto failed = std::ranges::count_if(tuning.tried, [](const Tried& each) { return !each.is_ok(); });
    return TuningWords::tr("%1 on %2, %3: %4 of %5 configurations tried, %6 failed, %7 pruned")
        .arg(toQt(head.variant), toQt(head.device), caseText(head.binding))
        .arg(tuning.tried.size())
        .arg(head.configurations)
        .arg(failed)
        .arg(count_of(head.pruned));
}

QString outcomeText(const Tuning& tuning) {
    if (!tuning.outcome) return TuningWords::tr("Not ended: Continue goes on with it");
    const TuningOutcome& outcome = *tuning.outcome;
    if (outcome.kind == TuningOutcome::Kind::failed) return TuningWords::tr("Failed: %1").arg(inWords(outcome.reason));
    const QString kind = outcome.kind == TuningOutcome::Kind::winner ? TuningWords::tr("Winner")
                         : outcome.is_decided                        ? TuningWords::tr("Tie")
                                                                     : TuningWords::tr("Not decided");
    return QStringLiteral("%1: %2 (%3)").arg(kind, configurationText(outcome.configuration), inWords(outcome.reason));
}

QStringList leftOutTexts(const Tuning& tuning) {
    QStringList texts;
    for (const Said& each : tuning.outcome ? tuning.outcome->left_out : std::vector<Said>())
        texts << TuningWords::tr("Left out for want of time: %1").arg(inWords(each));
    return texts;
}

QString optionsText(const TuningHead& head) {
    QStringList parts{TuningWords::tr("strategy %1, seed %2").arg(toQt(head.strategy)).arg(head.seed),
                      TuningWords::tr("budget %1").arg(secondsText(head.budget_seconds))};
    if (head.evaluations) parts << TuningWords::tr("at most %1 configurations").arg(*head.evaluations);
    return parts.join(QStringLiteral(", "));
}

QString prunedText(const TuningHead& head) {
    QStringList lines;
    for (const Pruned& each : head.pruned) {
        const QString text =
            each.is_estimate ? TuningWords::tr("never tried: about %1 (%2)") : TuningWords::tr("never tried: %1 (%2)");
        lines << text.arg(each.count).arg(inWords(each.reason));
    }
    return lines.join('\n');
}

QString stateText(const TuneState& state) {
    QStringList parts{stageInWords(toQt(state.stage)) + QStringLiteral(" ") + toQt(state.case_name)};
    if (state.budget_seconds == 0) return parts.front();
    parts << TuningWords::tr("%1 tried").arg(state.tried);
    if (state.failed > 0) parts << TuningWords::tr("%1 failed").arg(state.failed);
    if (state.pruned > 0) parts << TuningWords::tr("%1 pruned").arg(state.pruned);
    parts << TuningWords::tr("%1 left").arg(state.left);
    if (state.best_seconds > 0) {
        QString best = TuningWords::tr("best %1").arg(secondsText(state.best_seconds));
        if (state.incumbent_seconds > 0)
            best += QStringLiteral(" (%1)").arg(ratioText(state.incumbent_seconds / state.best_seconds));
        parts << best;
    }
    parts << TuningWords::tr("%1 to go").arg(clockText(secondsLeft(state)));
    return parts.join(QStringLiteral(" · "));
}

}  // namespace kernelgen::studio
