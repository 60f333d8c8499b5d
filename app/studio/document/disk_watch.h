// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

#include "app/studio/document/project_document.h"

namespace kernelgen::studio {

/// Notices when another program changes project.json or a source. Without unsaved edits the document is reloaded at
/// once (undoable); otherwise the user must choose.
class DiskWatch : public QObject {
    Q_OBJECT

public:
    explicit DiskWatch(ProjectDocument& document, QObject* parent = nullptr);

    bool isAsking() const { return asking_; }            ///< whether `reload` or `keepMine` is to be chosen
    const QString& problem() const { return problem_; }  ///< why what is on disk could not be read, or empty
    void reload();
    void keepMine();

signals:
    void askingChanged();
    void reloaded();  ///< without being asked

private:
    void follow();  ///< watches the files that there are now
    void look();
    void ask(bool asking);

    ProjectDocument& document_;
    QFileSystemWatcher watcher_;
    QTimer settle_;  ///< a change is often several events
    bool asking_ = false;
    QString problem_;
};

}  // namespace kernelgen::studio
