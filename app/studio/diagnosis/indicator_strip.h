// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "core/diagnose/indicators.h"

class QLabel;
class QToolButton;

namespace kernelgen::studio {

/// The indicators of a kernel against their goals: value, goal, and whether it is reached or can be.
class IndicatorStrip : public QWidget {
    Q_OBJECT

public:
    /// `before` and `behind`: widgets that share the strip's lines, before and behind the indicators.
    IndicatorStrip(QWidget* before, QWidget* behind, QWidget* parent = nullptr);

    /// Of no indicators nothing is shown. `is_noisy`: the times that they come from say less than they seem to.
    void present(const std::vector<Indicator>& indicators, bool is_noisy);

signals:
    void goalsWanted();

protected:
    void changeEvent(QEvent* event) override;

private:
    void addLabel();
    void refresh();

    std::vector<Indicator> indicators_;
    bool is_noisy_ = false;
    std::vector<QLabel*> labels_;
    QToolButton* goals_;
    QWidget* behind_;
};

}  // namespace kernelgen::studio
