// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels that misbehave must not bring the window down. (A user who clicks anywhere: random_user.h.)
#include <QTest>
#include <QTextCursor>

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
};

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

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::RobustnessTest)
#include "robustness_test.moc"
