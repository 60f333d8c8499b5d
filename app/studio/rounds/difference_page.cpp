// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <map>

#include "app/studio/application/metric_words.h"
#include "app/studio/application/text.h"
#include "app/studio/rounds/html_page.h"
#include "app/studio/rounds/round_pages.h"
#include "app/studio/rounds/words.h"
#include "core/report/log_sections.h"
#include "core/round/change.h"

namespace kernelgen::studio {

namespace {

struct DifferencePage {
    Q_DECLARE_TR_FUNCTIONS(DifferencePage)
};

/// What forbids comparing the two rounds' figures; "" where nothing does.
QString whyNotComparable(const Round& before, const Round& after) {
    QStringList reasons;
    if (before.device != after.device) {
        reasons << DifferencePage::tr("devices %1 and %2").arg(toQt(before.device), toQt(after.device));
    }
    if (before.baseline != after.baseline) {
        reasons << DifferencePage::tr("baselines %1 and %2").arg(toQt(before.baseline), toQt(after.baseline));
    }
    if (before.environment != after.environment) reasons << DifferencePage::tr("the environments");
    return reasons.join(", ");
}

/// One row a figure, the first with the case's name.
QList<QStringList> figureRows(const RoundCase& before, const RoundCase& after, bool comparable) {
    const auto row = [&](const QString& name, const Metric& metric, double was, double is) {
        const bool has_ratio = comparable && was > 0;
        return QStringList{name, titleOf(metric), valueOf(metric, was), valueOf(metric, is),
                           has_ratio ? QString::asprintf("%.3f×", is / was) : QStringLiteral("–")};
    };
    return {row(toQt(after.binding.name), metrics::speedup, before.speedup, after.speedup),
            row("", metrics::seconds, before.seconds, after.seconds),
            row("", metrics::bandwidth_gbps, before.roofline.bandwidth_gbps, after.roofline.bandwidth_gbps)};
}

void addFigures(HtmlPage& page, const Round& before, const Round& after) {
    page.heading(DifferencePage::tr("Figures"));
    const QString obstacle = whyNotComparable(before, after);
    QList<QStringList> rows;
    for (const RoundCase* timed : timed_cases(after)) {
        const RoundCase* earlier = timed_case(before, timed->binding);
        if (earlier != nullptr) rows << figureRows(*earlier, *timed, obstacle.isEmpty());
    }
    if (rows.isEmpty()) return page.paragraph(DifferencePage::tr("No case was timed in both rounds"));
    page.muted(obstacle.isEmpty() ? DifferencePage::tr("Comparable: same device, baseline and environment")
                                  : DifferencePage::tr("Not comparable: they differ in %1").arg(obstacle));
    page.table(
        {DifferencePage::tr("Case"), DifferencePage::tr("Figure"), DifferencePage::tr("Round %1").arg(before.number),
         DifferencePage::tr("Round %1").arg(after.number), DifferencePage::tr("Ratio")},
        rows, 2);
}

QList<QStringList> differenceRows(const std::vector<Difference>& differences) {
    const auto shown = [](const std::optional<std::string>& text) { return text ? toQt(*text) : QStringLiteral("–"); };
    QList<QStringList> rows;
    for (const Difference& each : differences) rows << QStringList{word(each), shown(each.before), shown(each.after)};
    return rows;
}

void addChange(HtmlPage& page, const RoundDetail& before, const RoundDetail& after) {
    const Change change = change_between(before.definition, before.candidate, after.definition, after.candidate);
    if (change.kind == ChangeKind::none) return page.paragraph(DifferencePage::tr("Nothing changed"));
    page.field(DifferencePage::tr("Kind of change"), word(change.kind));
    page.table({DifferencePage::tr("What"), DifferencePage::tr("Round %1").arg(before.round.number),
                DifferencePage::tr("Round %1").arg(after.round.number)},
               differenceRows(change.differences), 3);
    if (!change.body_difference.empty()) {
        page.heading(DifferencePage::tr("Body"));
        page.difference(toQt(change.body_difference));
    }
    std::map<std::string, std::string> differences = change.file_differences;
    if (!change.source_difference.empty()) differences[after.candidate.variant.source] = change.source_difference;
    for (const auto& [file, difference] : differences) {
        page.heading(DifferencePage::tr("Source %1").arg(toQt(file)));
        page.difference(toQt(difference));
    }
}

/// Where a full record is gone, the summaries still tell the tunables.
void addUnknownChange(HtmlPage& page, const KnownRound& before, const KnownRound& after) {
    const bool is_gone = !before.problem.isEmpty() || !after.problem.isEmpty();
    const QString why = before.problem.isEmpty() ? after.problem : before.problem;
    page.muted(is_gone ? DifferencePage::tr("What changed is not known: %1").arg(why)
                       : DifferencePage::tr("Reading the full records…"));
    page.field(DifferencePage::tr("Round %1").arg(before.round.number), textOf(before.round.configuration));
    page.field(DifferencePage::tr("Round %1").arg(after.round.number), textOf(after.round.configuration));
}

}  // namespace

QString differencePage(const KnownRound& before, const KnownRound& after, const QPalette& palette) {
    HtmlPage page(palette);
    if (before.detail && after.detail) addChange(page, *before.detail, *after.detail);
    else addUnknownChange(page, before, after);
    addFigures(page, before.round, after.round);
    return page.take();
}

}  // namespace kernelgen::studio
