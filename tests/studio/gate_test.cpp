// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>

#include "app/studio/application/language.h"
#include "app/studio/gate/gate_window.h"
#include "app/studio/gate/trend_view.h"
#include "app/studio/window/main_window.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::child;
using testing::Studio;
using testing::waitUntil;
using testing::writeChecks;

class GateTest : public QObject {
    Q_OBJECT

private slots:
    void withoutABaselineTheWindowSaysWhatToPress();
    void aRoundIsRecordedAndThenChecked();
    void aRecordedRoundIsStoredWithoutARun();
    void aRoundOfAnotherVariantSaysForWhatItIsStored();
    void theTrendHasAMarkForEachCheckAndShowsTheChosenOne();
    void theThresholdsOfACheckAreKept();
    void aCheckCanBeStopped();
    void aFileThatCannotBeReadSaysWhy();
    void aDamagedLineHidesNothingElse();
    void aCaseThatIsGoneHasNoNumbers();
    void aLineWithoutTheStoredErrorsIsShown();
    void theWindowSpeaksChinese();
    void theMenuOpensOneWindow();
};

namespace {

class ShownGate : public GateWindow {
public:
    explicit ShownGate(Session& session) : GateWindow(session) {
        setAttribute(Qt::WA_DeleteOnClose, false);
        show();
    }
};

QPushButton* button(const QWidget& window, const char* name) { return child<QPushButton>(window, name); }
QString text(const QWidget& window, const char* name) { return child<QLabel>(window, name)->text(); }

/// A studio with a recorded round 0, and so many checks against it; none: nothing is stored either.
class RecordedStudio : public Studio {
public:
    explicit RecordedStudio(int checks = 0) {
        testing::writeRound(folder());
        if (checks > 0) writeChecks(folder(), checks);
        open();
    }
    const std::shared_ptr<const Gate>& gate() { return session().gates().gate(); }
};

}  // namespace

void GateTest::withoutABaselineTheWindowSaysWhatToPress() {
    Studio studio;
    studio.open();
    const ShownGate window(studio.session());
    QVERIFY(waitUntil([&] { return text(window, "gate_stored").contains("Press “Record a round”"); }));
    QVERIFY(waitUntil([&] { return button(window, "gate_record")->isEnabled(); }));
    QVERIFY(!button(window, "gate_check")->isEnabled());
    QVERIFY(button(window, "gate_check")->toolTip().contains("record a round first"));
    QVERIFY(!button(window, "gate_store")->isVisible());
    QVERIFY(!button(window, "gate_keep")->isEnabled());
    const auto* trend = child<TrendView>(window, "gate_trend");
    QVERIFY(trend->isEmpty() && trend->message().contains("press Check"));
}

void GateTest::aRoundIsRecordedAndThenChecked() {
    Studio studio;
    studio.open();
    Session& session = studio.session();
    const ShownGate window(session);
    QVERIFY(waitUntil([&] { return button(window, "gate_record")->isEnabled(); }));
    button(window, "gate_record")->click();
    QVERIFY(session.engine().isMakingRound());
    QVERIFY(button(window, "gate_stop")->isVisible());
    QVERIFY(waitUntil([&] { return button(window, "gate_check")->isEnabled(); }));
    QVERIFY2(text(window, "gate_stored").contains("stored is round 0"), qPrintable(text(window, "gate_stored")));
    QVERIFY(waitUntil([&] { return session.rounds().history().rounds.size() == 1; }));
    child<QDoubleSpinBox>(window, "gate_threshold")->setValue(40);
    button(window, "gate_check")->click();
    QVERIFY(session.engine().isRunning() && !session.engine().isMakingRound());
    const auto* table = child<QTableWidget>(window, "gate_table");
    QVERIFY(waitUntil([&] { return table->rowCount() > 0; }, 120000));
    QCOMPARE(table->rowCount(), static_cast<int>(session.document().project().cases.size()));
    const QStringList verdicts{"same", "faster", "slower", "ambiguous"};
    QVERIFY2(verdicts.contains(table->item(0, 1)->text()), qPrintable(table->item(0, 1)->text()));
    QVERIFY2(table->item(0, 2)->text().contains(" ["), qPrintable(table->item(0, 2)->text()));
    QCOMPARE(table->item(0, 3)->text(), "40.0 % (given)");
    QVERIFY(!child<TrendView>(window, "gate_trend")->isEmpty());
    QCOMPARE(session.rounds().history().rounds.size(), 1U);  // a check records none
}

void GateTest::aRecordedRoundIsStoredWithoutARun() {
    RecordedStudio studio;
    const ShownGate window(studio.session());
    QVERIFY(waitUntil([&] { return button(window, "gate_store")->isVisible(); }));
    QCOMPARE(button(window, "gate_store")->text(), "Store round 0");
    button(window, "gate_store")->click();
    QVERIFY(!studio.session().engine().isRunning());
    QVERIFY(waitUntil([&] { return text(window, "gate_stored").contains("stored is round 0"); }));
}

void GateTest::aRoundOfAnotherVariantSaysForWhatItIsStored() {
    RecordedStudio studio;
    studio.session().setVariant("naive");
    const ShownGate window(studio.session());
    QVERIFY(waitUntil([&] { return button(window, "gate_store")->isVisible(); }));
    QCOMPARE(button(window, "gate_store")->text(), "Store round 0 of host");
    button(window, "gate_store")->click();
    QVERIFY(waitUntil([&] { return text(window, "gate_told").contains("stored baseline of host on cpu"); }));
    QVERIFY(text(window, "gate_stored").contains("naive on cpu: nothing is stored yet"));
}

void GateTest::theTrendHasAMarkForEachCheckAndShowsTheChosenOne() {
    RecordedStudio studio(120);
    const ShownGate window(studio.session());
    auto* trend = child<TrendView>(window, "gate_trend");
    QVERIFY(waitUntil([&] { return !trend->isEmpty(); }));
    const std::size_t cases = studio.gate()->stored->cases.size();
    QCOMPARE(studio.gate()->checks.size(), 100U);
    QCOMPARE(trend->marks().size(), 100 * cases);
    QVERIFY(!text(window, "gate_verdict").contains("slower"));
    int slow = -1;
    for (const GateCheck& each : studio.gate()->checks) {
        if (slow >= 0) break;
        if (outcome_of(each) == GateOutcome::slower) slow = static_cast<int>(&each - studio.gate()->checks.data());
    }
    emit trend->rowClicked(slow);
    QVERIFY2(text(window, "gate_verdict").contains("slower"), qPrintable(text(window, "gate_verdict")));
    QCOMPARE(child<QTableWidget>(window, "gate_table")->item(0, 1)->text(), "slower");
    QVERIFY(trend->marks()[static_cast<std::size_t>(slow)].text.contains("slower") || cases > 1);
}

void GateTest::theThresholdsOfACheckAreKept() {
    RecordedStudio studio(1);
    const ShownGate window(studio.session());
    QVERIFY(waitUntil([&] { return button(window, "gate_keep")->isEnabled(); }));
    QVERIFY(!studio.gate()->stored->cases[0].threshold);
    button(window, "gate_keep")->click();
    QVERIFY(waitUntil([&] { return studio.gate()->stored->cases[0].threshold.has_value(); }));
    QCOMPARE(*studio.gate()->stored->cases[0].threshold, 0.015);
    QVERIFY(text(window, "gate_told").contains("count from now on"));
}

void GateTest::aCheckCanBeStopped() {
    RecordedStudio studio(1);
    const ShownGate window(studio.session());
    QVERIFY(waitUntil([&] { return button(window, "gate_check")->isEnabled(); }));
    button(window, "gate_check")->click();
    QSignalSpy progress(&studio.session().engine(), &Engine::runProgressed);
    QVERIFY(waitUntil([&] { return !progress.isEmpty(); }));
    button(window, "gate_stop")->click();
    QVERIFY(waitUntil([&] { return !studio.session().engine().isRunning(); }, 20000));
    QVERIFY2(text(window, "gate_told").contains("stopped"), qPrintable(text(window, "gate_told")));
    QCOMPARE(studio.gate()->checks.size(), 1U);  // none was added
}

void GateTest::aFileThatCannotBeReadSaysWhy() {
    RecordedStudio studio;
    QFile file(studio.folder() + "/gate.json");
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("{ no gate");
    file.close();
    const ShownGate window(studio.session());
    QVERIFY(waitUntil([&] { return text(window, "gate_stored").contains("gate.json"); }));
    QVERIFY(!button(window, "gate_check")->isEnabled());
    QVERIFY(waitUntil([&] { return button(window, "gate_store")->isVisible(); }));
    button(window, "gate_store")->click();
    QVERIFY(waitUntil([&] { return child<QLabel>(window, "gate_told")->isVisible(); }));
}

void GateTest::aDamagedLineHidesNothingElse() {
    RecordedStudio studio(3);
    QFile file(studio.folder() + "/gate.jsonl");
    QVERIFY(file.open(QIODevice::Append));
    file.write("{ no check\n");
    file.close();
    const ShownGate window(studio.session());
    QVERIFY(waitUntil([&] { return text(window, "gate_stored").contains("gate.jsonl"); }));
    QVERIFY2(text(window, "gate_stored").contains("stored is round 0"), qPrintable(text(window, "gate_stored")));
    QCOMPARE(studio.gate()->checks.size(), 3U);
}

void GateTest::aCaseThatIsGoneHasNoNumbers() {
    RecordedStudio studio(1);
    QVERIFY(waitUntil([&] { return studio.gate() && !studio.gate()->checks.empty(); }));
    GateCheck check = studio.gate()->checks.front();
    check.cases.push_back(
        {.binding = {.name = "gone"}, .reason = "the stored case is not one of the project any more"});
    QVERIFY(append_check(studio.folder().toStdString(), check));
    const ShownGate window(studio.session());
    const auto* table = child<QTableWidget>(window, "gate_table");
    const int gone = static_cast<int>(check.cases.size()) - 1;
    QVERIFY(waitUntil([&] { return table->rowCount() == gone + 1; }));
    QVERIFY2(text(window, "gate_verdict").contains("could not be compared"), qPrintable(text(window, "gate_verdict")));
    QCOMPARE(table->item(gone, 2)->text(), "the stored case is not one of the project any more");
    for (const int column : {3, 6}) QCOMPARE(table->item(gone, column)->text(), "");
}

void GateTest::aLineWithoutTheStoredErrorsIsShown() {
    RecordedStudio studio(1);
    QVERIFY(waitUntil([&] { return studio.gate() && !studio.gate()->checks.empty(); }));
    GateCheck check = studio.gate()->checks.front();
    check.cases.front().worse_in = {"kl_divergence"};
    check.cases.front().accuracy_then.reset();
    QVERIFY(append_check(studio.folder().toStdString(), check));
    const ShownGate window(studio.session());
    const auto* table = child<QTableWidget>(window, "gate_table");
    QVERIFY(waitUntil([&] { return table->rowCount() > 0 && table->item(0, 6)->text().contains("KL divergence"); }));
    QVERIFY(!table->item(0, 6)->text().contains("("));
}

void GateTest::theWindowSpeaksChinese() {
    const Language chinese("zh_CN");
    RecordedStudio studio(9);
    const ShownGate window(studio.session());
    QVERIFY(waitUntil([&] { return text(window, "gate_verdict").contains("变慢"); }));
    QVERIFY(child<QTableWidget>(window, "gate_table")->item(0, 1)->text().contains("变慢"));
}

void GateTest::theMenuOpensOneWindow() {
    Studio studio;
    studio.open();
    MainWindow window(studio.session());
    for (int i = 0; i < 2; ++i) {
        for (QAction* each : window.findChildren<QAction*>()) {
            if (each->shortcut() == QKeySequence("F9")) each->trigger();
        }
    }
    QCOMPARE(window.findChildren<GateWindow*>().size(), 1);
    window.findChild<GateWindow*>()->close();
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::GateTest)
#include "gate_test.moc"
