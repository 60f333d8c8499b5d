// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QWidget>

#include "app/studio/session/session.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;

namespace kernelgen::studio {

/// What runs where, why, and how far it is: variant, device, the next round's note, and the progress with the time
/// left.
class RunBar : public QWidget {
    Q_OBJECT

public:
    explicit RunBar(Session& session, QWidget* parent = nullptr);

    QString note() const;
    void focusNote();

private:
    void fillVariants();
    void fillDevices();
    void showProgress(const QString& stage, int done, int total);
    void showRunning();
    void takeOutcome(const RunOutcome& outcome);

    Session& session_;
    QComboBox* variant_;
    QComboBox* device_;
    QLineEdit* note_;
    QProgressBar* progress_;
    QLabel* stage_;
    QString current_stage_;
    QElapsedTimer stage_time_;
    int stage_first_ = 0;  ///< steps that were done when the stage was first seen
};

}  // namespace kernelgen::studio
