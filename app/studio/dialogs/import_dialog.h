// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QFutureWatcher>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

#include "app/studio/engine/engine.h"
#include "core/files/import_folder.h"
#include "core/files/import_source.h"

class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QTextBrowser;

namespace kernelgen::studio {

/// Takes over files of one's own as a project: a folder with an operator's Python files, one Python file with a
/// reference, one with Triton kernels and test calls, or a T1 file; and a folder of problems as a folder of projects.
/// Shows what was understood before anything is
/// written. Nothing is executed but test calls, when the button for it is pressed. When accepted, `folder` holds the
/// project.
class ImportDialog : public QDialog {
    Q_OBJECT

public:
    /// While the engine runs something, no test calls are executed: they would disturb its times.
    ImportDialog(const Engine& engine, const QString& parentOfProjects, QWidget* parent = nullptr);
    ~ImportDialog() override;

    /// The dialog's result where what is wanted of `source` is not a project, but its operators.
    static constexpr int operators_wanted = 2;

    QString folder() const;               ///< of the new project; of several the first
    QString source() const;               ///< the folder or file that is read
    void setSource(const QString& path);  ///< the folder or file to read
    void accept() override;

private:
    /// What `source` is: one operator's files, or a folder of problems, each of which is a project.
    struct Read {
        Validated<ImportedSet> set;
        std::vector<ImportedFile> files;  ///< read where the set is none and one of them can be imported
    };
    using Reading = std::shared_ptr<const Read>;
    static Read readAll(const ImportSource& source);
    Result<void> writeFiles();
    QWidget* makeFields();
    void addSource(QFormLayout& form);
    void addPythonFile(QFormLayout& form);
    void addTarget(QFormLayout& form);
    void chooseFolder();
    void chooseFile();
    void chooseSolution();
    void chooseTarget();
    void read();
    void runTests();
    void start(ImportSource source, const QString& doing);
    void takeRead();
    void suggestTarget(const QString& name);
    void updateState();
    QString target() const;
    bool isPythonFile() const;

    const Engine& engine_;
    QString parent_of_projects_;
    QLineEdit *source_, *solution_, *reference_, *entry_, *target_;
    QFormLayout* form_ = nullptr;
    QList<QWidget*> of_python_file_;  ///< the fields that only a Python file has
    QPushButton* run_tests_ = nullptr;
    QTextBrowser* page_;
    QLabel* problem_;
    QPushButton *import_ = nullptr, *operators_ = nullptr;
    QFutureWatcher<Reading> reading_;
    std::stop_source stop_;    ///< of what is being read
    bool runs_tests_ = false;  ///< to read it
    QString asked_;            ///< what is being read, or was, with its solution
    std::optional<ImportedSet> set_;
    std::vector<ImportedFile> files_;  ///< of a folder of problems
    QString first_project_;            ///< of these, once they are written
    bool own_target_ = false;          ///< the user wrote it
};

}  // namespace kernelgen::studio
