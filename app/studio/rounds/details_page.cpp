// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/language.h"
#include "app/studio/application/metric_words.h"
#include "app/studio/application/noise_words.h"
#include "app/studio/application/text.h"
#include "app/studio/rounds/html_page.h"
#include "app/studio/rounds/round_pages.h"
#include "app/studio/rounds/words.h"
#include "app/studio/theme/theme.h"
#include "core/base/text.h"
#include "core/report/build_table.h"
#include "core/report/log_sections.h"
#include "core/round/noise.h"

namespace kernelgen::studio {

namespace {

struct DetailsPage {
    Q_DECLARE_TR_FUNCTIONS(DetailsPage)
};

constexpr std::size_t most_checks = 20;
constexpr qsizetype most_output = 20000;  ///< characters of what kernels printed

QString seconds(double value) { return toQt(with_si_prefix(value, "s")); }

void addSummary(HtmlPage& page, const Round& round) {
    page.field(DetailsPage::tr("Variant"), toQt(round.variant));
    page.field(DetailsPage::tr("Configuration"), textOf(round.configuration));
    page.field(DetailsPage::tr("Change"),
               round.parent ? DetailsPage::tr("%1, since round %2").arg(word(round.change)).arg(*round.parent)
                            : word(round.change));
    page.field(DetailsPage::tr("Device"), toQt(round.device));
    page.field(DetailsPage::tr("Baseline"), toQt(round.baseline));
    const QString target = QString::asprintf("≥ %.4g×", round.target_speedup);
    page.field(DetailsPage::tr("Target"), round.target_reached ? DetailsPage::tr("%1, reached").arg(target)
                                                               : DetailsPage::tr("%1, not reached").arg(target));
    page.field(DetailsPage::tr("Time"), timeText(round.time));
}

const BenchResult* timingOf(const RoundDetail* detail, const Case& binding) {
    if (detail == nullptr) return nullptr;
    const auto found = std::ranges::find(detail->timings, binding, &BenchResult::binding);
    return found == detail->timings.end() ? nullptr : &*found;
}

QStringList speedRow(const RoundCase& timed) {
    const auto figure = [&](const QString& text) { return is_noisy(timed) ? unsureText(text) : text; };
    return {toQt(timed.binding.name),
            figure(QString::asprintf("%.3f [%.3f, %.3f]", timed.speedup, timed.speedup_lower, timed.speedup_upper)),
            figure(QString::asprintf("%.1f", timed.roofline.bandwidth_gbps)),
            timed.roofline.has_ceilings ? figure(valueOf(metrics::fraction, timed.roofline.fraction))
                                        : QStringLiteral("–")};
}

QStringList latencyRow(const QString& name, const QString& side, const Summary& summary) {
    return {name,
            side,
            valueOf(metrics::p50, summary.p50),
            valueOf(metrics::p90, summary.p90),
            valueOf(metrics::p99, summary.p99),
            valueOf(metrics::relative_standard_deviation, summary.relative_standard_deviation)};
}

void addTimings(HtmlPage& page, const Round& round, const RoundDetail* detail) {
    QList<QStringList> speeds, latencies;
    for (const RoundCase* timed : timed_cases(round)) {
        speeds << speedRow(*timed);
        const BenchResult* timing = timingOf(detail, timed->binding);
        if (timing == nullptr) continue;
        const QString name = toQt(timed->binding.name);
        latencies << latencyRow(name, DetailsPage::tr("candidate"), timing->candidate);
        latencies << latencyRow("", DetailsPage::tr("baseline"), timing->baseline_summary);
    }
    if (speeds.isEmpty()) return;
    const QString column = DetailsPage::tr("Case");
    page.heading(DetailsPage::tr("Speed"));
    page.table({column, titleOf(metrics::speedup), unitOf(metrics::bandwidth_gbps), titleOf(metrics::fraction)},
               speeds);
    for (const RoundCase* timed : timed_cases(round)) {
        const QString noise = noiseInWords(*timed);
        if (!noise.isEmpty()) page.muted(toQt(timed->binding.name) + ": " + noise);
    }
    if (latencies.isEmpty()) return;
    page.heading(DetailsPage::tr("Time of one call"));
    page.table({column, DetailsPage::tr("Side"), titleOf(metrics::p50), titleOf(metrics::p90), titleOf(metrics::p99),
                titleOf(metrics::relative_standard_deviation)},
               latencies, 2);
}

QStringList checkRow(const CaseAccuracy& check) {
    QStringList row{toQt(check.binding.name),
                    DetailsPage::tr("%1, seed %2").arg(toQt(to_string(check.set))).arg(check.seed), word(check.status)};
    const ErrorMetrics& errors = check.metrics;
    if (errors.elements == 0) return row + QStringList(4, "–");
    return row + QStringList{valueOf(metrics::max_absolute, errors.max_absolute),
                             valueOf(metrics::mean_absolute, errors.mean_absolute),
                             valueOf(metrics::max_relative, errors.max_relative),
                             DetailsPage::tr("%L1 of %L2").arg(errors.mismatches).arg(errors.elements)};
}

void addMismatches(HtmlPage& page, const std::vector<CaseAccuracy>& checks) {
    const auto check = std::ranges::find_if(checks, [](const auto& each) { return !each.first_mismatches.empty(); });
    if (check == checks.end()) return;
    page.heading(DetailsPage::tr("First mismatches: %1").arg(toQt(check->binding.name)));
    QList<QStringList> rows;
    for (const Mismatch& each : check->first_mismatches) {
        QStringList index;
        for (const std::int64_t place : each.index) index << QString::number(place);
        rows << QStringList{QString("%1[%2]").arg(toQt(each.output), index.join(", ")),
                            QString::number(each.expected, 'g', 9), QString::number(each.actual, 'g', 9)};
    }
    page.table({DetailsPage::tr("Element"), DetailsPage::tr("Expected"), DetailsPage::tr("Actual")}, rows);
}

void addAccuracy(HtmlPage& page, const VerifyResult& verification) {
    const auto& checks = verification.cases;
    if (checks.empty()) return;
    page.heading(DetailsPage::tr("Accuracy"));
    page.muted(DetailsPage::tr("%n check(s) in %1", nullptr, static_cast<int>(verification.checks))
                   .arg(seconds(verification.seconds)));
    QList<QStringList> rows;
    for (std::size_t i = 0; i < std::min(checks.size(), most_checks); ++i) rows << checkRow(checks[i]);
    page.table(
        {DetailsPage::tr("Case"), DetailsPage::tr("Inputs"), DetailsPage::tr("Status"), titleOf(metrics::max_absolute),
         titleOf(metrics::mean_absolute), titleOf(metrics::max_relative), titleOf(metrics::mismatches)},
        rows, 3);
    if (checks.size() > most_checks) {
        page.muted(DetailsPage::tr("Further checks: %1").arg(checks.size() - most_checks));
    }
    addMismatches(page, checks);
}

/// Adds the likely causes in short: the error map has the evidence.
void addCauses(HtmlPage& page, const RoundDetail& detail) {
    if (!detail.explanation || detail.explanation->causes.empty()) return;
    page.heading(DetailsPage::tr("Likely causes"));
    for (const Cause& each : detail.explanation->causes) {
        QString line = DetailsPage::tr("%1 (%2 %)").arg(inWords(each.text)).arg(qRound(100 * each.confidence));
        if (!each.places.empty())
            line += QStringLiteral(" · %1:%2").arg(toQt(each.places[0].file)).arg(each.places[0].line);
        page.bullet(line);
    }
    if (!detail.explanation->smallest.empty())
        page.muted(DetailsPage::tr("Smallest failing: %1").arg(toQt(detail.explanation->smallest)));
}

QStringList cells(const std::vector<std::string>& texts) {
    QStringList cells;
    for (const std::string& each : texts) cells << toQt(each);
    return cells;
}

void addBuilds(HtmlPage& page, const RoundDetail& detail) {
    const MarkdownTable table = build_table(detail, windowPhrases());
    if (table.rows.empty()) return;
    page.heading(DetailsPage::tr("What the builds take"));
    QList<QStringList> rows;
    for (const std::vector<std::string>& each : table.rows) rows << cells(each);
    page.table(cells(table.header), rows);
}

void addWarnings(HtmlPage& page, const RoundDetail& detail) {
    QStringList warnings;
    for (const Said& each : detail.verification.warnings) warnings << inWords(each);
    for (const BenchResult& timing : detail.timings) {
        for (const Said& each : timing.warnings) warnings << inWords(timing.binding.name + ": " + each);
    }
    if (warnings.isEmpty()) return;
    page.heading(DetailsPage::tr("Warnings"));
    for (const QString& each : warnings) page.bullet(each);
}

void addLessons(HtmlPage& page, const Lessons& lessons) {
    if (lessons.worked.empty() && lessons.failed.empty() && lessons.next.empty()) return;
    page.heading(DetailsPage::tr("Lessons"));
    page.field(DetailsPage::tr("Worked"), toQt(lessons.worked));
    page.field(DetailsPage::tr("Failed"), toQt(lessons.failed));
    page.field(DetailsPage::tr("Next"), toQt(lessons.next));
}

void addOutput(HtmlPage& page, const RoundDetail& detail) {
    const QString output = toQt(detail.verification.printed).trimmed();
    if (output.isEmpty()) return;
    page.heading(DetailsPage::tr("Kernel output"));
    page.verbatim(output.left(most_output));
    if (output.size() > most_output) page.muted(DetailsPage::tr("The rest is in rounds/%1").arg(detail.round.number));
}

void addEnvironment(HtmlPage& page, const RoundDetail& detail) {
    const Environment& environment = detail.environment;
    page.heading(DetailsPage::tr("Environment"));
    page.field(DetailsPage::tr("Hardware"), toQt(environment.hardware));
    page.field(DetailsPage::tr("Threads"), environment.threads > 0 ? QString::number(environment.threads) : QString());
    page.field(DetailsPage::tr("Caches"), toQt(environment.caches));
    page.field(DetailsPage::tr("Memory"),
               environment.memory_gib > 0 ? QString::asprintf("%.1f GiB", environment.memory_gib) : QString());
    page.field(DetailsPage::tr("Clocks"), toQt(environment.clocks));
    page.field(DetailsPage::tr("Instruction set"), toQt(environment.instruction_set));
    page.field(DetailsPage::tr("System"), toQt(environment.operating_system));
    page.field(DetailsPage::tr("Compiler"), toQt(environment.compiler));
    page.field(DetailsPage::tr("Libraries"), toQt(environment.libraries));
    page.field(DetailsPage::tr("Driver"), toQt(environment.driver));
    page.field("KernelGen", toQt(environment.kernelgen));
    page.field(DetailsPage::tr("Fingerprint"), toQt(detail.round.environment));
}

}  // namespace

QString detailsPage(const KnownRound& known, const Lessons& lessons, const QPalette& palette) {
    const RoundDetail* detail = known.detail.get();
    const Round& round = detail == nullptr ? known.round : detail->round;
    HtmlPage page(palette);
    page.title(DetailsPage::tr("Round %1: %2").arg(round.number).arg(verdictOf(round)),
               colourOf(round.status, palette));
    if (!round.reason.empty()) page.paragraph(inWords(round.reason));
    if (!round.note.empty()) page.paragraph(DetailsPage::tr("“%1”").arg(inWords(round.note)));
    addSummary(page, round);
    addTimings(page, round, detail);
    if (detail == nullptr) {
        page.muted(known.problem.isEmpty() ? DetailsPage::tr("Reading the full record…")
                                           : DetailsPage::tr("Only the summary is left: %1").arg(known.problem));
        addLessons(page, lessons);
        return page.take();
    }
    addAccuracy(page, detail->verification);
    addCauses(page, *detail);
    addBuilds(page, *detail);
    addWarnings(page, *detail);
    addLessons(page, lessons);
    addOutput(page, *detail);
    addEnvironment(page, *detail);
    return page.take();
}

}  // namespace kernelgen::studio
