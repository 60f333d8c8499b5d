// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/comparison_data.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <algorithm>

#include "app/studio/application/noise_words.h"
#include "app/studio/application/text.h"

namespace kernelgen::studio {

namespace {

void takeTiming(ComparedCase& result, const RoundCase& timing) {
    result.status = worst(timing.status, result.status);
    result.seconds = timing.seconds;
    result.speedup = timing.speedup;
    result.speedup_lower = timing.speedup_lower;
    result.speedup_upper = timing.speedup_upper;
    result.bandwidth_gbps = timing.roofline.bandwidth_gbps;
    result.fraction = timing.roofline.has_ceilings ? timing.roofline.fraction : 0;
    if (result.isTimed()) result.noise = result.is_baseline ? spreadInWords(timing) : noiseInWords(timing);
}

struct ComparisonWords {
    Q_DECLARE_TR_FUNCTIONS(ComparisonWords)
};

}  // namespace

std::vector<ComparedCase> comparedCases(const Comparison& comparison, std::size_t place) {
    std::vector<ComparedCase> result;
    for (const ComparedVariant& variant : comparison.variants) {
        ComparedCase& each = result.emplace_back();
        each.variant = toQt(variant.variant);
        each.status = variant.status;
        each.reason = variant.reason;
        each.warnings = variant.warnings;
        each.configuration = variant.configuration;
        each.is_baseline = variant.variant == comparison.baseline;
        if (place < variant.cases.size()) takeTiming(each, variant.cases[place]);
    }
    return result;
}

std::vector<ComparedCase> fastestFirst(std::vector<ComparedCase> cases) {
    std::ranges::stable_sort(cases, std::ranges::greater(),
                             [](const ComparedCase& each) { return each.isTimed() ? each.speedup : -1; });
    return cases;
}

QString describe(const Comparison& comparison) {
    const QString hardware = toQt(comparison.environment.hardware);
    const QString device = toQt(comparison.device) + (hardware.isEmpty() ? QString() : " (" + hardware + ")");
    return ComparisonWords::tr("%1, all against %2, %3")
        .arg(device, toQt(comparison.baseline), timeText(comparison.time));
}

}  // namespace kernelgen::studio
