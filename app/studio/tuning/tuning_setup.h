// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/studio/session/session.h"

class QComboBox;
class QHBoxLayout;
class QLabel;

namespace kernelgen::studio {

/// How the next tuning is made: budget, strategy, objective and case, and how many configurations take part.
class TuningSetup : public QWidget {
    Q_OBJECT

public:
    explicit TuningSetup(Session& session, QWidget* parent = nullptr);

    /// Errors: a budget or an objective that cannot be read.
    Result<TuneOptions> options() const;

private:
    QComboBox* add(QHBoxLayout* row, const QString& label, const QString& name, const QString& tip);
    void fillCases();
    void showCount();

    Session& session_;
    QComboBox *budget_, *strategy_, *objective_, *case_;
    QLabel* count_;
};

}  // namespace kernelgen::studio
