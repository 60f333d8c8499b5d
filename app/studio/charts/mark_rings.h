// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <optional>
#include <vector>

#include "core/round/record.h"

namespace kernelgen::studio {

/// What of a chart can be pointed at: a round, a case of it, or a text of its own. x is on the plot's xAxis.
struct Mark {
    double x = 0, y = 0;
    QCPAxis* axis = nullptr;       ///< of y
    const Round* round = nullptr;  ///< null where the mark is of none
    const RoundCase* timing = nullptr;
    QString text;  ///< where there is no round

    QPointF pixel() const;
};

/// Rings around the marks that are selected or under the mouse. On a layer of its own, so that the rest of the plot is
/// not drawn again when they change.
class MarkRings : public QCPAbstractItem {
    Q_OBJECT

public:
    explicit MarkRings(QCustomPlot* plot);

    std::vector<Mark> selected;
    std::optional<Mark> hovered;
    bool guided = false;  ///< a line through the selected mark, from bottom to top
    QColor colour;

    double selectTest(const QPointF& at, bool only_selectable, QVariant* details = nullptr) const override;

protected:
    void draw(QCPPainter* painter) override;
};

}  // namespace kernelgen::studio
