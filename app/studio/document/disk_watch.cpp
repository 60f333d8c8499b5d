// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/document/disk_watch.h"

#include <QFileInfo>

#include "app/studio/application/text.h"

namespace kernelgen::studio {

DiskWatch::DiskWatch(ProjectDocument& document, QObject* parent) : QObject(parent), document_(document) {
    settle_.setSingleShot(true);
    settle_.setInterval(200);
    const auto begin = qOverload<>(&QTimer::start);
    connect(&settle_, &QTimer::timeout, this, &DiskWatch::look);
    connect(&watcher_, &QFileSystemWatcher::fileChanged, &settle_, begin);
    connect(&watcher_, &QFileSystemWatcher::directoryChanged, &settle_, begin);
    connect(&document_, &ProjectDocument::sourcesChanged, this, &DiskWatch::follow);
    connect(&document_, &ProjectDocument::saved, this, [this] { ask(false); });
    connect(&document_, &ProjectDocument::opened, this, [this] {
        if (const QStringList watched = watcher_.files() + watcher_.directories(); !watched.isEmpty()) {
            watcher_.removePaths(watched);
        }
        follow();
        ask(false);
    });
}

/// A file that was replaced is another file to the system, and must be watched anew.
void DiskWatch::follow() {
    if (!document_.isOpen() || document_.project().folder.empty()) return;
    QStringList wanted{document_.folder(), document_.folder() + "/project.json"};
    for (const SourceFile* source : document_.sources()) wanted << toQt(source->path().string());
    const QStringList watched = watcher_.files() + watcher_.directories();
    for (const QString& path : wanted) {
        if (!watched.contains(path) && QFileInfo::exists(path)) watcher_.addPath(path);
    }
}

void DiskWatch::look() {
    follow();
    if (!document_.changedOnDisk()) return ask(false);
    if (document_.isModified()) return ask(true);
    reload();
    if (!asking_) emit reloaded();
}

void DiskWatch::reload() {
    problem_ = toQt(document_.revert());
    ask(!problem_.isEmpty());
}

void DiskWatch::keepMine() {
    document_.keepMine();
    problem_.clear();
    ask(false);
}

void DiskWatch::ask(bool asking) {
    if (asking == asking_ && !asking) return;
    asking_ = asking;
    emit askingChanged();
}

}  // namespace kernelgen::studio
