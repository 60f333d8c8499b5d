// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/window/notices.h"

#include <QLocale>
#include <QVBoxLayout>

namespace kernelgen::studio {

Notices::Notices(Session& session, QWidget* parent)
    : QWidget(parent), session_(session), recovery_(new Banner(Qt::Horizontal)), disk_(new Banner(Qt::Horizontal)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->setSpacing(1);
    layout->addWidget(recovery_);
    layout->addWidget(disk_);
    recovery_->setObjectName("recovery_banner");
    disk_->setObjectName("disk_banner");
    connect(&session_.recovery(), &Recovery::offerChanged, this, &Notices::showRecovery);
    connect(&session_.diskWatch(), &DiskWatch::askingChanged, this, &Notices::showDisk);
    showRecovery();
    showDisk();
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

}  // namespace kernelgen::studio
