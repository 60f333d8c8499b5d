// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QTableView>
#include <QTest>
#include <QTimer>
#include <QTreeWidget>
#include <cmath>

#include "app/studio/application/text.h"
#include "app/studio/queue/queue_dialog.h"
#include "app/studio/queue/queue_panel.h"
#include "app/studio/window/main_window.h"
#include "app/studio/window/project_files.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::child;
using testing::Studio;
using testing::waitUntil;

namespace {

struct OpenQueue {
    Studio studio;

    OpenQueue() {
        studio.open();
        if (!waitUntil([this] { return !session().engine().devices().empty(); })) qFatal("no devices");
    }
    Session& session() { return studio.session(); }
    RunQueue& queue() { return session().queue(); }
    QueueWish wish(std::vector<std::int64_t> tiles) {
        return {.values = {{"BLOCK_M", std::move(tiles)}},
                .devices = {"cpu"},
                .cases = session().document().project().cases,
                .case_alone = false,
                .note = "queued"};
    }
    void add(const std::vector<std::int64_t>& tiles) { queue().add(QueuePlanner(session()).plan(wish(tiles)).runs); }
    bool hasEnded() {
        return waitUntil([this] { return queue().waiting() == 0 && !queue().isRunning(); }, 240000);
    }
    std::vector<std::int64_t> tiles() {
        std::vector<std::int64_t> values;
        for (const QueuedRun& each : queue().runs()) values.push_back(each.configuration.at("BLOCK_M"));
        return values;
    }
};

}  // namespace

class QueueTest : public QObject {
    Q_OBJECT

private slots:
    void everyCombinationIsARunButForbiddenOnes();
    void whatCannotBeQueuedSaysWhy();
    void theDialogShowsHowManyRunsItWillQueue();
    void runsAreMadeInTheirOrderAndLeaveTheSelectionAlone();
    void oneThatFailsLeavesTheOthersAsTheyAre();
    void waitingRunsMoveAndAreCancelled();
    void stoppingARunPausesTheQueueAndCancellingItDoesNot();
    void aTimeIsToldRoughly();
    void stoppingSomethingElsePausesTheQueue();
    void anUnreachableWorkerPausesTheQueue();
    void leavingTheProjectAsksFirst();
    void whatCannotBeOpenedCostsNoQueue();
    void savingAsAsksFirst();
};

void QueueTest::everyCombinationIsARunButForbiddenOnes() {
    OpenQueue opened;
    const QueuePlanner planner(opened.session());
    QCOMPARE(planner.problem(), QString());
    QueueWish wish = opened.wish({8, 16});
    wish.values["BLOCK_N"] = {64, 128, 256};
    QCOMPARE(planner.plan(wish).runs.size(), 6u);
    wish.case_alone = true;
    QCOMPARE(planner.plan(wish).runs.size(), 6u * wish.cases.size());
    wish.case_alone = false;
    opened.session().document().edit("restrict", [](Project& project) {
        for (Variant& each : project.variants)
            if (each.name == "host") each.restrictions = {"BLOCK_M * BLOCK_N <= 1024"};
    });
    const QueuePlan fewer = QueuePlanner(opened.session()).plan(wish);
    QCOMPARE(fewer.runs.size(), 3u);
    QCOMPARE(fewer.forbidden, 3);
}

void QueueTest::whatCannotBeQueuedSaysWhy() {
    OpenQueue opened;
    const QueuePlanner planner(opened.session());
    QueueWish none = opened.wish({});
    QCOMPARE(planner.plan(none).problem, "Mark a value of BLOCK_M");
    none = opened.wish({8});
    none.cases.clear();
    QCOMPARE(planner.plan(none).problem, "Mark a case");
    none = opened.wish({8});
    none.devices.clear();
    QCOMPARE(planner.plan(none).problem, "Mark a device");
    QueueWish many = opened.wish(std::vector<std::int64_t>(1001, 8));
    QVERIFY(planner.plan(many).problem.startsWith("More than 1000 runs"));
    many = opened.wish(std::vector<std::int64_t>(20001, 8));
    QVERIFY(planner.plan(many).problem.startsWith("More than 20000 combinations"));
    opened.session().document().edit("break", [](Project& project) { project.definition.body = "out = y"; });
    QVERIFY(!QueuePlanner(opened.session()).problem().isEmpty());
    QVERIFY(QueuePlanner(opened.session()).plan(opened.wish({8})).runs.empty());
}

void QueueTest::theDialogShowsHowManyRunsItWillQueue() {
    OpenQueue opened;
    QueueDialog dialog(opened.session());
    auto* tree = child<QTreeWidget>(dialog, "queue_choices");
    auto* button = child<QPushButton>(dialog, "queue_accept");
    QCOMPARE(dialog.runs().size(), 1u);  // what F5 would run
    QTreeWidgetItem* tiles = tree->topLevelItem(0);
    tiles->setCheckState(0, Qt::Checked);
    QCOMPARE(dialog.runs().size(), std::size_t(tiles->childCount()));
    QVERIFY(button->text().contains(QString::number(tiles->childCount())));
    child<QLineEdit>(dialog, "queue_note")->setText("by night");
    QCOMPARE(dialog.runs().front().note, "by night");
    tiles->setCheckState(0, Qt::Unchecked);
    QVERIFY(waitUntil([&] { return !button->isEnabled(); }));
    QVERIFY(child<QLabel>(dialog, "queue_count")->text().startsWith("Mark a value of"));
}

void QueueTest::runsAreMadeInTheirOrderAndLeaveTheSelectionAlone() {
    OpenQueue opened;
    QueueModel model(opened.queue());
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    opened.add({16, 8});
    QVERIFY(!opened.queue().secondsLeft());
    QVERIFY(waitUntil([&] { return opened.session().rounds().history().rounds.size() == 1; }));
    opened.session().selectRound(0);
    QVERIFY(opened.hasEnded());
    for (int i = 0; i < 2; ++i) {
        const QueuedRun& run = opened.queue().runs()[static_cast<std::size_t>(i)];
        QVERIFY2(run.state == QueueState::done, qPrintable(run.problem));
        QCOMPARE(run.round->number, i);
        QCOMPARE(run.round->configuration.at("BLOCK_M"), i == 0 ? 16 : 8);
        QCOMPARE(run.round->note.text(), std::string("queued"));
        QVERIFY(model.index(i, QueueModel::Outcome).data().toString().startsWith(QStringLiteral("Round %1: ").arg(i)));
    }
    QVERIFY(waitUntil([&] { return opened.session().rounds().history().rounds.size() == 2; }));
    QCOMPARE(opened.session().selectedRound(), std::optional(0));  // when the second ended
    // From what has run follows how long what waits will take.
    opened.queue().setPaused(true);
    opened.add({8, 16});
    const std::vector<QueuedRun>& runs = opened.queue().runs();
    QVERIFY(std::abs(opened.queue().secondsLeft().value_or(0) - runs[0].seconds - runs[1].seconds) < 1e-6);
    QueuePanel panel(opened.session());
    const QString head = child<QLabel>(panel, "queue_head")->text();
    QVERIFY2(head.startsWith("2 of 4 done, paused, about "), qPrintable(head));
}

void QueueTest::aTimeIsToldRoughly() {
    QCOMPARE(roughTime(40), "40 s");
    QCOMPARE(roughTime(12 * 60), "12 min");
    QCOMPARE(roughTime(12000), "3 h 20 min");
}

void QueueTest::oneThatFailsLeavesTheOthersAsTheyAre() {
    OpenQueue opened;
    opened.queue().setPaused(true);
    SourceFile* source = opened.session().document().source("bias_add.cpp");
    const QString right = toQt(source->text());
    source->replaceText("#error no kernel\n");
    opened.session().enqueue("wrong");
    source->replaceText(right);
    opened.session().enqueue("right");
    opened.queue().setPaused(false);
    QVERIFY(opened.hasEnded());
    const std::vector<QueuedRun>& runs = opened.queue().runs();
    QCOMPARE(runs[0].round->status, Status::build_failed);
    QCOMPARE(runs[1].round->status, Status::ok);
    QCOMPARE(runs[1].round->note.text(), std::string("right"));
}

void QueueTest::waitingRunsMoveAndAreCancelled() {
    OpenQueue opened;
    opened.queue().setPaused(true);
    opened.add({1, 2, 4, 8});
    QueuePanel panel(opened.session());
    const auto ids = [&](std::initializer_list<int> places) {
        std::set<int> marked;
        for (const int each : places) marked.insert(opened.queue().runs()[static_cast<std::size_t>(each)].id);
        return marked;
    };
    opened.queue().move(ids({2, 3}), true);
    QCOMPARE(opened.tiles(), (std::vector<std::int64_t>{1, 4, 8, 2}));
    opened.queue().move(ids({0}), true);  // the first has none before it
    QCOMPARE(opened.tiles(), (std::vector<std::int64_t>{1, 4, 8, 2}));
    opened.queue().move(ids({0, 1}), false);
    QCOMPARE(opened.tiles(), (std::vector<std::int64_t>{8, 1, 4, 2}));
    opened.queue().cancel(ids({1, 3}));
    QCOMPARE(opened.queue().waiting(), 2);
    QCOMPARE(opened.queue().runs()[1].state, QueueState::cancelled);
    auto* table = child<QTableView>(panel, "queue_table");
    table->selectRow(2);
    table->actions().at(1)->trigger();  // Earlier: past the cancelled one
    QCOMPARE(opened.tiles(), (std::vector<std::int64_t>{4, 1, 8, 2}));
    opened.queue().clearEnded();
    QCOMPARE(opened.tiles(), (std::vector<std::int64_t>{4, 8}));
}

void QueueTest::stoppingARunPausesTheQueueAndCancellingItDoesNot() {
    OpenQueue opened;
    opened.add({8, 16});
    QVERIFY(waitUntil([&] { return opened.queue().isRunning() && opened.session().engine().isRunning(); }));
    opened.session().engine().stop();
    QVERIFY(waitUntil([&] { return opened.queue().isPaused(); }));
    QVERIFY(waitUntil([&] { return !opened.queue().isRunning(); }));
    QCOMPARE(opened.queue().waiting(), 1);
    opened.queue().setPaused(false);
    QVERIFY(waitUntil([&] { return opened.queue().isRunning() && opened.session().engine().isRunning(); }));
    opened.queue().cancel({opened.queue().runs()[1].id});
    QVERIFY(opened.hasEnded());
    QVERIFY(!opened.queue().isPaused());
    QCOMPARE(opened.queue().runs()[1].state, QueueState::cancelled);
}

void QueueTest::stoppingSomethingElsePausesTheQueue() {
    OpenQueue opened;
    opened.session().verify();
    opened.add({8});
    QVERIFY(opened.session().engine().isRunning());
    opened.session().engine().stop();
    QVERIFY(opened.queue().isPaused());
    QVERIFY(waitUntil([&] { return !opened.session().engine().isRunning(); }));
    QCoreApplication::processEvents();
    QVERIFY(!opened.session().engine().isRunning());
    QCOMPARE(opened.queue().waiting(), 1);
}

void QueueTest::anUnreachableWorkerPausesTheQueue() {
    OpenQueue opened;
    opened.queue().setPaused(true);
    opened.add({8, 16});
    opened.session().engine().setWorker({"/nowhere/kernelgen", "worker"}, {});
    opened.queue().setPaused(false);
    QVERIFY(waitUntil([&] { return opened.queue().isPaused() && !opened.queue().isRunning(); }));
    QCOMPARE(opened.queue().waiting(), 2);
    QCOMPARE(opened.tiles(), (std::vector<std::int64_t>{8, 16}));
    QVERIFY(!opened.queue().whyPaused().isEmpty());
    QueuePanel panel(opened.session());
    QVERIFY(child<QLabel>(panel, "queue_head")->text().contains(opened.queue().whyPaused()));
    opened.session().applyWorkerSettings();
    opened.queue().setPaused(false);
    QVERIFY(opened.queue().whyPaused().isEmpty());
    QVERIFY(opened.hasEnded());
    QCOMPARE(opened.queue().runs()[1].state, QueueState::done);
}

void QueueTest::whatCannotBeOpenedCostsNoQueue() {
    OpenQueue opened;
    opened.queue().setPaused(true);
    opened.add({8, 16});
    MainWindow window(opened.session());
    QTimer::singleShot(100, [] {
        if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) box->accept();
    });
    window.findChild<ProjectFiles*>()->open(opened.studio.folder() + "-gone");
    QCOMPARE(opened.queue().waiting(), 2);
}

void QueueTest::savingAsAsksFirst() {
    OpenQueue opened;
    opened.queue().setPaused(true);
    opened.add({8, 16});
    MainWindow window(opened.session());
    const QString copy = opened.studio.folder() + "-other", before = opened.session().document().folder();
    int asked = 0;
    const auto answer = [&](QMessageBox::StandardButton button) {
        QTimer::singleShot(100, [&, button] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            if (dialog == nullptr) return;
            QTimer::singleShot(100, [&, button] {
                auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
                if (box == nullptr) return;
                ++asked;
                box->button(button)->click();
            });
            dialog->selectFile(copy);
            QMetaObject::invokeMethod(dialog, "accept");
        });
    };
    answer(QMessageBox::No);
    window.findChild<ProjectFiles*>()->saveAs();
    QCOMPARE(asked, 1);
    QCOMPARE(opened.queue().waiting(), 2);
    QCOMPARE(opened.session().document().folder(), before);
    answer(QMessageBox::Yes);
    window.findChild<ProjectFiles*>()->saveAs();
    QCOMPARE(asked, 2);
    QVERIFY(opened.queue().runs().empty());
    QVERIFY(opened.session().document().folder() != before);
}

void QueueTest::leavingTheProjectAsksFirst() {
    OpenQueue opened;
    opened.queue().setPaused(true);
    opened.add({8, 16});
    MainWindow window(opened.session());
    window.show();
    int asked = 0;
    const auto answer = [&asked](QMessageBox::StandardButton button) {
        QTimer::singleShot(100, [&asked, button] {
            auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
            if (box == nullptr) return;
            ++asked;
            box->button(button)->click();
        });
    };
    answer(QMessageBox::No);
    QVERIFY(!window.close());
    QCOMPARE(opened.queue().waiting(), 2);
    answer(QMessageBox::Yes);
    QVERIFY(window.close());
    QCOMPARE(asked, 2);
    QVERIFY(opened.queue().runs().empty());
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::QueueTest)
#include "queue_test.moc"
