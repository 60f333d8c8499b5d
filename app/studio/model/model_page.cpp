// SPDX-License-Identifier: GPL-3.0-or-later
// The page of what is known of calls: what they take, where they stand, what the whole would gain.
#include <QCoreApplication>

#include "app/studio/application/metric_words.h"
#include "app/studio/application/text.h"
#include "app/studio/model/model_words.h"
#include "app/studio/rounds/html_page.h"
#include "core/base/text.h"

namespace kernelgen::studio {

namespace {

constexpr std::size_t most_told = 12;  ///< of calls, modules and places

struct ModelPage {
    Q_DECLARE_TR_FUNCTIONS(ModelPage)
};

/// The first of them, and how many more there are.
QString firstOf(const QStringList& texts, const QString& separator) {
    const auto more = texts.size() - static_cast<qsizetype>(most_told);
    QString told = texts.first(std::min(texts.size(), static_cast<qsizetype>(most_told))).join(separator);
    return more > 0 ? told + separator + ModelPage::tr("and %n more", nullptr, static_cast<int>(more)) : told;
}

QStringList numbersOf(const std::vector<int>& numbers, int length) {
    QStringList texts;
    for (const int each : numbers) {
        texts << (length == 1 ? QString::number(each) : QStringLiteral("%1–%2").arg(each).arg(each + length - 1));
    }
    return texts;
}

QString asLines(const std::vector<std::string>& texts) {
    QStringList lines;
    for (const std::string& each : texts) lines << toQt(each);
    lines.removeAll(QString());
    return lines.isEmpty() ? QString() : firstOf(lines, QStringLiteral("\n"));
}

void writeCounts(HtmlPage& page, const ModelCounts& counts, const ModelShare& share) {
    page.field(ModelPage::tr("FLOPs"), flopsOf(counts));
    page.field(ModelPage::tr("Bytes read"), toQt(with_si_prefix(counts.bytes_read, "B")));
    page.field(ModelPage::tr("Bytes written"), toQt(with_si_prefix(counts.bytes_written, "B")));
    const RooflinePoint& point = share.point;
    if (counts.flops) page.field(titleOf(metrics::intensity), valueOf(metrics::intensity, point.intensity));
    if (point.bandwidth_gbps > 0)
        page.field(titleOf(metrics::bandwidth_gbps), valueOf(metrics::bandwidth_gbps, point.bandwidth_gbps));
    if (counts.flops) page.field(titleOf(metrics::gflops), valueOf(metrics::gflops, point.gflops));
    if (!point.has_ceilings) return;
    page.field(titleOf(metrics::attainable_gbps), valueOf(metrics::attainable_gbps, point.attainable_gbps));
    page.field(titleOf(metrics::fraction), reachedOf(share));
}

void writeWhole(HtmlPage& page, const ModelReport& report, const ModelShare& share) {
    page.heading(ModelPage::tr("In the whole"));
    page.field(ModelPage::tr("Share"),
               ModelPage::tr("%1: %2 of %3")
                   .arg(toQt(share_text(share)), secondsOf(share.seconds), secondsOf(report.profile.total())));
    page.field(ModelPage::tr("Whole gains"),
               share.gain ? ModelPage::tr("%1 if these calls reached their ceiling").arg(toQt(gain_text(share)))
                          : ModelPage::tr("not known: the device's ceilings were not measured"));
}

void writeCallsOf(HtmlPage& page, const ModelReport& report, const ModelGroup& group) {
    const std::vector<const ModelRow*> rows = report.profile.by_call();
    for (int call = group.places.front(); call < group.places.front() + group.length; ++call) {
        const ModelRow& row = *rows[static_cast<std::size_t>(call) - 1];
        page.field(QStringLiteral("%1  %2").arg(call).arg(operatorOf(row)),
                   QStringLiteral("%1  %2").arg(secondsOf(row.seconds), toQt(place_text(row))));
    }
}

}  // namespace

QString pageOf(const ModelReport& report, const ModelRow& row, const QPalette& palette) {
    const ModelShare share = share_of(report.profile, row, report.ceilings);
    HtmlPage page(palette);
    page.title(toQt(row.operation), palette.color(QPalette::Text));
    page.field(ModelPage::tr("Calls"), firstOf(numbersOf(row.calls, 1), QStringLiteral(", ")));
    page.field(ModelPage::tr("Modules"), asLines(row.modules));
    page.field(ModelPage::tr("Inputs"), asLines(row.inputs));
    page.field(ModelPage::tr("Outputs"), asLines(row.outputs));
    if (row.is_random) page.muted(ModelPage::tr("It draws random numbers: no project can be made of it."));
    page.heading(ModelPage::tr("One call"));
    page.field(titleOf(metrics::seconds),
               ModelPage::tr("%1 (%n run(s))", nullptr, row.runs).arg(secondsOf(row.seconds)));
    writeCounts(page, row.counts, share);
    writeWhole(page, report, share);
    return page.take();
}

QString pageOf(const ModelReport& report, const ModelGroup& group, const QPalette& palette) {
    const ModelShare share = share_of(report.profile, group, report.ceilings);
    HtmlPage page(palette);
    page.title(toQt(chain_text(group)), palette.color(QPalette::Text));
    page.muted(ModelPage::tr("Each uses what one before it made: they may become one kernel."));
    page.field(ModelPage::tr("Places"), firstOf(numbersOf(group.places, group.length), QStringLiteral(", ")));
    page.heading(ModelPage::tr("The calls of the first place"));
    writeCallsOf(page, report, group);
    page.heading(ModelPage::tr("As one kernel"));
    page.field(ModelPage::tr("Time of these calls"),
               secondsOf(share.seconds / static_cast<double>(group.places.size())));
    writeCounts(page, group.counts, share);
    writeWhole(page, report, share);
    return page.take();
}

}  // namespace kernelgen::studio
