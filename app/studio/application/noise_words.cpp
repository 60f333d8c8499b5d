// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/application/noise_words.h"

#include <QCoreApplication>
#include <QStringList>

#include "core/round/noise.h"

namespace kernelgen::studio {

namespace {

struct NoiseWords {
    Q_DECLARE_TR_FUNCTIONS(NoiseWords)
};

QString spreadOf(const RoundCase& timed) {
    if (spread_of(timed) <= spread_limit) return {};
    return NoiseWords::tr("the samples' RSD is %1 %, over %2 %")
        .arg(spread_of(timed) * 100, 0, 'f', 1)
        .arg(spread_limit * 100, 0, 'f', 0);
}

QString noisy(QStringList reasons) {
    reasons.removeAll(QString());
    return reasons.isEmpty() ? QString() : NoiseWords::tr("Noisy: %1").arg(reasons.join(", "));
}

}  // namespace

QString noiseInWords(const RoundCase& timed) {
    QStringList reasons{spreadOf(timed)};
    if (holds_one(timed)) reasons << NoiseWords::tr("the interval holds 1, so neither side is known to be faster");
    return noisy(reasons);
}

QString spreadInWords(const RoundCase& timed) { return noisy({spreadOf(timed)}); }

QString unsureText(const QString& figure) { return QStringLiteral("≈ ") + figure; }

}  // namespace kernelgen::studio
