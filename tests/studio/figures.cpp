// SPDX-License-Identifier: GPL-3.0-or-later
// The figures of the window, as measured here and now; with the argument `tuning` those of the Tuning tab alone.
// Times of one machine, not tests.
#include <QApplication>
#include <QDateTime>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QProcess>
#include <QSlider>
#include <QTabWidget>
#include <QTableView>
#include <QTest>
#include <QTextCursor>
#include <QTimer>
#include <algorithm>
#include <cstdio>

#include "app/studio/diagnosis/finding_card.h"
#include "app/studio/theme/theme.h"
#include "app/studio/window/main_window.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/stall_meter.h"

namespace kernelgen::studio {

namespace {

using testing::StallMeter;
using testing::Studio;
using testing::waitUntil;

/// Lets posted events be handled: they are, between two turns of a timer.
void letEverythingBeDrawn() {
    for (int i = 0; i < 3; ++i) {
        QTimer turn;
        turn.setSingleShot(true);
        turn.start(0);
        waitUntil([&turn] { return !turn.isActive(); });
    }
}

void print(const char* what, const char* asked, double value, const char* unit) {
    std::printf("%-58s %-10s %8.1f %s\n", what, asked, value, unit);
    std::fflush(stdout);
}

double secondsToStart(const QString& project) {
    QElapsedTimer timer;
    timer.start();
    QProcess process;
    process.start(KERNELGEN_STUDIO, {"--exit-when-shown", project});
    if (!process.waitForFinished(30000) || process.exitCode() != 0) qFatal("the studio does not start");
    return static_cast<double>(timer.elapsed()) * 1e-3;
}

void measureStart() {
    const Studio studio;
    secondsToStart(studio.folder());  // reads the files of the libraries
    std::vector<double> times;
    for (int i = 0; i < 5; ++i) times.push_back(secondsToStart(studio.folder()));
    std::ranges::sort(times);
    print("start to a usable window and its end, warm (median of 5)", "<= 0.7 s", times[2], "s");
}

void measureManyRounds() {
    Studio studio;
    testing::writeHistory(studio.folder(), 10000);
    MainWindow window(studio.session());
    window.show();
    QTest::qWait(500);
    QElapsedTimer timer;
    timer.start();
    StallMeter stall;
    studio.open();
    waitUntil([&] { return studio.session().rounds().history().rounds.size() == 10000; });
    letEverythingBeDrawn();
    print("10,000 rounds: to charts drawn", "<= 1.5 s", static_cast<double>(timer.elapsed()) * 1e-3, "s");
    QTest::qWait(2000);  // what is still done afterwards counts as a stall too
    stall.print("10,000 rounds: longest stall while opening");
}

/// From the end of a run of the plain loop to its cards with their strategies, the panel in front.
void measureDiagnosis() {
    Studio studio("softmax");
    MainWindow window(studio.session());
    window.resize(1920, 1080);
    window.show();
    studio.open();
    Session& session = studio.session();
    session.setVariant("naive");
    QTest::qWait(500);
    window.findChild<QDockWidget*>("diagnosis")->raise();
    const auto has_cards = [&] {
        return session.diagnoses().causes() &&
               std::ranges::any_of(window.findChildren<FindingCard*>(), &QWidget::isVisible);
    };
    std::vector<double> to_cards, to_strategies;
    for (int i = 0; i < 5; ++i) {
        QElapsedTimer timer;
        std::optional<StallMeter> stall;
        QObject::connect(
            &session.engine(), &Engine::runFinished, &window, [&] { timer.start(), stall.emplace(); },
            Qt::SingleShotConnection);
        session.run("");
        waitUntil([&] { return timer.isValid(); });
        waitUntil(has_cards);
        to_cards.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
        waitUntil([&] { return session.diagnoses().strategies() != nullptr; });
        to_strategies.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
        letEverythingBeDrawn();
        stall->print("diagnosis: longest stall after a run");
    }
    for (auto* each : {&to_cards, &to_strategies}) std::ranges::sort(*each);
    print("diagnosis: from a run's end to its cards (median of 5)", "<= 100 ms", to_cards[2], "ms");
    print("diagnosis: ... with strategies (median of 5)", "", to_strategies[2], "ms");
}

/// Every chart of the tuning that is shown, one after the other, and its table sorted.
void showEveryChart(const QDockWidget& dock, const char* what) {
    StallMeter stall;
    for (QTabWidget* tabs : dock.findChildren<QTabWidget*>()) {
        for (int i = 0; i < tabs->count(); ++i) {
            tabs->setCurrentIndex(i);
            QTest::qWait(400);
        }
    }
    auto* table = dock.findChild<QTableView*>("tried_table");
    for (const int column : {2, 6, 1}) {
        table->sortByColumn(column, Qt::AscendingOrder);
        QTest::qWait(100);
    }
    stall.print(what);
}

/// The results of `tuning` come in as those of another one, a thousand at a time.
void letThemComeIn(Tunings& tunings, const Tuning& tuning, const QDockWidget& dock, const char* what) {
    StallMeter growing;
    TuningNews news{{}, tuning.head, {}};
    news.head->number = tunings.numbers().back() + 1;
    for (int part = 0; part < 10; ++part) {
        for (QTabWidget* tabs : dock.findChildren<QTabWidget*>()) {
            tabs->setCurrentIndex(part % tabs->count());
            QTest::qWait(50);  // nobody clicks on two tabs in one turn of the event loop
        }
        news.tried.assign(tuning.tried.begin() + part * 1000, tuning.tried.begin() + (part + 1) * 1000);
        tunings.take(news);
        QTest::qWait(300);
    }
    growing.print(what);
}

/// A tuning of 10,000 configurations, in the tab as it is at first and in a window of its own that fills the screen.
void measureManyTried() {
    Studio studio;
    const Tuning tuning = testing::exampleTuning(10000);
    testing::writeTuning(studio.folder(), tuning);
    MainWindow window(studio.session());
    window.resize(1920, 1080);
    window.show();
    studio.open();
    Tunings& tunings = studio.session().tunings();
    waitUntil([&] { return tunings.shown() != nullptr; });
    QTest::qWait(500);  // until then the window brings other tabs to the front
    auto* dock = window.findChild<QDockWidget*>("tuning");
    dock->raise();
    QTest::qWait(1500);
    if (dock->visibleRegion().isEmpty()) qFatal("the Tuning tab is not in front");
    showEveryChart(*dock, "10,000 configurations: longest stall, charts and table");
    letThemComeIn(tunings, tuning, *dock, "10,000 configurations: longest stall as they come in");
    dock->setFloating(true);
    dock->resize(1920, 1080);
    QTest::qWait(1500);
    showEveryChart(*dock, "... filling the screen: longest stall, charts and table");
    letThemComeIn(tunings, tuning, *dock, "... filling the screen: longest stall as they come in");
}

void measureRun(Studio& studio) {
    Session& session = studio.session();
    session.document().edit("larger", [](Project& project) {
        for (auto& [symbol, size] : project.cases[0].sizes) size = 2048;
        project.performance.budget_seconds = 2;
    });
    StallMeter stall;
    session.run("figures");
    waitUntil([&] { return !session.engine().isRunning(); }, 120000);
    waitUntil([&] { return session.rounds().history().rounds.size() == 1; });
    QTest::qWait(1500);
    stall.print("full run: longest stall");
}

void measureStop(Studio& studio) {
    Engine& engine = studio.session().engine();
    studio.session().document().edit("long", [](Project& project) { project.performance.budget_seconds = 600; });
    bool timing = false;
    QObject::connect(&engine, &Engine::runProgressed, &engine,
                     [&](const QString& stage) { timing = timing || stage.startsWith("bench"); });
    studio.session().run("to be stopped");
    waitUntil([&] { return timing || !engine.isRunning(); });
    QTest::qWait(300);
    QElapsedTimer timer;
    timer.start();
    engine.stop();
    waitUntil([&] { return !engine.isRunning(); });
    print("Stop, while timing: to the end of the run", "<= 1 s", static_cast<double>(timer.elapsed()) * 1e-3, "s");
}

QSlider* sliderOf(const MainWindow& window, const QString& tunable) {
    for (QSlider* slider : window.findChildren<QSlider*>()) {
        if (slider->accessibleName().contains(tunable)) return slider;
    }
    qFatal("no slider of that tunable");
}

/// Milliseconds from the key that moves the slider to the result of its build.
double millisecondsToBuild(QSlider& slider, Engine& engine, Qt::Key key, bool& cached) {
    bool finished = false;
    const auto connection =
        QObject::connect(&engine, &Engine::buildFinished, &slider, [&](const BuildOutcome& outcome) {
            finished = true;
            cached = outcome.result.cached;
        });
    QElapsedTimer timer;
    timer.start();
    QTest::keyClick(&slider, key);
    waitUntil([&] { return finished; });
    QCoreApplication::processEvents();
    QObject::disconnect(connection);
    return static_cast<double>(timer.nsecsElapsed()) * 1e-6;
}

void measureSliders(Studio& studio, const MainWindow& window) {
    Engine& engine = studio.session().engine();
    QSlider* slider = sliderOf(window, "BLOCK_M");
    slider->setFocus();
    // A line that no cache has seen: every configuration is built once.
    QTextCursor(&studio.session().document().source("bias_add.cpp")->document())
        .insertText("// " + QString::number(QDateTime::currentMSecsSinceEpoch()) + "\n");
    QTest::qWait(3000);
    std::vector<double> cold, warm;
    bool cached = false;
    for (const Qt::Key key : {Qt::Key_Left, Qt::Key_Left, Qt::Key_Right, Qt::Key_Left, Qt::Key_Right}) {
        const double time = millisecondsToBuild(*slider, engine, key, cached);
        (cached ? warm : cold).push_back(time);
        QTest::qWait(200);
    }
    if (!warm.empty()) print("slider to shown build, cached (longest)", "<= 100 ms", std::ranges::max(warm), "ms");
    if (!cold.empty()) print("slider to shown build, cold (longest)", "<= 2000 ms", std::ranges::max(cold), "ms");
    StallMeter stall;
    for (int i = 0; i < 60; ++i) {
        QTest::keyClick(slider, i % 12 < 6 ? Qt::Key_Left : Qt::Key_Right);
        QTest::qWait(15);
    }
    QTest::qWait(1500);
    stall.print("slider drags: longest stall");
}

void measureMainJob() {
    Studio studio;
    studio.open();
    MainWindow window(studio.session());
    window.show();
    if (!QTest::qWaitForWindowExposed(&window)) qFatal("the window does not appear");
    waitUntil([&] { return !studio.session().engine().devices().empty(); });
    QTest::qWait(1500);
    measureSliders(studio, window);
    measureRun(studio);
    measureStop(studio);
}

}  // namespace

}  // namespace kernelgen::studio

int main(int count, char** values) {
    using namespace kernelgen::studio;
    QApplication application(count, values);
    applyTheme(Theme::light);
    std::printf("%-58s %-10s %8s\n", "what", "asked", "measured");
    if (application.arguments().contains("tuning")) {
        measureManyTried();
        return 0;
    }
    measureStart();
    measureManyRounds();
    measureManyTried();
    measureDiagnosis();
    measureMainJob();
}
