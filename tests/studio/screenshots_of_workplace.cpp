// SPDX-License-Identifier: GPL-3.0-or-later
// Pictures of the window as a workplace: the palette, the assembly beside its source, the named layouts, the help.
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTextCursor>
#include <QToolButton>

#include "app/studio/application/language.h"
#include "app/studio/application/text.h"
#include "app/studio/assembly/assembly_panel.h"
#include "app/studio/help/help_window.h"
#include "app/studio/palette/command_palette.h"
#include "app/studio/queue/queue_dialog.h"
#include "app/studio/sources/source_editor.h"
#include "app/studio/theme/theme.h"
#include "tests/studio/photographer.h"

namespace kernelgen::studio::testing {

namespace {

void photographPalette(const Photographer& photographer, MainWindow& window, const QString& suffix) {
    auto* palette = child<CommandPalette>(window, "command_palette");
    palette->open();
    photographer.take(window, "w1-palette-" + suffix);
    child<QLineEdit>(*palette, "command_typed")->setText("ru");
    photographer.take(window, "w2-palette-typed-" + suffix);
    palette->open();
}

void photographAssembly(const Photographer& photographer, MainWindow& window, const QString& suffix) {
    auto* panel = window.findChild<AssemblyPanel*>();
    press(window, "Ctrl+3");
    waitUntil([&] { return panel->code() != nullptr; });
    auto* editor = static_cast<SourceEditor*>(child<QTabWidget>(window, "sources")->currentWidget());
    editor->setFocus();
    if (panel->code() != nullptr && !panel->code()->by_source.empty()) {
        const auto& lines = panel->code()->by_source.front();
        int longest = 0;
        std::size_t most = 0;
        for (const auto& [line, rows] : lines) {
            if (rows.size() > most) std::tie(longest, most) = std::pair(line, rows.size());
        }
        editor->goTo(longest, 1);
    }
    photographer.take(window, "w3-diagnose-" + suffix);
    auto* code = child<QTableView>(*panel, "code");
    for (QAction* each : code->actions()) {
        if (each->objectName() == "fold_loops") each->trigger();
    }
    photographer.take(window, "w3-diagnose-folded-" + suffix);
    for (QAction* each : code->actions()) {
        if (each->objectName() == "unfold_all") each->trigger();
    }
    press(window, "Ctrl+1");
    photographer.take(window, "w4-define-" + suffix);
    press(window, "Ctrl+2");
    photographer.take(window, "w5-tune-" + suffix);
    press(window, "Ctrl+Shift+L");
}

/// What another value of a tunable changes in the code; and the queue with its dialog.
void photographQueue(const Photographer& photographer, MainWindow& window, Session& session, const QString& suffix) {
    auto* panel = window.findChild<AssemblyPanel*>();
    press(window, "Ctrl+3");
    auto* against = child<QComboBox>(*panel, "code_against");
    against->setCurrentIndex(AssemblyPanel::present);
    emit against->activated(AssemblyPanel::present);
    const Tunable& last = session.variant()->tunables.back();
    session.document().setTunable("host", last.name,
                                  last.value == last.values.front() ? last.values.back() : last.values.front());
    waitUntil([&] { return panel->code() != nullptr && panel->code()->added > 0; }, 20000);
    photographer.take(window, "w11-difference-" + suffix);
    press(window, "Ctrl+Shift+L");
    session.queue().setPaused(true);
    for (int i = 0; i < 3; ++i) session.enqueue("tiles");
    window.findChild<QDockWidget*>("queue")->raise();
    photographer.take(window, "w12-queue-" + suffix);
    QueueDialog dialog(session, &window);
    dialog.show();
    photographer.take(dialog, "w13-queue-runs-" + suffix);
    dialog.close();
    session.queue().clear();
}

/// A column for each tunable, a star, and the help at the place about the rounds.
void photographRounds(const Photographer& photographer, MainWindow& window, const QString& suffix) {
    auto* columns = child<QToolButton>(window, "rounds_columns")->menu();
    emit columns->aboutToShow();
    columns->actions().constFirst()->trigger();
    press(window, "Ctrl+Shift+T");
    window.findChild<QDockWidget*>("rounds")->raise();
    photographer.take(window, "w6-rounds-" + suffix);
    press(window, "Ctrl+Shift+H");
    photographer.take(window, "w7-rounds-best-" + suffix);
    press(window, "Ctrl+Shift+H");
    child<QLineEdit>(window, "rounds_filter")->setFocus();
    press(window, "F1");
    auto* help = window.findChild<HelpWindow*>();
    photographer.take(*help, "w8-help-" + suffix);
    help->goTo("keys");
    photographer.take(*help, "w9-keys-" + suffix);
    child<QLineEdit>(*help, "help_words")->setText("occupancy register");
    photographer.take(*help, "w10-help-found-" + suffix);
    help->close();
}

/// Every step of the tour over the panels; that nothing can run lets the third one be passed over.
void photographTour(const Photographer& photographer, MainWindow& window, Session& session, const QString& suffix) {
    auto *act = child<QPushButton>(window, "tour_act"), *next = child<QPushButton>(window, "tour_next");
    window.takeTour();
    photographer.take(window, "w14-tour-" + suffix);
    next->click();
    photographer.take(window, "w15-tour-slider-" + suffix);
    act->click();
    next->click();
    photographer.take(window, "w16-tour-run-" + suffix);
    const QString device = session.device(), variant = toQt(session.variant()->name);
    session.setDevice("cuda:h200");
    photographer.take(window, "w17-tour-cannot-run-" + suffix);
    next->click();
    session.setDevice(device);
    session.setVariant(variant);
    photographer.take(window, "w18-tour-why-" + suffix);
    act->click();
    next->click();
    photographer.take(window, "w19-tour-log-" + suffix);
    child<QPushButton>(window, "tour_leave")->click();
    session.document().undoStack().undo();
}

void photographAt(const Photographer& photographer, const QSize& size, const QString& suffix) {
    Studio studio("softmax");
    writeHistory(studio.folder(), 40);
    studio.open();
    studio.session().setVariant("host");
    waitUntil([&] { return !studio.session().rounds().isLoading(); });
    studio.session().selectRound(12);
    MainWindow window(studio.session());
    show(window);
    window.resize(size);
    press(window, "Ctrl+Shift+L");
    QTest::qWait(1500);
    photographPalette(photographer, window, suffix);
    photographTour(photographer, window, studio.session(), suffix);
    photographAssembly(photographer, window, suffix);
    photographRounds(photographer, window, suffix);
    photographQueue(photographer, window, studio.session(), suffix);
}

}  // namespace

void photographWorkplace(const Photographer& photographer) {
    const QSize small(1280, 720), large(1920, 1080);
    photographAt(photographer, small, "small-light");
    applyTheme(Theme::dark);
    photographAt(photographer, small, "small-dark");
    applyTheme(Theme::light);
    {
        const Language language("zh_CN");
        photographAt(photographer, small, "small-zh");
    }
    photographAt(photographer, large, "large-light");
}

/// With QT_SCALE_FACTOR=2 it is a screen of 3840 by 2160.
void photographAt200Percent(const Photographer& photographer) {
    const QSize size(1920, 1080);
    photographAt(photographer, size, "4k-light");
    applyTheme(Theme::dark);
    {
        const Language language("zh_CN");
        photographAt(photographer, size, "4k-dark-zh");
    }
    applyTheme(Theme::light);
}

}  // namespace kernelgen::studio::testing
