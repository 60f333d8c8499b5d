// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/application/text.h"

#include <QFileInfo>

namespace kernelgen::studio {

QString freeFolder(const QString& parent, const QString& name) {
    const QString wanted = parent + "/" + name;
    QString free = wanted;
    for (int number = 2; QFileInfo::exists(free); ++number) free = QStringLiteral("%1-%2").arg(wanted).arg(number);
    return free;
}

}  // namespace kernelgen::studio
