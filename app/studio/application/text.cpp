// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/application/text.h"

#include <QDateTime>
#include <QFileInfo>

namespace kernelgen::studio {

QString timeText(std::string_view record) {
    const QDateTime time = QDateTime::fromString(toQt(record), Qt::ISODate);
    return time.isValid() ? time.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")) : toQt(record);
}

QString freeFolder(const QString& parent, const QString& name) {
    const QString wanted = parent + "/" + name;
    QString free = wanted;
    for (int number = 2; QFileInfo::exists(free); ++number) free = QStringLiteral("%1-%2").arg(wanted).arg(number);
    return free;
}

}  // namespace kernelgen::studio
