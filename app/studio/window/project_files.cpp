// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/window/project_files.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/dialogs/import_dialog.h"
#include "app/studio/dialogs/new_project_wizard.h"
#include "app/studio/document/samples.h"
#include "app/studio/export/export_log.h"
#include "app/studio/model/model_window.h"
#include "app/studio/scaling/scaling_window.h"
#include "app/studio/window/welcome_page.h"
#include "core/project/project_file.h"

namespace kernelgen::studio {

ProjectFiles::ProjectFiles(Session& session, QWidget& window) : QObject(&window), session_(session), window_(window) {
    connect(&session_.model(), &ModelStudy::projectMade, this, &ProjectFiles::openPart);
}

void ProjectFiles::open(const QString& path) {
    // What cannot be opened costs neither the queue nor the run under way.
    if (load_draft(path.toStdString()) && !mayLeave()) return;
    const Diagnostics wrong = session_.open(path);
    if (wrong.empty()) return emit told(tr("Opened %1").arg(session_.document().folder()));
    if (!QFileInfo::exists(path)) session_.settings().removeRecentProject(path);
    QMessageBox::warning(&window_, tr("Open project"), tr("The project cannot be opened:") + "\n\n" + inWords(wrong));
}

void ProjectFiles::create() {
    NewProjectWizard wizard(session_, &window_);
    if (wizard.exec() == QDialog::Accepted) openMade(wizard.folder());
}

void ProjectFiles::choose() {
    const QString start = session_.document().isOpen() ? session_.document().folder() + "/.." : QDir::homePath();
    const QString file =
        QFileDialog::getOpenFileName(&window_, tr("Open project"), start, tr("Projects (project.json)"));
    if (!file.isEmpty()) open(file);
}

void ProjectFiles::openSample(const QString& sample) {
    const Result<QString> copy = copyOfSample(sample, WelcomePage::samplesFolder());
    if (copy) open(*copy);
    else QMessageBox::warning(&window_, tr("Open project"), inWords(copy.error().message));
}

void ProjectFiles::import(const QString& source) {
    ImportDialog dialog(session_.engine(), WelcomePage::samplesFolder(), &window_);
    if (!source.isEmpty()) dialog.setSource(source);
    const int chosen = dialog.exec();
    if (chosen == QDialog::Accepted) openMade(dialog.folder());
    if (chosen == ImportDialog::operators_wanted) showModel(dialog.source());
}

/// A project that was just made; where the user goes on with what is open, it waits under the recent ones.
void ProjectFiles::openMade(const QString& folder) {
    session_.settings().addRecentProject(folder);
    open(folder);
    if (QFileInfo(session_.document().folder()) != QFileInfo(folder))
        emit told(tr("Made %1; it is under File > Open recent").arg(folder));
}

/// The model's window would lie over the project: it makes room, and comes back as it was.
void ProjectFiles::openPart(const QString& folder) {
    if (auto* shown = window_.findChild<ModelWindow*>()) shown->close();
    open(folder);
    if (session_.document().isOpen() && QFileInfo(session_.document().folder()) == QFileInfo(folder))
        emit told(tr("Opened %1; Ctrl+Shift+M goes back to the model").arg(folder));
}

void ProjectFiles::showModel(const QString& file) {
    auto* shown = window_.findChild<ModelWindow*>();
    if (shown == nullptr) shown = new ModelWindow(session_, WelcomePage::samplesFolder(), &window_);
    if (!file.isEmpty()) session_.model().read(file);
    shown->show();
    shown->raise();
    shown->activateWindow();
}

void ProjectFiles::showScaling() {
    auto* shown = window_.findChild<ScalingWindow*>();
    if (shown == nullptr) shown = new ScalingWindow(&window_);
    shown->show();
    shown->raise();
    shown->activateWindow();
}

bool ProjectFiles::save() {
    const Result<void> saved = session_.document().save();
    if (saved) emit told(tr("Saved %1").arg(session_.document().folder()));
    else QMessageBox::warning(&window_, tr("Save"), inWords(saved.error().message));
    return saved.has_value();
}

void ProjectFiles::saveAs() {
    const QString start = session_.document().folder() + "-copy";
    const QString folder = QFileDialog::getSaveFileName(&window_, tr("Save as: a new folder"), start, {}, nullptr,
                                                        QFileDialog::ShowDirsOnly);
    if (folder.isEmpty()) return;
    if (!mayDropRuns()) return;
    session_.engine().stopAndWait();
    const Result<void> saved = session_.document().saveAs(folder);
    if (!saved) return void(QMessageBox::warning(&window_, tr("Save as"), inWords(saved.error().message)));
    session_.settings().addRecentProject(session_.document().folder());
    emit told(tr("Saved %1").arg(session_.document().folder()));
}

void ProjectFiles::revert() {
    const Diagnostics wrong = session_.document().revert();
    emit told(wrong.empty() ? tr("Reverted; Ctrl+Z brings the changes back") : inWords(wrong));
}

void ProjectFiles::close() {
    if (mayLeave()) session_.document().close();
}

void ProjectFiles::exportLog(Tongue tongue) {
    if (findChild<LogExport*>() != nullptr) return;
    auto* log_export = new LogExport(session_.document().project(), session_.rounds().sharedHistory(), tongue, this);
    connect(
        log_export, &LogExport::finished, this,
        [this, log_export] {
            report(log_export->result());
            delete log_export;
        },
        Qt::QueuedConnection);
    emit told(tr("Exporting the log"));
    log_export->start();
}

void ProjectFiles::report(const Result<ExportedLog>& exported) {
    if (!exported) {
        session_.log().add(Severity::error, inWords(exported.error().message));
        return emit told(inWords(exported.error().message));
    }
    const QString log = toQt(exported->log.string());
    const QString message =
        tr("Wrote %1 with %n chart(s)", nullptr, static_cast<int>(exported->charts.size())).arg(log);
    session_.log().add(Severity::success, message);
    emit told(message);
    emit this->exported(log);
}

void ProjectFiles::generate() {
    const Validated<int> written = session_.document().regenerate(false);
    emit told(written ? tr("Generated %n source(s); edited ones were kept", nullptr, *written)
                      : inWords(written.error()));
}

void ProjectFiles::restoreRound() {
    if (!session_.selectedRound()) return;
    const Diagnostics wrong = session_.restoreRound(*session_.selectedRound());
    emit told(wrong.empty() ? tr("Restored round %1; Ctrl+Z takes it back").arg(*session_.selectedRound())
                            : inWords(wrong));
}

/// Asks whether the runs that wait may be forgotten.
bool ProjectFiles::mayDropQueue() {
    const int waiting = session_.queue().waiting();
    if (waiting == 0) return true;
    QMessageBox box(QMessageBox::Question, tr("Runs are queued"),
                    tr("Forget the %n run(s) that wait in the queue?", nullptr, waiting),
                    QMessageBox::Yes | QMessageBox::No, &window_);
    box.button(QMessageBox::Yes)->setText(tr("Forget them"));
    box.button(QMessageBox::No)->setText(tr("Keep the project open"));
    box.setDefaultButton(QMessageBox::No);
    return box.exec() == QMessageBox::Yes;
}

/// Asks whether what runs may end; what was tuned until then stays.
bool ProjectFiles::mayStop() {
    const bool tuning = session_.engine().isTuning(), round = session_.engine().isMakingRound();
    QMessageBox box(QMessageBox::Question, tuning ? tr("A tuning is under way") : tr("A run is under way"),
                    tuning ? tr("Pause the tuning? Continue in the Tuning tab goes on with it, also after a new start.")
                    : session_.story().isRunning()
                        ? tr("Stop the optimisation? The round under work is not recorded; those before it stay.")
                    : round ? tr("Stop the run? It is recorded as cancelled.")
                            : tr("Stop it? It must then be started again."),
                    QMessageBox::Yes | QMessageBox::No, &window_);
    box.button(QMessageBox::Yes)->setText(tuning ? tr("Pause") : tr("Stop"));
    box.button(QMessageBox::No)->setText(tr("Let it run"));
    box.setDefaultButton(QMessageBox::No);
    return box.exec() == QMessageBox::Yes;
}

/// The queue and what runs are of the folder that is open.
bool ProjectFiles::mayDropRuns() { return mayDropQueue() && (!session_.engine().isRunning() || mayStop()); }

/// Asks what becomes of unsaved changes; false where the project is to stay open.
bool ProjectFiles::mayDropChanges() {
    if (!session_.document().isModified()) return true;
    const auto answer = QMessageBox::question(
        &window_, tr("Unsaved changes"), tr("Save the changes to %1?").arg(session_.document().title()),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
    return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save());
}

/// What runs ends only once nothing can keep the project open any more.
bool ProjectFiles::mayLeave() {
    if (!mayDropRuns() || !mayDropChanges()) return false;
    session_.queue().clear();
    session_.engine().stopAndWait();
    return true;
}

}  // namespace kernelgen::studio
