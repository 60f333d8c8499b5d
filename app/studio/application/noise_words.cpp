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

}  // namespace

QString noiseInWords(const RoundCase& timed) {
    QStringList reasons;
    if (spread_of(timed) > spread_limit) {
        reasons << NoiseWords::tr("the samples' RSD is %1 %, over %2 %")
                       .arg(spread_of(timed) * 100, 0, 'f', 1)
                       .arg(spread_limit * 100, 0, 'f', 0);
    }
    if (holds_one(timed)) reasons << NoiseWords::tr("the interval holds 1, so neither side is known to be faster");
    return reasons.isEmpty() ? QString() : NoiseWords::tr("Noisy: %1").arg(reasons.join(", "));
}

QString unsureText(const QString& figure) { return QStringLiteral("≈ ") + figure; }

}  // namespace kernelgen::studio
