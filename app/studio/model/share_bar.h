// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "core/report/model_report.h"

namespace kernelgen::studio {

/// What each operator takes of the whole, side by side in one bar; what lies between the calls is left blank.
class ShareBar : public QWidget {
    Q_OBJECT

public:
    explicit ShareBar(QWidget* parent = nullptr);

    void show(const ModelReport& report);
    void choose(std::optional<std::size_t> row);  ///< of the profile
    QSize sizeHint() const override;

signals:
    void chosen(std::size_t row);  ///< by the user

protected:
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    struct Segment {
        std::size_t row;
        double from, to;  ///< 0 … 1
        QString name, tip;
    };
    const Segment* at(double x) const;
    void paint(QPainter& painter, const Segment& segment, const QColor& colour) const;

    std::vector<Segment> segments_;
    std::optional<std::size_t> row_;
};

}  // namespace kernelgen::studio
