// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/application/language.h"

#include <QCoreApplication>
#include <QLibraryInfo>

namespace kernelgen::studio {

Language::Language(const QString& code) {
    const QLocale locale = code.isEmpty() ? QLocale::system() : QLocale(code);
    QLocale::setDefault(locale);
    const bool chinese = locale.language() == QLocale::Chinese;
    if (studio_.load(chinese ? ":/i18n/studio_zh_CN.qm" : ":/i18n/studio_en.qm")) {
        QCoreApplication::installTranslator(&studio_);
    }
    if (!chinese) return;
    if (qt_.load(locale, "qtbase", "_", QLibraryInfo::path(QLibraryInfo::TranslationsPath))) {
        QCoreApplication::installTranslator(&qt_);
    }
}

Language::~Language() {
    QCoreApplication::removeTranslator(&studio_);
    QCoreApplication::removeTranslator(&qt_);
    QLocale::setDefault(before_);
}

Tongue tongueOfInterface() { return QLocale().language() == QLocale::Chinese ? Tongue::chinese : Tongue::english; }

}  // namespace kernelgen::studio
