// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QFutureWatcher>
#include <memory>
#include <optional>

#include "core/files/import.h"

class QLabel;
class QLineEdit;
class QPushButton;
class QTextBrowser;

namespace kernelgen::studio {

/// Takes over the Python files of an operator as a project: shows what was understood of a folder before anything is
/// written. The files are read, never executed. When accepted, `folder` holds the project.
class ImportDialog : public QDialog {
    Q_OBJECT

public:
    explicit ImportDialog(const QString& parentOfProjects, QWidget* parent = nullptr);

    QString folder() const;                 ///< of the new project
    void setSource(const QString& folder);  ///< the folder to read
    void accept() override;

private:
    using Reading = std::shared_ptr<Checked<ImportedSet>>;
    QWidget* makeFields();
    void chooseSource();
    void chooseTarget();
    void read();
    void takeRead();
    void suggestTarget();
    void updateState();
    QString source() const;

    QString parent_of_projects_;
    QLineEdit *source_, *target_;
    QTextBrowser* page_;
    QLabel* problem_;
    QPushButton* import_ = nullptr;
    QFutureWatcher<Reading> reading_;
    QString asked_;  ///< the folder that is being read, or was
    std::optional<ImportedSet> set_;
    bool own_target_ = false;  ///< the user wrote it
};

}  // namespace kernelgen::studio
