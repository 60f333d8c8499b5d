// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/model/model_words.h"

#include <QCoreApplication>
#include <QFileInfo>

#include "app/studio/application/text.h"
#include "core/base/text.h"

namespace kernelgen::studio {

namespace {

struct ModelWords {
    Q_DECLARE_TR_FUNCTIONS(ModelWords)
};

QString ratioOf(double ratio) { return QString::number(ratio, 'f', 3) + QStringLiteral("×"); }

}  // namespace

ColumnWords wordsOf(ModelLines::Column column) {
    switch (column) {
        case ModelLines::Calls:
            return {ModelWords::tr("Call"), ModelWords::tr("Number of the first call, in the order of execution")};
        case ModelLines::Times: return {ModelWords::tr("Times"), ModelWords::tr("How often the model makes it")};
        case ModelLines::Operator:
            return {ModelWords::tr("Operator"), ModelWords::tr("As PyTorch's dispatcher sees it")};
        case ModelLines::Module:
            return {ModelWords::tr("Module"), ModelWords::tr("The module whose forward makes the call")};
        case ModelLines::Inputs:
            return {ModelWords::tr("Inputs"), ModelWords::tr("Dtypes and shapes of the tensors that it takes")};
        case ModelLines::Time:
            return {ModelWords::tr("Time"), ModelWords::tr("Median of one call alone, with cold caches")};
        case ModelLines::Flops: return {ModelWords::tr("FLOPs"), ModelWords::tr("Of one call")};
        case ModelLines::Bytes:
            return {ModelWords::tr("Bytes"), ModelWords::tr("Of one call: each tensor that it reads or writes, once")};
        case ModelLines::Intensity:
            return {ModelWords::tr("FLOP/B"), ModelWords::tr("Arithmetic intensity: FLOPs over bytes")};
        case ModelLines::Reached:
            return {ModelWords::tr("Reached"),
                    ModelWords::tr("Share of the roofline, and which ceiling is the lower one")};
        case ModelLines::Share:
            return {ModelWords::tr("Share"), ModelWords::tr("Of the whole's time, all these calls together")};
        default: break;
    }
    return {ModelWords::tr("Whole gains"),
            ModelWords::tr("The whole's speedup if these calls reached their ceiling (Amdahl)")};
}

QString secondsOf(double seconds) { return toQt(with_si_prefix(seconds, "s")); }

QString flopsOf(const ModelCounts& counts) {
    return counts.flops ? toQt(with_si_prefix(*counts.flops, "FLOP")) : ModelWords::tr("not counted");
}

QString reachedOf(const ModelShare& share) {
    if (!share.point.has_ceilings) return QStringLiteral("-");
    const QString percent = QString::number(share.point.fraction * 100, 'f', 0);
    return (share.point.memory_bound ? ModelWords::tr("%1 % of memory") : ModelWords::tr("%1 % of FLOPs")).arg(percent);
}

QString operatorOf(const ModelRow& row) { return toQt(row.operation).section('.', 1); }

QString wholeText(const ModelProfile& profile) {
    return ModelWords::tr("the whole, median of %n run(s)", nullptr, profile.runs);
}

QString callsText(const ModelProfile& profile) {
    return ModelWords::tr("%n call(s), each alone with cold caches", nullptr, profile.calls());
}

QString betweenText(const ModelProfile& profile) {
    const double between = profile.seconds - profile.seconds_of_calls();
    return between < 0 ? ModelWords::tr("more than the whole: shares are of this sum")
                       : ModelWords::tr("of the whole lie between them");
}

QString gainWithProjects(const ModelReport& report) {
    QStringList lines;
    for (const ModelReplacement& each : report.replacements) {
        lines << ModelWords::tr("With %1 (`%2`, round %3, %4) at %n place(s): %5 becomes %6", nullptr,
                                static_cast<int>(each.places.size()))
                     .arg(QFileInfo(toQt(each.folder)).fileName(), toQt(each.variant))
                     .arg(each.round)
                     .arg(ratioOf(each.speedup), secondsOf(each.seconds_before), secondsOf(each.seconds_after));
    }
    const double total = report.profile.total(), after = report.seconds_with_replacements();
    lines << ModelWords::tr("The whole: %1 becomes %2, %3, by the shares below")
                 .arg(secondsOf(total), secondsOf(after), ratioOf(total / after));
    return lines.join('\n');
}

}  // namespace kernelgen::studio
