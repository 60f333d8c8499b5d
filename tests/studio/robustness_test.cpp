// SPDX-License-Identifier: GPL-3.0-or-later
// What must not bring the window down: kernels that misbehave, and a user who clicks anywhere.
#include <QAction>
#include <QApplication>
#include <QElapsedTimer>
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
    void randomClicksDragsAndKeysLeaveTheWindowStanding_data();
    void randomClicksDragsAndKeysLeaveTheWindowStanding();
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

/// The keys of an action of the window, or one for what has the focus. None that leaves the program, or asks where on
/// the disk something is.
void pressSomething(MainWindow& window, QRandomGenerator& random) {
    if (random.bounded(2) == 0) {
        constexpr Qt::Key keys[] = {Qt::Key_Tab,    Qt::Key_Return, Qt::Key_Escape, Qt::Key_Up,   Qt::Key_Down,
                                    Qt::Key_Left,   Qt::Key_Right,  Qt::Key_Space,  Qt::Key_Home, Qt::Key_End,
                                    Qt::Key_Delete, Qt::Key_A,      Qt::Key_1,      Qt::Key_Plus, Qt::Key_Backspace};
        QWidget* focus = QApplication::focusWidget();
        return QTest::keyClick(focus == nullptr ? &window : focus, keys[random.bounded(int(std::size(keys)))]);
    }
    QList<QKeySequence> possible;
    for (const QAction* each : window.findChildren<QAction*>()) {
        const QString name = each->shortcut().toString();
        const bool is_of_disk =
            QStringList{"Ctrl+Q", "Ctrl+W", "Ctrl+O", "Ctrl+N", "Ctrl+I", "Ctrl+Shift+S", "Ctrl+Shift+E", "Ctrl+M"}
                .contains(name);
        if (!name.isEmpty() && !is_of_disk && each->isEnabled()) possible << each->shortcut();
    }
    if (possible.isEmpty()) return;
    const QKeyCombination keys = possible[random.bounded(int(possible.size()))][0];
    QTest::keyClick(&window, keys.key(), keys.keyboardModifiers());
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

void RobustnessTest::randomClicksDragsAndKeysLeaveTheWindowStanding_data() {
    QTest::addColumn<quint32>("seed");
    for (const quint32 seed : {1u, 2u, 3u, 4u}) QTest::addRow("seed %u", seed) << seed;
}

/// At night the four take ten minutes.
void RobustnessTest::randomClicksDragsAndKeysLeaveTheWindowStanding() {
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
    QElapsedTimer clock;
    clock.start();
    for (int i = 0; i < 200 || (testing::isNight() && clock.elapsed() < 150'000); ++i) {
        if (random.bounded(4) == 0) pressSomething(window, random);
        else clickSomewhere(window, random);
        if (i % 10 == 0) QTest::qWait(1);
    }
    QVERIFY(window.isVisible());
    studio.session().queue().clear();
    studio.session().engine().stopAndWait();
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::RobustnessTest)
#include "robustness_test.moc"
