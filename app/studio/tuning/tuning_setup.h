// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/studio/session/session.h"

class QComboBox;
class QLabel;
class QSpinBox;

namespace kernelgen::studio {

/// How the next tuning is made: budget and limit, strategy and seed, objective and case, and how many configurations
/// take part.
class TuningSetup : public QWidget {
    Q_OBJECT

public:
    explicit TuningSetup(Session& session, QWidget* parent = nullptr);

    /// Errors: a budget or an objective that cannot be read.
    Result<TuneOptions> options() const;

private:
    void add(const QString& label, QWidget* field, const QString& name, const QString& tip);
    QComboBox* addBox(const QString& label, const QString& name, const QString& tip);
    QSpinBox* addNumber(const QString& label, const QString& name, const QString& tip);
    void addHow();
    void addWhat();
    void keepFields();
    void showFields();
    void fillCases();
    void chooseCase();
    void showCount();

    Session& session_;
    QComboBox *budget_ = nullptr, *strategy_ = nullptr, *objective_ = nullptr, *case_ = nullptr;
    QSpinBox *most_ = nullptr, *seed_ = nullptr;
    QLabel* count_;
};

}  // namespace kernelgen::studio
