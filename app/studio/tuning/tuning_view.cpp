// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tuning/tuning_view.h"

#include <algorithm>
#include <limits>

#include "app/studio/charts/chart_style.h"
#include "app/studio/charts/human_ticker.h"

namespace kernelgen::studio {

void TuningView::present(std::shared_ptr<const Tuning> tuning) {
    tuning_ = std::move(tuning);
    if (!tuning_)
        return showMessage(tr(
            "No result yet: Start finds the best configuration; while a tuning runs, its first result appears here"));
    const QString missing = prepare();
    if (!missing.isEmpty()) return showMessage(missing);
    redraw();
}

QString TuningView::prepare() {
    if (tuning().tried.empty()) return tr("Nothing is tried yet: each result appears here when it is known");
    const bool any = std::ranges::any_of(tuning().tried, &Tried::is_ok);
    return any ? QString() : tr("No configuration has succeeded yet: the table says why");
}

const Tried* TuningView::incumbent() const {
    const auto found = std::ranges::find(tuning().tried, tuning().head.incumbent, &Tried::configuration);
    return found == tuning().tried.end() || !found->is_ok() ? nullptr : &*found;
}

QString TuningView::tipOf(const Mark& mark) const {
    if (mark.row < 0) return mark.text;
    const QString tip = tipOfTried(tuning(), static_cast<std::size_t>(mark.row));
    return mark.text.isEmpty() ? tip : mark.text + '\n' + tip;
}

QCPRange TuningView::objectiveRange() const {
    double low = std::numeric_limits<double>::infinity(), high = 0;
    for (const Tried& each : tuning().tried) {
        if (!each.is_ok() || !(each.objective > 0)) continue;
        low = std::min(low, each.objective);
        high = std::max(high, each.objective);
    }
    return high > 0 ? roomAround(low, high, 0.1) : QCPRange(0.1, 10);
}

void TuningView::placeObjective(QCPAxis* axis) {
    HumanTicker::place(axis, HumanTicker::Scale::decimal,
                       [head = tuning().head](double value) { return objectiveText(head, value); });
}

}  // namespace kernelgen::studio
