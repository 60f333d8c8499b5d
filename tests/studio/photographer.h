// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of a window, and what a person does in it between two of them.
#pragma once

#include <QAction>
#include <QScreen>
#include <QTabBar>
#include <QTest>
#include <cstdio>

#include "app/studio/window/main_window.h"
#include "tests/studio/fixtures.h"

namespace kernelgen::studio::testing {

class Photographer {
public:
    explicit Photographer(QString folder) : folder_(std::move(folder)) {}

    /// Takes a picture of the window as the screen shows it, once it has drawn everything.
    void take(QWidget& window, const QString& name) const {
        QTest::qWait(700);
        const QString file = folder_ + "/" + name + ".png";
        const bool saved = window.screen()->grabWindow(window.winId()).save(file);
        std::printf("%s %s\n", saved ? "wrote" : "cannot write", qPrintable(file));
    }

private:
    QString folder_;
};

inline void show(MainWindow& window) {
    window.resize(1560, 960);
    window.show();
    if (!QTest::qWaitForWindowExposed(&window)) qFatal("the window does not appear");
    window.activateWindow();
    if (!QTest::qWaitForWindowActive(&window)) qFatal("the window does not become active");
}

/// Gives a window the keyboard again, which a dialog had.
inline void activate(MainWindow& window) {
    window.activateWindow();
    if (!QTest::qWaitForWindowActive(&window)) qFatal("the window does not become active");
}

/// The first visible widget of a part that takes the focus.
inline QWidget* focusable(QWidget* part) {
    for (QWidget* each : part->findChildren<QWidget*>()) {
        if ((each->focusPolicy() & Qt::TabFocus) != 0 && each->isVisible()) return each;
    }
    return part;
}

/// Does what a key of the menus does.
inline void press(const MainWindow& window, const char* keys) {
    QAction* wanted = nullptr;  // menus are filled anew by some actions
    for (QAction* each : window.findChildren<QAction*>()) {
        if (each->shortcut() == QKeySequence(keys)) wanted = each;
    }
    if (wanted != nullptr) wanted->trigger();
}

inline void makeCasesLarger(ProjectDocument& document) {
    document.edit("cases", [](Project& project) {
        project.cases = {{.name = "2048x2048 f32", .dtype = DType::f32, .sizes = {{"P", 2048}, {"D", 2048}}},
                         {.name = "4096x1024 bf16", .dtype = DType::bf16, .sizes = {{"P", 4096}, {"D", 1024}}}};
        project.performance.baseline = {{"", "library"}};
        project.performance.budget_seconds = 2;
    });
    if (!document.save()) qFatal("the project cannot be saved");
}

inline void runRound(Session& session, const QString& note) {
    session.run(note);
    waitUntil([&] { return !session.engine().isRunning(); }, 120000);
    waitUntil([&] { return !session.rounds().isLoading(); });
}

inline void openTab(const MainWindow& window, const QString& title) {
    for (QTabBar* bar : window.findChildren<QTabBar*>()) {
        for (int i = 0; i < bar->count(); ++i) {
            if (bar->tabText(i) == title) bar->setCurrentIndex(i);
        }
    }
}

void photographTunings(const Photographer& photographer);
void photographModels(const Photographer& photographer);
void photographErrorMaps(const Photographer& photographer);
void photographDiagnoses(const Photographer& photographer);
void photographWorkplace(const Photographer& photographer);
void photographAt200Percent(const Photographer& photographer);
void photographScales(const Photographer& photographer);

}  // namespace kernelgen::studio::testing
