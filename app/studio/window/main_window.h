// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <QTimer>

#include "app/studio/session/session.h"

class QStackedWidget;

namespace kernelgen::studio {

class CommandPalette;
class Menus;
class Panels;
class ProjectFiles;
class SettingsDialog;
class RunBar;
class StatusLine;
class Tour;

/// The window: the operator on the left, sources and charts in the middle, tunables on the right, rounds and reports
/// below.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(Session& session, QWidget* parent = nullptr);

    /// Opens a project unless the user wants to keep unsaved changes; errors are shown in the window.
    void openProject(const QString& path);
    void takeTour();  ///< of five steps
    bool isTouring() const;
    void keepLayout();  ///< in the settings
    QString note() const;
    void setNote(const QString& note);  ///< the next round's

signals:
    void languageChosen();  ///< the settings hold another language: the window is to be made anew

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void makeCentre();
    void followSession();
    void followParts();
    void offerWhatFollows();
    void offerPython();
    void offerReconnect();
    void restoreWindow();
    void showHelp(const QString& place);                 ///< "": on what has the focus
    void showSettings(void (SettingsDialog::*place)());  ///< with the cursor there; null: at its beginning

    void updateState();
    void updateTitle();
    void hidePanels();
    void showPanels();
    void drawAgain();

    Session& session_;
    QTimer panels_turn_;
    RunBar* run_bar_;
    Panels* panels_;
    ProjectFiles* files_;
    StatusLine* status_;
    Menus* menus_;
    QStackedWidget* pages_;
    CommandPalette* palette_;
    Tour* tour_;
    QString lost_;  ///< why the worker does not answer; "" where it does
};

}  // namespace kernelgen::studio
