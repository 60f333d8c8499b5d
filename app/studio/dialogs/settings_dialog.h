// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "app/studio/session/session.h"

class QComboBox;
class QDoubleSpinBox;
class QLineEdit;

namespace kernelgen::studio {

class ProgramField;

/// Device, compiler, Python, worker, time limits, appearance and what new projects begin with. Accepted settings are
/// stored.
class SettingsDialog : public QDialog {
    Q_OBJECT

public:
    explicit SettingsDialog(Session& session, QWidget* parent = nullptr);

    void accept() override;
    void showPython();  ///< puts the cursor where the interpreter is named

private:
    void makeRunGroup();
    void makeNewProjectGroup();
    void makeAppearanceGroup();

    Session& session_;
    QComboBox* device_;
    ProgramField* compiler_;
    ProgramField* python_;
    QLineEdit* worker_;
    QDoubleSpinBox* timeout_;
    QDoubleSpinBox* budget_;
    QComboBox* caches_;
    QComboBox* theme_;
    QComboBox* language_;
};

}  // namespace kernelgen::studio
