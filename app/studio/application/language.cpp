// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/application/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>

namespace kernelgen::studio {

Language::Language(const QString& code) {
    const QLocale locale = code.isEmpty() ? QLocale::system() : QLocale(code);
    QLocale::setDefault(locale);
    if (locale.language() != QLocale::Chinese) return;
    if (studio_.load(":/i18n/studio_zh_CN.qm")) QCoreApplication::installTranslator(&studio_);
    if (qt_.load(locale, "qtbase", "_", QLibraryInfo::path(QLibraryInfo::TranslationsPath))) {
        QCoreApplication::installTranslator(&qt_);
    }
}

Language::~Language() {
    QCoreApplication::removeTranslator(&studio_);
    QCoreApplication::removeTranslator(&qt_);
}

Tongue tongueOfInterface() { return QLocale().language() == QLocale::Chinese ? Tongue::chinese : Tongue::english; }

}  // namespace kernelgen::studio
