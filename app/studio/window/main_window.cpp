// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/window/main_window.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QCloseEvent>
#include <QDesktopServices>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMimeData>
#include <QPlainTextEdit>
#include <QScreen>
#include <QStackedWidget>
#include <QStatusBar>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

#include "app/studio/application/engine_words.h"
#include "app/studio/dialogs/about_dialog.h"
#include "app/studio/dialogs/settings_dialog.h"
#include "app/studio/help/help_window.h"
#include "app/studio/operator/text_fields.h"
#include "app/studio/palette/command_palette.h"
#include "app/studio/sources/source_editor.h"
#include "app/studio/sources/source_tabs.h"
#include "app/studio/theme/theme.h"
#include "app/studio/window/menus.h"
#include "app/studio/window/notices.h"
#include "app/studio/window/panels.h"
#include "app/studio/window/project_files.h"
#include "app/studio/window/run_bar.h"
#include "app/studio/window/status_line.h"
#include "app/studio/window/tour.h"
#include "app/studio/window/welcome_page.h"

namespace kernelgen::studio {

namespace {

bool isUndo(const QKeyEvent& key) { return key.matches(QKeySequence::Undo); }

bool isRedo(const QKeyEvent& key) {
    return key.matches(QKeySequence::Redo) ||
           key.keyCombination() == QKeyCombination(Qt::ControlModifier | Qt::ShiftModifier, Qt::Key_Z);
}

/// Writes the log. A line of text would take it on X11, to go to its end.
bool isExport(const QKeyEvent& key) { return key.keyCombination() == QKeyCombination(Qt::ControlModifier, Qt::Key_E); }

/// Whether undo and redo are about the text of this widget, which is no part of the document, or not yet: a note, a
/// lesson, what is looked for, a cell that is open. A spin box counts only while something was typed in it.
bool hasOwnHistory(const QWidget& widget) {
    if (qobject_cast<const TextField*>(widget.parentWidget()) != nullptr) return false;
    if (const auto* text = qobject_cast<const QPlainTextEdit*>(&widget))
        return !text->isReadOnly() && qobject_cast<const SourceEditor*>(text) == nullptr;
    const auto* line = qobject_cast<const QLineEdit*>(&widget);
    if (line == nullptr) return false;
    const bool is_of_number = qobject_cast<const QAbstractSpinBox*>(line->parentWidget()) != nullptr;
    return !is_of_number || line->isUndoAvailable() || line->isRedoAvailable();
}

}  // namespace

MainWindow::MainWindow(Session& session, QWidget* parent)
    : QMainWindow(parent),
      session_(session),
      run_bar_(new RunBar(session)),
      panels_(new Panels(*this, session)),
      files_(new ProjectFiles(session, *this)),
      status_(new StatusLine(*statusBar())),
      menus_(new Menus(*this, {session, *files_, *panels_, *run_bar_})),
      pages_(new QStackedWidget),
      palette_(new CommandPalette(*this)),
      tour_(new Tour(*this, session, *panels_, *files_)) {
    setObjectName("main_window");
    setAcceptDrops(true);
    makeCentre();
    followSession();
    followParts();
    offerWhatFollows();
    restoreWindow();
    if (!session_.document().isOpen()) hidePanels();
    updateState();
    qApp->installEventFilter(this);
}

void MainWindow::makeCentre() {
    auto* welcome = new WelcomePage(session_.settings());
    connect(welcome, &WelcomePage::newProject, files_, &ProjectFiles::create);
    connect(welcome, &WelcomePage::chooseProject, files_, &ProjectFiles::choose);
    connect(welcome, &WelcomePage::openProject, files_, &ProjectFiles::open);
    connect(welcome, &WelcomePage::showModel, files_, [this] { files_->showModel(); });
    connect(welcome, &WelcomePage::openSample, files_, &ProjectFiles::openSample);
    connect(welcome, &WelcomePage::takeTour, this, &MainWindow::takeTour);
    connect(&session_.document(), &ProjectDocument::opened, welcome, &WelcomePage::refresh);
    pages_->addWidget(welcome);
    pages_->addWidget(panels_->sources);
    pages_->setCurrentWidget(panels_->sources);
    auto* centre = new QWidget;
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins({});
    column->setSpacing(0);
    auto* notices = new Notices(session_);
    connect(notices, &Notices::problemsWanted, panels_, &Panels::showProblems);
    column->addWidget(notices);
    column->addWidget(pages_, 1);
    setCentralWidget(centre);
}

void MainWindow::followSession() {
    const auto update = [this] { updateState(); };
    ProjectDocument& document = session_.document();
    connect(&document, &ProjectDocument::opened, this, update);
    connect(&document, &ProjectDocument::changed, this, update);
    connect(&document, &ProjectDocument::modifiedChanged, this, update);
    connect(&session_, &Session::variantChanged, this, update);
    connect(&session_, &Session::selectedRoundChanged, this, update);
    connect(&session_.engine(), &Engine::devicesChanged, this, update);
    connect(&session_.engine(), &Engine::runningChanged, this, update);
    connect(&session_.tunings(), &Tunings::changed, this, update);
    connect(&session_, &Session::refused, status_, &StatusLine::tell);
    connect(&session_.engine(), &Engine::runFinished, this,
            [this] { status_->tell(session_.log().entries().back().text); });
    connect(&session_.engine(), &Engine::optimizationFinished, this,
            [this] { status_->tell(session_.log().entries().back().text); });
    panels_turn_.setSingleShot(true);
    panels_turn_.setInterval(0);
    connect(&panels_turn_, &QTimer::timeout, this, &MainWindow::showPanels);
}

void MainWindow::followParts() {
    connect(files_, &ProjectFiles::told, status_, &StatusLine::tell);
    connect(panels_, &Panels::told, status_, &StatusLine::tell);
    connect(panels_, &Panels::restoreWanted, files_, &ProjectFiles::restoreRound);
    connect(panels_, &Panels::exportWanted, files_, &ProjectFiles::exportLog);
    connect(panels_, &Panels::settingsWanted, this, [this] { showSettings(&SettingsDialog::showPython); });
    connect(panels_, &Panels::goalsWanted, this, [this] { showSettings(&SettingsDialog::showGoals); });
    connect(menus_, &Menus::settingsWanted, this, [this] { showSettings(nullptr); });
    connect(menus_, &Menus::helpWanted, this, &MainWindow::showHelp);
    connect(menus_, &Menus::paletteWanted, palette_, &CommandPalette::open);
    connect(menus_, &Menus::tourWanted, tour_, &Tour::begin);
    connect(menus_, &Menus::aboutWanted, this, [this] { AboutDialog(this).exec(); });
    connect(menus_, &Menus::languageChosen, this, &MainWindow::languageChosen);
}

/// Offers what the user may want to do next: to open the log after an export; to name Python where it was missing.
void MainWindow::offerWhatFollows() {
    connect(files_, &ProjectFiles::exported, this, [this](const QString& log) {
        status_->offer(QFileInfo(log).fileName(), tr("Open"), log, [this, log] {
            const bool opened = QDesktopServices::openUrl(QUrl::fromLocalFile(log));
            if (!opened) status_->tell(tr("No program here opens it; the log is %1").arg(log));
        });
    });
    connect(&session_.engine(), &Engine::runFinished, this, [this](const RunOutcome& outcome) {
        if (asksForPython(outcome.detail.round.reason)) offerPython();
    });
    connect(&session_.engine(), &Engine::comparisonFinished, this, [this](const ComparisonOutcome& outcome) {
        const auto lacking = [](const ComparedVariant& each) { return asksForPython(each.reason); };
        if (outcome.comparison && std::ranges::any_of(outcome.comparison->variants, lacking)) offerPython();
    });
    connect(&session_.engine(), &Engine::devicesFailed, this, [this](const QString& why) {
        lost_ = why;
        offerReconnect();
    });
    connect(&session_.engine(), &Engine::devicesChanged, this, [this] {
        if (lost_.isEmpty()) return;
        lost_.clear();
        status_->withdraw();
    });
    connect(&session_.document(), &ProjectDocument::opened, this, &MainWindow::offerReconnect);
    connect(&session_, &Session::variantChanged, this, &MainWindow::offerReconnect);
    connect(&session_.engine(), &Engine::runStarted, this, &MainWindow::offerReconnect);
}

/// In place of what was offered before: nothing, unless the worker is lost.
void MainWindow::offerReconnect() {
    if (lost_.isEmpty()) return status_->withdraw();
    status_->offer(tr("The worker does not answer"), tr("Reconnect"), lost_,
                   [this] { session_.applyWorkerSettings(); });
}

void MainWindow::offerPython() {
    status_->offer(tr("Python is missing something"), tr("Settings…"),
                   tr("Name the interpreter that has PyTorch and Triton"),
                   [this] { showSettings(&SettingsDialog::showPython); });
}

void MainWindow::openProject(const QString& path) { files_->open(path); }

void MainWindow::takeTour() { tour_->begin(); }

bool MainWindow::isTouring() const { return tour_->isOn(); }

/// The window that has the focus, or the dock in it, has its place in the help. What is asked for stays open.
void MainWindow::showHelp(const QString& place) {
    QString wanted = place;
    auto* help = findChild<HelpWindow*>();
    if (wanted.isEmpty()) {
        const QWidget* active = QApplication::activeWindow();
        if (help != nullptr && active == help) return;  // the help itself has no place in it
        if (active != nullptr && active != this) wanted = helpPlaceOf(active->objectName());
        const QDockWidget* dock = panels_->docks.around(QApplication::focusWidget());
        if (wanted.isEmpty()) wanted = helpPlaceOf(dock == nullptr ? QString() : dock->objectName());
    }
    if (help == nullptr) help = new HelpWindow(*this);
    help->goTo(wanted);
    help->show();
    help->raise();
    help->activateWindow();
}

void MainWindow::showSettings(void (SettingsDialog::*place)()) {
    SettingsDialog dialog(session_, this);
    if (place != nullptr) (dialog.*place)();
    const QString language = session_.settings().language();
    if (dialog.exec() != QDialog::Accepted) return;
    status_->withdraw();
    session_.applyWorkerSettings();
    applyTheme(session_.settings().theme());
    if (session_.settings().language() != language) emit languageChosen();
}

void MainWindow::keepLayout() { session_.settings().setWindow(saveGeometry(), panels_->docks.state()); }

void MainWindow::restoreWindow() {
    resize(QSize(1480, 940).boundedTo(screen()->availableSize()));
    restoreGeometry(session_.settings().geometry());
    panels_->docks.reset();
    panels_->docks.restore(session_.settings().layout());
}

void MainWindow::updateState() {
    panels_turn_.start();
    menus_->update();
    updateTitle();
}

void MainWindow::updateTitle() {
    const ProjectDocument& document = session_.document();
    setWindowModified(document.isModified());
    setWindowFilePath(document.isOpen() ? document.folder() : QString());
    setWindowTitle(document.isOpen() ? QStringLiteral("%1[*] – KernelGen Studio").arg(document.title())
                                     : QStringLiteral("KernelGen Studio"));
}

/// Without a project the panels have nothing to show: then there is the welcome page alone.
void MainWindow::hidePanels() {
    pages_->setCurrentIndex(0);
    panels_->docks.hideAll();
}

/// Shows the panels, one step in each turn of the event loop, so that the window answers in between: the middle is laid
/// out, then the docks, then all is drawn at once.
void MainWindow::showPanels() {
    const bool middle = pages_->currentIndex() == 1;
    if (!session_.document().isOpen()) {
        if (middle) hidePanels();
        return drawAgain();
    }
    if (!middle) {
        setUpdatesEnabled(false);
        pages_->setCurrentIndex(1);
    } else if (panels_->docks.areHidden()) {
        panels_->docks.showAll();
    } else {
        return drawAgain();
    }
    panels_turn_.start();
}

/// Draws the window again, at once: a request to draw that Qt had posted was lost while drawing was off, and it posts
/// no second one.
void MainWindow::drawAgain() {
    if (updatesEnabled()) return;
    setUpdatesEnabled(true);
    repaint();
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    // One history of edits: the document's fields and editors leave undo and redo to the window's own. Where that has
    // nothing to undo, its action is disabled and lets the key through.
    if (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const auto* widget = qobject_cast<QWidget*>(watched);
        const bool is_here = widget != nullptr && widget->window() == this;
        const bool is_of_history = is_here && (isUndo(*key) || isRedo(*key)) && !hasOwnHistory(*widget);
        if (is_of_history || (is_here && isExport(*key) && event->type() == QEvent::ShortcutOverride)) {
            event->ignore();
            return true;
        }
    }
    return QMainWindow::eventFilter(watched, event);
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) menus_->applyPalette();
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    panels_->docks.windowResized();
}

QString MainWindow::note() const { return run_bar_->note(); }

void MainWindow::setNote(const QString& note) { run_bar_->setNote(note); }

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!files_->mayLeave()) return event->ignore();
    keepLayout();
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.front().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const QString path = event->mimeData()->urls().front().toLocalFile();
    event->acceptProposedAction();
    // The sender waits for this event: a dialog must not keep it.
    const bool is_project = path.endsWith("project.json") || QFileInfo::exists(path + "/project.json");
    const auto take = [this, path, is_project] { is_project ? openProject(path) : files_->import(path); };
    QMetaObject::invokeMethod(this, take, Qt::QueuedConnection);
}

}  // namespace kernelgen::studio
