// SPDX-License-Identifier: GPL-3.0-or-later
// What the main window does with projects and their files, and how it is closed.
#include <QActionGroup>
#include <QCloseEvent>
#include <QDesktopServices>
#include <QDir>
#include <QDockWidget>
#include <QFileDialog>
#include <QMessageBox>
#include <QMimeData>
#include <QScreen>
#include <QSplitter>
#include <QStatusBar>
#include <QUrl>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/dialogs/about_dialog.h"
#include "app/studio/dialogs/import_dialog.h"
#include "app/studio/dialogs/new_project_wizard.h"
#include "app/studio/dialogs/settings_dialog.h"
#include "app/studio/document/samples.h"
#include "app/studio/export/export_log.h"
#include "app/studio/theme/theme.h"
#include "app/studio/window/main_window.h"
#include "app/studio/window/welcome_page.h"

namespace kernelgen::studio {

void MainWindow::openProject(const QString& path) {
    if (!mayLeaveProject()) return;
    const Diagnostics wrong = session_.open(path);
    if (wrong.empty()) return tell(tr("Opened %1").arg(session_.document().folder()));
    session_.settings().removeRecentProject(path);
    QMessageBox::warning(this, tr("Open project"), tr("The project cannot be opened:") + "\n\n" + inWords(wrong));
}

void MainWindow::newProject() {
    if (!mayLeaveProject()) return;
    NewProjectWizard wizard(session_, this);
    if (wizard.exec() == QDialog::Accepted) session_.open(wizard.folder());
}

void MainWindow::chooseProject() {
    const QString start = session_.document().isOpen() ? session_.document().folder() + "/.." : QDir::homePath();
    const QString file = QFileDialog::getOpenFileName(this, tr("Open project"), start, tr("Projects (project.json)"));
    if (!file.isEmpty()) openProject(file);
}

void MainWindow::openSample(const QString& sample) {
    const Result<QString> copy = copyOfSample(sample, WelcomePage::samplesFolder());
    if (copy) openProject(*copy);
    else QMessageBox::warning(this, tr("Open project"), toQt(copy.error().message));
}

void MainWindow::importFiles() {
    if (!mayLeaveProject()) return;
    ImportDialog dialog(WelcomePage::samplesFolder(), this);
    if (dialog.exec() == QDialog::Accepted) openProject(dialog.folder());
}

void MainWindow::fillRecent() {
    recent_->clear();
    for (const QString& folder : session_.settings().recentProjects()) {
        recent_->addAction(folder, this, [this, folder] { openProject(folder); });
    }
    if (recent_->isEmpty()) recent_->addAction(tr("None yet"))->setEnabled(false);
}

bool MainWindow::save() {
    const Result<void> saved = session_.document().save();
    if (saved) tell(tr("Saved %1").arg(session_.document().folder()));
    else QMessageBox::warning(this, tr("Save"), toQt(saved.error().message));
    return saved.has_value();
}

void MainWindow::saveAs() {
    const QString start = session_.document().folder() + "-copy";
    const QString folder =
        QFileDialog::getSaveFileName(this, tr("Save as: a new folder"), start, {}, nullptr, QFileDialog::ShowDirsOnly);
    if (folder.isEmpty()) return;
    const Result<void> saved = session_.document().saveAs(folder);
    if (!saved) return void(QMessageBox::warning(this, tr("Save as"), toQt(saved.error().message)));
    session_.settings().addRecentProject(session_.document().folder());
    tell(tr("Saved %1").arg(session_.document().folder()));
}

void MainWindow::revert() {
    const Diagnostics wrong = session_.document().revert();
    tell(wrong.empty() ? tr("Reverted; Ctrl+Z brings the changes back") : toQt(wrong));
}

void MainWindow::closeProject() {
    if (mayLeaveProject()) session_.document().close();
}

void MainWindow::exportLog(Tongue tongue) {
    if (findChild<LogExport*>() != nullptr) return;
    auto* log_export = new LogExport(session_.document().project(), session_.rounds().sharedHistory(), tongue, this);
    connect(
        log_export, &LogExport::finished, this,
        [this, log_export] {
            reportExport(log_export->result());
            delete log_export;
        },
        Qt::QueuedConnection);
    tell(tr("Exporting the log"));
    log_export->start();
}

void MainWindow::reportExport(const Result<ExportedLog>& exported) {
    if (!exported) {
        session_.log().add(Severity::error, toQt(exported.error().message));
        return tell(toQt(exported.error().message));
    }
    const QString message = tr("Wrote %1 with %n chart(s)", nullptr, static_cast<int>(exported->charts.size()))
                                .arg(toQt(exported->log.string()));
    session_.log().add(Severity::success, message);
    tell(message);
    const QUrl log = QUrl::fromLocalFile(toQt(exported->log.string()));
    offer(tr("Open"), log.toLocalFile(), [log] { QDesktopServices::openUrl(log); });
}

void MainWindow::generate() {
    const Checked<int> written = session_.document().regenerate(false);
    tell(written ? tr("Generated %n source(s); edited ones were kept", nullptr, *written) : toQt(written.error()));
}

void MainWindow::keepSelectedRound() {
    if (!session_.selectedRound()) return;
    const Diagnostics wrong = session_.restoreRound(*session_.selectedRound());
    tell(wrong.empty() ? tr("Restored round %1; Ctrl+Z takes it back").arg(*session_.selectedRound()) : toQt(wrong));
}

void MainWindow::showSettings(bool python) {
    SettingsDialog dialog(session_, this);
    if (python) dialog.showPython();
    const QString language = session_.settings().language();
    if (dialog.exec() != QDialog::Accepted) return;
    session_.applyWorkerSettings();
    applyTheme(session_.settings().theme());
    if (session_.settings().language() != language) emit languageChosen();
}

void MainWindow::showAbout() { AboutDialog(this).exec(); }

void MainWindow::addThemes(QMenu* menu) {
    auto* group = new QActionGroup(menu);
    const std::pair<QString, Theme> themes[] = {
        {tr("&System"), Theme::system}, {tr("&Light"), Theme::light}, {tr("&Dark"), Theme::dark}};
    for (const auto& [name, theme] : themes) {
        QAction* action = menu->addAction(name, this, [this, theme] {
            session_.settings().setTheme(theme);
            applyTheme(theme);
        });
        action->setCheckable(true);
        action->setChecked(session_.settings().theme() == theme);
        group->addAction(action);
    }
}

void MainWindow::addLanguages(QMenu* menu) {
    auto* group = new QActionGroup(menu);
    const std::pair<QString, QString> languages[] = {
        {tr("&System"), ""}, {QStringLiteral("English"), "en"}, {QStringLiteral("简体中文"), "zh_CN"}};
    for (const auto& [name, code] : languages) {
        QAction* action = menu->addAction(name, this, [this, code] {
            session_.settings().setLanguage(code);
            emit languageChosen();
        });
        action->setCheckable(true);
        action->setChecked(session_.settings().language() == code);
        group->addAction(action);
    }
}

bool MainWindow::mayLeaveProject() {
    if (session_.engine().isRunning()) {
        const auto answer =
            QMessageBox::question(this, tr("A run is under way"), tr("Stop the run? It is recorded as cancelled."),
                                  QMessageBox::Yes | QMessageBox::No, QMessageBox::No);
        if (answer != QMessageBox::Yes) return false;
        session_.engine().stopAndWait();
    }
    if (!session_.document().isModified()) return true;
    const auto answer = QMessageBox::question(
        this, tr("Unsaved changes"), tr("Save the changes to %1?").arg(session_.document().title()),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save());
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!mayLeaveProject()) return event->ignore();
    keepLayout();
    event->accept();
}

void MainWindow::keepLayout() {
    session_.settings().setWindow(saveGeometry(), layout_.isEmpty() ? saveState() : layout_);
    session_.settings().setSplitter("centre", centre_->saveState());
}

void MainWindow::restoreWindow() {
    resize(QSize(1480, 940).boundedTo(screen()->availableSize()));
    shipped_layout_ = saveState();
    restoreGeometry(session_.settings().geometry());
    restoreState(session_.settings().layout());
    centre_->restoreState(session_.settings().splitter("centre"));
}

void MainWindow::resetLayout() {
    session_.settings().forgetLayout();
    restoreState(shipped_layout_);
    placeDocks();
    centre_->setSizes({360, 400});
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.front().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QString path = event->mimeData()->urls().front().toLocalFile();
    event->acceptProposedAction();
    // The sender waits for this event: a dialog must not keep it.
    QMetaObject::invokeMethod(this, [this, path] { openProject(path); }, Qt::QueuedConnection);
}

}  // namespace kernelgen::studio
