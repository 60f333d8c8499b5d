// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/sources/syntax.h"

#include <KSyntaxHighlighting/Definition>
#include <KSyntaxHighlighting/Format>
#include <KSyntaxHighlighting/Theme>
#include <QPalette>
#include <QThread>
#include <QtConcurrentRun>

namespace kernelgen::studio {

namespace {

constexpr const char* kernel_language = "ISO C++";

/// A language is read when something of it is asked for, and all themes when one is to be chosen.
Syntax read(QThread* gui) {
    auto syntax = std::make_shared<KSyntaxHighlighting::Repository>();
    for (const QString language : {kernel_language, "Python"}) {
        const auto definition = syntax->definitionForName(language);
        (void)definition.formats();
        for (const auto& each : definition.includedDefinitions()) (void)each.formats();
    }
    (void)syntax->themeForPalette(QPalette(Qt::white));
    syntax->moveToThread(gui);
    return syntax;
}

}  // namespace

const QFuture<Syntax>& sourceSyntax() {
    static const QFuture<Syntax> only = QtConcurrent::run(read, QThread::currentThread());
    return only;
}

KSyntaxHighlighting::Definition languageOf(const QString& file, const Syntax& syntax) {
    const bool is_cuda = file.endsWith(".cu") || file.endsWith(".cuh");
    return is_cuda ? syntax->definitionForName(kernel_language) : syntax->definitionForFileName(file);
}

}  // namespace kernelgen::studio
