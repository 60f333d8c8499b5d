// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "app/studio/session/session.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace kernelgen::studio {

/// How an optimization is made: the most rounds, the target, and the time.
class OptimizeDialog : public QDialog {
    Q_OBJECT

public:
    explicit OptimizeDialog(Session& session, QWidget* parent = nullptr);

    OptimizeOptions options() const;
    void accept() override;  ///< the next one begins with the same rounds and budget

private:
    void addFields();
    void check();

    Session& session_;
    QSpinBox* rounds_;
    QDoubleSpinBox* target_;
    QComboBox* budget_;
    QLabel* problem_;
    QPushButton* start_ = nullptr;
};

}  // namespace kernelgen::studio
