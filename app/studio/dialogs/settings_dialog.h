// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <map>
#include <string>

#include "app/studio/session/session.h"

class QComboBox;
class QDoubleSpinBox;
class QLineEdit;

namespace kernelgen::studio {

class ProgramField;

/// Device, compiler, Python, worker, time limits, what new projects begin with, goals and appearance. Accepted settings
/// are stored.
class SettingsDialog : public QDialog {
    Q_OBJECT

public:
    explicit SettingsDialog(Session& session, QWidget* parent = nullptr);

    void accept() override;
    void showPython();  ///< puts the cursor where the interpreter is named
    void showGoals();   ///< puts it to the first goal

private:
    void makeRunGroup();
    void makeNewProjectGroup();
    void makeGoalsGroup();
    void makeAppearanceGroup();
    void keepGoals();

    Session& session_;
    QComboBox* device_;
    ProgramField* compiler_;
    ProgramField* python_;
    QLineEdit* worker_;
    QDoubleSpinBox* timeout_;
    QDoubleSpinBox* budget_;
    QComboBox* caches_;
    std::map<std::string, double> goals_before_;
    std::map<std::string, QDoubleSpinBox*> goals_;  ///< by metric
    QComboBox* theme_;
    QComboBox* language_;
};

}  // namespace kernelgen::studio
