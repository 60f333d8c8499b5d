// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>
#include <QString>
#include <memory>

#include "core/round/record.h"

namespace kernelgen::studio {

/// What is known of a round: its summary, and its full record or why there is none.
struct KnownRound {
    Round round;
    std::shared_ptr<const RoundDetail> detail;
    QString problem;  ///< "" where the record is yet to be read
};

/// Everything of a round as HTML. Any thread.
QString detailsPage(const KnownRound& known, const Lessons& lessons, const QPalette& palette);

/// What changed from one round to another, and their figures side by side, as HTML. Any thread; long sources take time.
QString differencePage(const KnownRound& before, const KnownRound& after, const QPalette& palette);

}  // namespace kernelgen::studio
