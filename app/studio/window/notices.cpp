// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/window/notices.h"

#include <QLocale>
#include <QVBoxLayout>

#include "core/project/project_file.h"

namespace kernelgen::studio {

Notices::Notices(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      recovery_(new Banner(Qt::Horizontal)),
      disk_(new Banner(Qt::Horizontal)),
      unread_(new Banner(Qt::Horizontal)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(1);
    layout->addWidget(recovery_);
    layout->addWidget(disk_);
    layout->addWidget(unread_);
    recovery_->setObjectName("recovery_banner");
    disk_->setObjectName("disk_banner");
    unread_->setObjectName("unread_banner");
    connect(&session_.recovery(), &Recovery::offerChanged, this, &Notices::showRecovery);
    connect(&session_.diskWatch(), &DiskWatch::askingChanged, this, &Notices::showDisk);
    connect(&session_.document(), &ProjectDocument::opened, this, &Notices::showUnread);
    connect(&session_.document(), &ProjectDocument::changed, this, &Notices::showUnread);
    showRecovery();
    showDisk();
    showUnread();
}

void Notices::showRecovery() {
    Recovery& recovery = session_.recovery();
    if (!recovery.offer()) return recovery_->hide();
    const QString time = QLocale().toString(recovery.offer()->time.toLocalTime(), QLocale::ShortFormat);
    recovery_->ask(
        tr("Unsaved changes of %1 were found").arg(time),
        {{tr("Restore"), [&recovery] { recovery.restore(); }}, {tr("Discard"), [&recovery] { recovery.discard(); }}});
}

void Notices::showDisk() {
    DiskWatch& watch = session_.diskWatch();
    if (!watch.isAsking()) return disk_->hide();
    const QString text =
        watch.problem().isEmpty()
            ? tr("The project was changed on disk by another program, and has unsaved changes here")
            : tr("The project was changed on disk by another program, and cannot be read: %1").arg(watch.problem());
    disk_->ask(text, {{tr("Reload"), [&watch] { watch.reload(); }}, {tr("Keep mine"), [&watch] { watch.keepMine(); }}});
}

void Notices::showUnread() {
    ProjectDocument& document = session_.document();
    const auto count = static_cast<int>(unread_parts(document.project()).size());
    if (count == 0) return unread_->hide();
    unread_->ask(
        tr("%n part(s) of project.json cannot be read; saving keeps them as they are", nullptr, count),
        {{tr("Show"), [this] { emit problemsWanted(); }}, {tr("Remove"), [&document] { document.dropUnread(); }}});
}

}  // namespace kernelgen::studio
