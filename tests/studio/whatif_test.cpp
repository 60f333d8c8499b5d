// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QRegularExpression>
#include <QTableWidget>
#include <QTest>

#include "app/studio/application/language.h"
#include "app/studio/whatif/whatif_window.h"
#include "app/studio/window/main_window.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::child;
using testing::Studio;
using testing::waitUntil;

class WhatifTest : public QObject {
    Q_OBJECT

private slots:
    void halfOfTheBandwidthTakesLonger();
    void aCpuHasSharesOfBandwidthAndThreads();
    void beforeTheFirstRoundItSaysWhatToPress();
    void aRoundThatWasNotTimedLeavesTheNewestThatWas();
    void theWindowSpeaksChinese();
    void theMenuOpensOneWindow();
};

namespace {

class ShownWhatif : public WhatifWindow {
public:
    explicit ShownWhatif(Session& session) : WhatifWindow(session) {
        setAttribute(Qt::WA_DeleteOnClose, false);
        show();
    }
    QTableWidget* table() const { return child<QTableWidget>(*this, "whatif_table"); }
    QDoubleSpinBox* share(const char* name) const { return child<QDoubleSpinBox>(*this, name); }
    QString text(const char* name) const { return child<QLabel>(*this, name)->text(); }
    /// How much longer the first case takes, "1.23×"; "" before there is an answer.
    QString longer() const { return table()->rowCount() == 0 ? QString() : table()->item(0, 4)->text(); }
};

/// A studio with a round of bias_add that was timed on ceilings of this test's.
class StudioWithRound : public Studio {
public:
    StudioWithRound() {
        testing::writeRound(folder());
        open();
        waitUntil([this] { return session().selectedRound().has_value(); });
    }
};

}  // namespace

void WhatifTest::halfOfTheBandwidthTakesLonger() {
    StudioWithRound studio;
    const ShownWhatif window(studio.session());
    QVERIFY(waitUntil([&] { return !window.longer().isEmpty(); }));
    window.share("whatif_bandwidth")->setValue(100);
    QVERIFY(waitUntil([&] { return window.longer() == "1.00×"; }));
    window.share("whatif_bandwidth")->setValue(50);
    QVERIFY(waitUntil([&] { return window.longer() > "1.5"; }));
    QVERIFY2(window.text("whatif_what").startsWith("Round 0: what would host take"),
             qPrintable(window.text("whatif_what")));
    QVERIFY2(window.text("whatif_model").startsWith("Model: the roofline alone"),
             qPrintable(window.text("whatif_model")));
    QVERIFY(!child<QLabel>(window, "whatif_problem")->isVisible());
}

void WhatifTest::aCpuHasSharesOfBandwidthAndThreads() {
    StudioWithRound studio;
    const ShownWhatif window(studio.session());
    QVERIFY(window.share("whatif_bandwidth")->isEnabled() && window.share("whatif_threads")->isEnabled());
    QVERIFY(waitUntil([&] { return !window.longer().isEmpty(); }));
    QVERIFY(window.text("whatif_thread_count").contains(" of "));
    window.share("whatif_threads")->setValue(1);  // of threads there is at least one
    QVERIFY(waitUntil([&] { return window.text("whatif_thread_count").startsWith("(1 of "); }));
}

void WhatifTest::beforeTheFirstRoundItSaysWhatToPress() {
    Studio studio;
    studio.open();
    const ShownWhatif window(studio.session());
    QVERIFY(waitUntil([&] { return window.text("whatif_problem").contains("F5 makes one"); }));
    QCOMPARE(window.table()->rowCount(), 0);
}

void WhatifTest::aRoundThatWasNotTimedLeavesTheNewestThatWas() {
    StudioWithRound studio;
    const History history{
        .rounds = {studio.session().rounds().history().rounds.front(), testing::exampleRound(1, Status::mismatch)},
        .lessons = {},
        .warnings = {}};
    testing::writeHistory(studio.folder(), history);
    studio.session().rounds().reload();
    QVERIFY(waitUntil([&] { return studio.session().rounds().round(1) != nullptr; }));
    studio.session().selectRound(1);
    const ShownWhatif window(studio.session());
    QVERIFY(waitUntil([&] { return window.text("whatif_what").startsWith("Round 0: "); }));
}

void WhatifTest::theWindowSpeaksChinese() {
    const Language chinese("zh_CN");
    StudioWithRound studio;
    const ShownWhatif window(studio.session());
    QVERIFY(waitUntil([&] { return !window.longer().isEmpty(); }));
    static const QRegularExpression words("\\b[A-Za-z][a-z]+ [a-z]{2,}\\b");
    for (const auto* each : window.findChildren<QLabel*>())
        QVERIFY2(!each->text().contains(words), qPrintable(each->text()));
    for (int column = 0; column < window.table()->columnCount(); ++column) {
        const QString title = window.table()->horizontalHeaderItem(column)->text();
        QVERIFY2(!title.contains(QRegularExpression("[a-z]")), qPrintable(title));
    }
    QLocale::setDefault(QLocale::c());
}

void WhatifTest::theMenuOpensOneWindow() {
    StudioWithRound studio;
    MainWindow window(studio.session());
    window.show();
    for (int i = 0; i < 2; ++i) {
        for (QAction* each : window.findChildren<QAction*>()) {
            if (each->shortcut() == QKeySequence("Ctrl+Shift+W")) each->trigger();
        }
    }
    QCOMPARE(window.findChildren<WhatifWindow*>().size(), 1);
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::WhatifTest)
#include "whatif_test.moc"
