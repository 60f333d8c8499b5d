// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "app/studio/session/session.h"

class QBoxLayout;
class QLabel;
class QMenu;
class QPushButton;
class QSpinBox;
class QStackedWidget;
class QTextBrowser;

namespace kernelgen::studio {

class ModelSetup;
class ModelTables;
class ShareBar;

/// A model's operators: what each call takes and what the whole would gain, and projects of such calls. What it shows
/// is the session's, and stays when it is closed.
class ModelWindow : public QDialog {
    Q_OBJECT

public:
    /// `parentOfProjects`: the folder in which new projects are made.
    ModelWindow(Session& session, const QString& parentOfProjects, QWidget* parent = nullptr);

    void makeProject();
    void copyMarkdown() const;

protected:
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    QWidget* makeReport();
    QWidget* makeFigures();
    QPushButton* add(QBoxLayout& line, const QString& text, const QString& name);
    QSpinBox* addCall(QBoxLayout& line, const QString& before, const QString& name, const QString& what);
    QWidget* makeActions();
    void fillProjects();
    void chooseProject();
    void refresh();
    void showReport(const ModelReport& report);
    void showFigures(const ModelReport& report);
    void showNotes(const ModelReport& report);
    void showMessage();
    QString problemText() const;
    void showProblem(const QString& problem);
    void followChoice();
    void updateActions();
    void saveAs();

    Session& session_;
    QString parent_of_projects_;
    ModelSetup* setup_;
    ShareBar* bar_;
    ModelTables* tables_;
    QLabel *whole_, *calls_, *between_, *gain_, *notes_, *problem_;
    QSpinBox *first_, *last_;
    QPushButton *make_, *with_, *copy_, *save_;
    QMenu* projects_;
    QStackedWidget* pages_;
    QTextBrowser* message_;
};

}  // namespace kernelgen::studio
