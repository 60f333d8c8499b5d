// SPDX-License-Identifier: GPL-3.0-or-later
// What must not bring the window down: kernels that misbehave, and a user who clicks anywhere.
#include <QApplication>
#include <QMenu>
#include <QRandomGenerator>
#include <QTest>
#include <QTextCursor>
#include <QTimer>

#include "app/studio/window/main_window.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::Studio;
using testing::waitUntil;

class RobustnessTest : public QObject {
    Q_OBJECT

private slots:
    void aHostileKernelIsARedRowAndTheNextRunIsRight_data();
    void aHostileKernelIsARedRowAndTheNextRunIsRight();
    void randomClicksAndDragsLeaveTheWindowStanding_data();
    void randomClicksAndDragsLeaveTheWindowStanding();
};

namespace {

/// Whatever opens by itself or by a click is closed again.
class DialogCloser : public QObject {
public:
    DialogCloser() {
        timer_.callOnTimeout(this, [] {
            if (QWidget* popup = QApplication::activePopupWidget()) popup->close();
            if (QWidget* dialog = QApplication::activeModalWidget()) dialog->close();
        });
        timer_.start(20);
    }

private:
    QTimer timer_;
};

QPoint anywhere(const QWidget& widget, QRandomGenerator& random) {
    return {random.bounded(widget.width()), random.bounded(widget.height())};
}

/// A press, perhaps a move, and a release, on what lies there.
void clickSomewhere(MainWindow& window, QRandomGenerator& random) {
    const QPoint place = anywhere(window, random);
    QWidget* target = window.childAt(place);
    if (target == nullptr) return;
    const QPoint from = target->mapFrom(&window, place);
    const bool drags = random.bounded(3) == 0;
    const Qt::MouseButton button = random.bounded(8) == 0 ? Qt::RightButton : Qt::LeftButton;
    if (!drags) return QTest::mouseClick(target, button, Qt::NoModifier, from);
    QTest::mousePress(target, Qt::LeftButton, Qt::NoModifier, from);
    QTest::mouseMove(target, from + QPoint(random.bounded(-60, 60), random.bounded(-60, 60)));
    QTest::mouseRelease(target, Qt::LeftButton, Qt::NoModifier, anywhere(*target, random));
}

}  // namespace

void RobustnessTest::aHostileKernelIsARedRowAndTheNextRunIsRight_data() {
    QTest::addColumn<QString>("line");
    QTest::addColumn<Status>("status");
    QTest::addColumn<QString>("reason");
    QTest::newRow("null") << "*(volatile int*)nullptr = 1;" << Status::crashed << "SIGSEGV";
    QTest::newRow("loop") << "for (volatile int i = 0;;) i = i + 1;" << Status::timed_out << "limit";
    QTest::newRow("mistake") << "this is no C++;" << Status::build_failed << "bias_add.cpp";
    QTest::newRow("nothing") << "return;" << Status::unwritten << "out";
    if (!testing::isNight()) return;
    QTest::newRow("abort") << "__builtin_trap();" << Status::crashed << "SIGILL";
    QTest::newRow("exit") << "_Exit(3);" << Status::crashed << "status 3";
    QTest::newRow("past the end") << "out[P * D] = 1;" << Status::out_of_bounds << "out";
    QTest::newRow("input") << "const_cast<DTYPE*>(x)[0] += 1;" << Status::input_modified << "input";
}

void RobustnessTest::aHostileKernelIsARedRowAndTheNextRunIsRight() {
    QFETCH(QString, line);
    QFETCH(Status, status);
    QFETCH(QString, reason);
    Studio studio;
    studio.settings().setCallTimeoutSeconds(status == Status::timed_out ? 1 : 60);
    studio.open();
    Session& session = studio.session();
    MainWindow window(session);
    window.show();
    QTextDocument& text = session.document().source("bias_add.cpp")->document();
    QTextCursor cursor = text.find("const kg::Tile rows");
    QVERIFY(!cursor.isNull());
    cursor.movePosition(QTextCursor::StartOfLine);
    cursor.insertText(line + "\n");
    session.run("hostile");
    QVERIFY(waitUntil([&] { return session.rounds().history().rounds.size() == 1; }));
    const Round round = session.rounds().history().rounds[0];
    QCOMPARE(round.status, status);
    QVERIFY2(QString::fromStdString(round.reason).contains(reason), round.reason.text().c_str());
    session.document().undoStack().undo();
    session.verify();
    QVERIFY(waitUntil([&] { return !session.engine().isRunning(); }));
    QVERIFY(session.log().entries().back().severity == Severity::success);
}

void RobustnessTest::randomClicksAndDragsLeaveTheWindowStanding_data() {
    QTest::addColumn<quint32>("seed");
    for (const quint32 seed : {1u, 2u, 3u, 4u}) QTest::addRow("seed %u", seed) << seed;
}

void RobustnessTest::randomClicksAndDragsLeaveTheWindowStanding() {
    QFETCH(quint32, seed);
    Studio studio;
    testing::writeHistory(studio.folder(), 20);
    studio.open();
    MainWindow window(studio.session());
    window.resize(1300, 850);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    const DialogCloser closer;
    QRandomGenerator random(seed);
    for (int i = 0; i < 200; ++i) {
        clickSomewhere(window, random);
        if (i % 10 == 0) QTest::qWait(1);
    }
    QVERIFY(window.isVisible());
    studio.session().engine().stopAndWait();
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::RobustnessTest)
#include "robustness_test.moc"
