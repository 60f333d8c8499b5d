// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/reference_round.h"

#include <algorithm>
#include <ranges>

#include "app/studio/application/status_words.h"
#include "app/studio/application/text.h"
#include "app/studio/charts/chart_style.h"
#include "core/report/log_sections.h"

namespace kernelgen::studio {

const Round* referenceRound(const History& history) {
    for (const Round& round : history.rounds | std::views::reverse) {
        if (deciding_case(round) != nullptr) return &round;
    }
    return history.rounds.empty() ? nullptr : &history.rounds.back();
}

const Round* newestTimedOn(const History& history, const std::string& device) {
    for (const Round& round : history.rounds | std::views::reverse) {
        if (round.device == device && deciding_case(round) != nullptr) return &round;
    }
    return nullptr;
}

QString checkText(const CaseAccuracy& accuracy) {
    QString text = QStringLiteral("%1 · %2").arg(caseText(accuracy.binding), toQt(to_string(accuracy.set)));
    if (accuracy.status != Status::ok) text += QStringLiteral(" · ") + word(accuracy.status);
    return text;
}

}  // namespace kernelgen::studio
