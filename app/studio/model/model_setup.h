// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

#include "app/studio/session/session.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace kernelgen::studio {

/// Which model is measured: its file, case, device and time limit; how far it is, and its end.
class ModelSetup : public QWidget {
    Q_OBJECT

public:
    explicit ModelSetup(Session& session, QWidget* parent = nullptr);

    void chooseFile();

protected:
    void changeEvent(QEvent* event) override;

private:
    QWidget* makeFile();
    QWidget* makeChoices();
    void readTyped();
    void measure();
    void refresh();
    void fillCases();
    void fillDevices();
    void showRunning();
    void showProgress();
    void applyPalette();

    Session& session_;
    QLineEdit* file_;
    QComboBox *case_, *device_;
    QSpinBox* limit_;
    QPushButton *measure_, *stop_;
    QProgressBar* progress_;
    QLabel* stage_;
    QString current_stage_, shown_file_;
    QElapsedTimer since_;
    QTimer tick_;
};

}  // namespace kernelgen::studio
