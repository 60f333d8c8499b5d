// SPDX-License-Identifier: GPL-3.0-or-later
// The main job in the window, by mouse and keyboard: open, move a slider, F5, look, Ctrl+E.
#include <QApplication>
#include <QDockWidget>
#include <QLineEdit>
#include <QSlider>
#include <QTableView>
#include <QTest>

#include "app/studio/window/main_window.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::Studio;
using testing::waitUntil;

class StoryTest : public QObject {
    Q_OBJECT

private slots:
    void fromTheSliderToTheExportedLog();
};

QSlider* sliderOf(const MainWindow& window, const QString& tunable) {
    for (QSlider* slider : window.findChildren<QSlider*>()) {
        if (slider->accessibleName().contains(tunable)) return slider;
    }
    return nullptr;
}

void StoryTest::fromTheSliderToTheExportedLog() {
    Studio studio;
    Session& session = studio.session();
    session.applyWorkerSettings();
    MainWindow window(session);
    window.show();
    QVERIFY(QTest::qWaitForWindowExposed(&window));
    window.openProject(studio.folder());
    QVERIFY(session.document().isOpen());

    QSlider* slider = sliderOf(window, "BLOCK_M");
    QVERIFY(slider != nullptr);
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Home);
    QCOMPARE(configuration_of(*session.variant()).at("BLOCK_M"), 1);
    QTest::keyClick(slider, Qt::Key_Right);
    QCOMPARE(configuration_of(*session.variant()).at("BLOCK_M"), 2);

    for (int round = 0; round < 2; ++round) {
        QTest::keyClick(&window, Qt::Key_F5);
        QVERIFY(session.engine().isRunning());
        QVERIFY(waitUntil([&] { return !session.engine().isRunning(); }));
        QVERIFY(
            waitUntil([&] { return session.rounds().history().rounds.size() == static_cast<std::size_t>(round) + 1; }));
        QTest::keyClick(slider, Qt::Key_Right);
    }
    const Round& first = session.rounds().history().rounds[0];
    QCOMPARE(first.status, Status::ok);
    QCOMPARE(first.configuration.at("BLOCK_M"), 2);
    QCOMPARE(session.selectedRound(), 1);
    const auto tables = window.findChild<QDockWidget*>("rounds")->findChildren<QTableView*>();
    QVERIFY(std::ranges::any_of(tables, [](const QTableView* view) { return view->model()->rowCount() == 2; }));

    // A line of text, which has a Ctrl+E of its own on X11, has the focus.
    QLineEdit* note = nullptr;
    for (auto* edit : window.findChildren<QLineEdit*>()) {
        if (edit->accessibleName() == "Note") note = edit;
    }
    QVERIFY(note != nullptr);
    note->setFocus();
    QTest::keyClick(note, Qt::Key_E, Qt::ControlModifier);
    const QString log = studio.folder() + "/optimization_log.md";
    QVERIFY(waitUntil([&] { return QFile::exists(log); }));
    QFile file(log);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray text = file.readAll();
    QVERIFY(text.contains("BLOCK_M"));
    QVERIFY(text.contains("optimization_log_charts/speedup.svg"));
    QVERIFY(waitUntil([&] { return QFile::exists(studio.folder() + "/optimization_log_charts/speedup.svg"); }));
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::StoryTest)
#include "story_test.moc"
