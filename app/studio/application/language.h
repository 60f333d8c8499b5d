// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocale>
#include <QString>
#include <QTranslator>

#include "core/report/report.h"

namespace kernelgen::studio {

/// The language of the interface while this lives.
class Language {
public:
    /// "en", "zh_CN", or "" for the system's; English where there is no translation.
    explicit Language(const QString& code);
    ~Language();

private:
    QLocale before_;
    QTranslator studio_;
    QTranslator qt_;
};

/// The language of the core's documents and phrases that belongs to this interface.
Tongue tongueOfInterface();

}  // namespace kernelgen::studio
