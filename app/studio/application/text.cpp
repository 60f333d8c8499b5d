// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/application/text.h"

#include <QDateTime>
#include <QFileInfo>
#include <QRegularExpression>

namespace kernelgen::studio {

QString timeText(std::string_view record) {
    const QDateTime time = QDateTime::fromString(toQt(record), Qt::ISODate);
    return time.isValid() ? time.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss")) : toQt(record);
}

QString breakable(const QString& text) {
    static const QRegularExpression part_of_a_long_word(QStringLiteral("(\\w{16})(?=\\w{16})"));
    return QString(text).replace(part_of_a_long_word, QStringLiteral("\\1") + place_to_break);
}

QString nameOfAction(QString text) {
    static const QRegularExpression letter(QStringLiteral(R"(\(&.\))"));
    return text.remove(letter).remove('&').remove(QStringLiteral("…"));
}

QString freeFolder(const QString& parent, const QString& name) {
    const QString wanted = parent + "/" + name;
    QString free = wanted;
    for (int number = 2; QFileInfo::exists(free); ++number) free = QStringLiteral("%1-%2").arg(wanted).arg(number);
    return free;
}

}  // namespace kernelgen::studio
