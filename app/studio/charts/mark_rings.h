// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <qcustomplot.h>

#include <optional>
#include <vector>

#include "core/round/record.h"

namespace kernelgen::studio {

/// A mark in a chart to which the mouse can point: a round, a case of it, a row of a table, or only a text. x is on the
/// plot's xAxis.
struct Mark {
    double x = 0, y = 0;
    QCPAxis* axis = nullptr;       ///< the axis of y
    const Round* round = nullptr;  ///< null where the mark belongs to no round
    const RoundCase* timing = nullptr;
    QString text = {};  ///< shown where there is no round
    int row = -1;       ///< of the table that a chart without rounds draws; -1: of none

    QPointF pixel() const;
    /// The number by which a mark is selected: its round's number, or its row; nothing where it cannot be selected.
    std::optional<int> id() const;
};

/// Rings around the marks that are selected or under the mouse. They are on a layer of their own, so the rest of the
/// plot need not be drawn again when they change.
class MarkRings : public QCPAbstractItem {
    Q_OBJECT

public:
    explicit MarkRings(QCustomPlot* plot);

    std::vector<Mark> selected;
    std::optional<Mark> hovered;
    bool guided = false;  ///< a line through the selected mark, from bottom to top
    bool joined = false;  ///< a line from each selected mark to the next
    QColor colour;

    double selectTest(const QPointF& at, bool only_selectable, QVariant* details = nullptr) const override;

protected:
    void draw(QCPPainter* painter) override;
};

}  // namespace kernelgen::studio
