// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/start/application.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QStyleHints>
#include <QTimer>
#include <cstdio>
#include <memory>
#include <optional>

#include "app/studio/application/language.h"
#include "app/studio/application/text.h"
#include "app/studio/export/export_log.h"
#include "app/studio/start/windows.h"
#include "app/studio/theme/icons.h"
#include "app/studio/theme/theme.h"
#include "core/base/version.h"
#include "core/project/project_file.h"

namespace kernelgen::studio {

namespace {

struct Arguments {
    QString project;
    bool only_export = false;
    bool exit_when_shown = false;
    Tongue tongue = Tongue::english;
};

Arguments parseArguments(const QCoreApplication& application) {
    QCommandLineParser parser;
    parser.setApplicationDescription(
        "The window of KernelGen: from an operator's definition to a verified, tuned and "
        "documented kernel.");
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addPositionalArgument("PROJECT", "A project's folder or its project.json", "[PROJECT]");
    const QCommandLineOption only_export("export",
                                         "Write PROJECT's optimization_log.md with its charts; needs no display");
    const QCommandLineOption language("lang", "Of the exported log: en or zh", "LANG", "en");
    const QCommandLineOption exit_when_shown("exit-when-shown",
                                             "End once the window is drawn and idle, to time its start");
    parser.addOptions({only_export, language, exit_when_shown});
    parser.process(application);
    const QStringList positional = parser.positionalArguments();
    const QString tongue = parser.value(language);
    const char* wrong = positional.size() > 1                               ? "give one project"
                        : parser.isSet(only_export) && positional.isEmpty() ? "--export needs a project"
                        : tongue != "en" && tongue != "zh"                  ? "--lang is en or zh"
                                                                            : nullptr;
    if (wrong != nullptr) {
        std::fprintf(stderr, "kernelgen-studio: %s; --help says more\n", wrong);
        std::exit(1);
    }
    return {.project = positional.value(0),
            .only_export = parser.isSet(only_export),
            .exit_when_shown = parser.isSet(exit_when_shown),
            .tongue = tongue == "zh" ? Tongue::chinese : Tongue::english};
}

int exportOnly(const Arguments& arguments) {
    const Validated<Project> project = load_project(arguments.project.toStdString());
    if (!project) {
        std::fputs(to_string(project.error()).text().c_str(), stderr);
        return 1;
    }
    Result<History> history = load_history(project->folder);
    if (!history) {
        std::fprintf(stderr, "kernelgen-studio: %s\n", history.error().message.text().c_str());
        return 1;
    }
    const Language language(arguments.tongue == Tongue::chinese ? "zh_CN" : "en");
    LogExport log_export(*project, std::make_shared<const History>(std::move(*history)), arguments.tongue);
    QObject::connect(&log_export, &LogExport::finished, qApp, &QCoreApplication::quit, Qt::QueuedConnection);
    log_export.start();
    QApplication::exec();
    const Result<ExportedLog>& exported = log_export.result();
    if (!exported) {
        std::fprintf(stderr, "kernelgen-studio: %s\n", exported.error().message.text().c_str());
        return 1;
    }
    std::printf("wrote %s and %zu charts\n", exported->log.c_str(), exported->charts.size());
    return 0;
}

}  // namespace

int runStudio(int count, char** values) {
    for (int i = 1; i < count; ++i) {
        if (std::string_view(values[i]) == "--export") qputenv("QT_QPA_PLATFORM", "offscreen");
    }
    QApplication application(count, values);
    QCoreApplication::setApplicationName("kernelgen-studio");
    QCoreApplication::setApplicationVersion(version);
    QGuiApplication::setApplicationDisplayName({});
    QGuiApplication::setDesktopFileName("org.kernelgen.studio");
    QGuiApplication::setWindowIcon(icon("kernelgen-studio", {}));
    QApplication::setQuitOnLastWindowClosed(true);
    const Arguments arguments = parseArguments(application);
    if (arguments.only_export) {
        applyTheme(Theme::light);
        return exportOnly(arguments);
    }
    Settings settings;
    applyTheme(settings.theme());
    Session session(settings);
    Windows windows(session);
    session.applyWorkerSettings();
    QObject::connect(QGuiApplication::styleHints(), &QStyleHints::colorSchemeChanged, &session, [&settings] {
        if (settings.theme() == Theme::system) applyTheme(Theme::system);
    });
    if (!arguments.project.isEmpty()) windows.window().openProject(arguments.project);
    // The panels are shown in three turns; what had been posted, drawing included, is done between two turns.
    int turns = 5;
    QTimer each_turn;
    each_turn.callOnTimeout(&application, [&turns] {
        if (--turns == 0) QApplication::quit();
    });
    if (arguments.exit_when_shown) each_turn.start(0);
    return QApplication::exec();
}

}  // namespace kernelgen::studio
