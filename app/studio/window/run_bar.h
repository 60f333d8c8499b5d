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

/// What runs where, why, how far it is and how it ended: variant, device, the next round's note, the progress with the
/// time left, and the last round's speedup.
class RunBar : public QWidget {
    Q_OBJECT

public:
    explicit RunBar(Session& session, QWidget* parent = nullptr);
    ~RunBar() override;

    QString note() const;
    void setNote(const QString& note);
    void focusNote();

protected:
    void changeEvent(QEvent* event) override;

private:
    void fillVariants();
    void fillDevices();
    void showLost(const QString& why);
    void showProgress(const QString& stage, int done, int total);
    void showRunning();
    void keepNote();
    void takeNote();
    void takeOutcome(const RunOutcome& outcome);
    void showVerdict();

    Session& session_;
    QComboBox* variant_;
    QComboBox* device_;
    QLineEdit* note_;
    QString note_of_;  ///< the folder of the project that the note was written for
    QLabel* verdict_;
    QProgressBar* progress_;
    QLabel* stage_;
    std::optional<Round> last_;  ///< recorded since the project was opened, while nothing runs
    QString current_stage_;
    QElapsedTimer stage_time_;
    int stage_first_ = 0;  ///< steps that were done when the stage was first seen
};

}  // namespace kernelgen::studio
