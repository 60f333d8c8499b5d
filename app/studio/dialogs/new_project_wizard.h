// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "app/studio/session/session.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace kernelgen::studio {

class LineField;

/// A new project from a definition that is checked while it is written; accepted once its folder has been made. Symbols
/// follow from the shapes, and cases from the definition until they are edited.
class NewProjectWizard : public QDialog {
    Q_OBJECT

public:
    explicit NewProjectWizard(Session& session, QWidget* parent = nullptr);

    QString folder() const;  ///< of the project that is to be, or was, made
    void accept() override;

    /// Begins again with a sample's definition, or with a blank one where there is no such sample.
    void beginWith(const QString& sample);
    ProjectDocument& draft() { return draft_; }
    QString reason() const;  ///< why nothing can be made yet, or ""

private:
    QWidget* makeTop();
    QWidget* makeMiddle();
    QWidget* makeBottom();
    QWidget* makeFolderRow();
    void browse();
    void complete(Project& draft);
    void completeCases(Project& draft);
    void updateState();
    void suggestFolder();
    QString problemOfFolder() const;
    QString preview() const;

    Session& session_;
    ProjectDocument draft_;
    Validated<Project> made_;
    std::vector<Case> usual_cases_;  ///< of the definition, until they are edited
    QString sample_name_;
    LineField* name_ = nullptr;
    QComboBox* samples_ = nullptr;
    QLineEdit* folder_ = nullptr;
    QLabel* preview_ = nullptr;
    QLabel* reason_ = nullptr;
    QPushButton* create_ = nullptr;
};

}  // namespace kernelgen::studio
