// SPDX-License-Identifier: GPL-3.0-or-later
// Scales of FP8 in their window: from dropped files to modes, charts and a policy.
#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QDragEnterEvent>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBrowser>
#include <cmath>

#include "app/studio/application/language.h"
#include "app/studio/scaling/amax_view.h"
#include "app/studio/scaling/mode_errors_view.h"
#include "app/studio/scaling/scaling_window.h"
#include "app/studio/window/main_window.h"
#include "core/base/file.h"
#include "core/verify/npy.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::child;
using testing::Studio;
using testing::waitUntil;

class ScalingTest : public QObject {
    Q_OBJECT

private slots:
    void saysWhatToDoBeforeAFileIsChosen();
    void aTensorShowsItsModesAndTheirErrors();
    void theChartShowsTheSelectedModes();
    void theRulesAskAgain();
    void stepsOfOneTensorMeetDelayedScales();
    void recordsShowTheirStepsAndTheClippedOnes();
    void aStateIsKeptAndBegunWith();
    void severalTensorsHaveAPolicy();
    void aDamagedFileIsRefusedWithItsReason();
    void filesCanBeDropped();
    void markdownIsWhatTheCommandPrints();
    void theWindowSpeaksChinese();
    void theMenuOpensOneWindow();
};

namespace {

class ShownScaling : public ScalingWindow {
public:
    ShownScaling() {
        setAttribute(Qt::WA_DeleteOnClose, false);
        show();
    }
    QString tensor(const QString& name, double deviation = 1, DType dtype = DType::f32) const {
        std::vector<double> values(32 * 64);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = deviation * std::sin(static_cast<double>(i) * 1.7) * std::exp(std::cos(static_cast<double>(i)));
        NpyWriter(path(name).toStdString(), dtype, {32, 64}).append(std::span(values));
        return path(name);
    }
    QString text(const QString& name, const std::string& content) const {
        if (!write_file_atomic(path(name).toStdString(), content)) qFatal("%s", qPrintable(name));
        return path(name);
    }
    QString path(const QString& name) const { return folder.filePath(name); }
    template <class Widget>
    Widget* part(const char* name) const {
        return child<Widget>(*this, name);
    }
    int rows(const char* table) const { return part<QTableWidget>(table)->rowCount(); }
    QString cell(const char* table, int row, int column) const {
        return part<QTableWidget>(table)->item(row, column)->text();
    }
    QString said(const char* label) const { return part<QLabel>(label)->text().remove(u'\u200B'); }
    /// Opens files, and waits for what is told of them.
    bool takes(const QStringList& files) {
        open(files);
        return answered();
    }
    bool answered() const {
        return waitUntil([this] { return !isAsking(); });
    }
    QString message() const { return part<QTextBrowser>("scaling_message")->toPlainText().remove(u'\u200B'); }
    const ModeErrorsView& chart() const { return *findChild<ModeErrorsView*>(); }
    int lines() const { return const_cast<ModeErrorsView&>(chart()).plot().legend->itemCount(); }

    QTemporaryDir folder;
};

}  // namespace

void ScalingTest::saysWhatToDoBeforeAFileIsChosen() {
    const ShownScaling window;
    QVERIFY(window.message().contains("Choose tensors"));
    QVERIFY(!window.part<QTabWidget>("scaling_tabs")->isVisible());
    QVERIFY(!window.part<QPushButton>("scaling_copy")->isVisible());
}

void ScalingTest::aTensorShowsItsModesAndTheirErrors() {
    ShownScaling window;
    QVERIFY(window.takes({window.tensor("w.npy")}));
    QCOMPARE(window.rows("scaling_modes"), 6);  // tensor, channel, 8, 16, 32, 64
    QCOMPARE(window.cell("scaling_modes", 0, 0), "tensor");
    QCOMPARE(window.cell("scaling_modes", 5, 0), "group of 64");
    QVERIFY(window.said("scaling_sentences").contains("Format: E4M3."));
    QVERIFY(window.said("scaling_sentences").contains("; E5M2: 0 % clipped, "));
    QVERIFY(!window.chart().isEmpty());
    QCOMPARE(window.lines(), 6);
    QVERIFY(!window.part<QComboBox>("scaling_layer")->isVisible());
}

void ScalingTest::theChartShowsTheSelectedModes() {
    ShownScaling window;
    QVERIFY(window.takes({window.tensor("w.npy")}));
    window.part<QTableWidget>("scaling_modes")->selectRow(2);
    QCOMPARE(window.lines(), 1);
    window.part<QTableWidget>("scaling_modes")->clearSelection();
    QCOMPARE(window.lines(), 6);
}

void ScalingTest::theRulesAskAgain() {
    ShownScaling window;
    QVERIFY(window.takes({window.tensor("w.npy")}));
    auto* groups = window.part<QLineEdit>("scaling_groups");
    groups->setText("4, 2");
    emit groups->editingFinished();
    QVERIFY(window.answered());
    QVERIFY(waitUntil([&] { return window.rows("scaling_modes") == 4; }));
    QCOMPARE(window.cell("scaling_modes", 2, 0), "group of 2");
    window.part<QComboBox>("scaling_format")->setCurrentIndex(2);
    QVERIFY(waitUntil([&] { return window.said("scaling_sentences").contains("Format: E5M2, as was asked."); }));
    window.part<QSpinBox>("scaling_axis")->setValue(7);
    QVERIFY(waitUntil([&] { return window.message().contains("no axis 7"); }));
    window.part<QSpinBox>("scaling_axis")->setValue(0);
    QVERIFY(waitUntil([&] { return window.part<QTabWidget>("scaling_tabs")->isVisible(); }));
    QCOMPARE(window.cell("scaling_modes", 1, 1), "32");
}

void ScalingTest::stepsOfOneTensorMeetDelayedScales() {
    ShownScaling window;
    const QStringList files = {window.tensor("1.npy"), window.tensor("2.npy", 3)};
    QVERIFY(window.takes(files));
    QCOMPARE(window.part<QComboBox>("scaling_layer")->count(), 2);
    window.part<QCheckBox>("scaling_one_tensor")->setChecked(true);
    QVERIFY(waitUntil([&] { return window.part<QComboBox>("scaling_layer")->count() == 1; }));
    QVERIFY(window.cell("scaling_modes", window.rows("scaling_modes") - 1, 0).endsWith("delayed"));
    QCOMPARE(window.rows("scaling_steps"), 2);
    QVERIFY(window.said("scaling_sentences").contains("1 of 1 steps clipped"));
    window.part<QDoubleSpinBox>("scaling_margin")->setValue(4);
    QVERIFY(waitUntil([&] { return window.said("scaling_sentences").contains("0 of 1 steps clipped"); }));
}

void ScalingTest::recordsShowTheirStepsAndTheClippedOnes() {
    ShownScaling window;
    QVERIFY(window.takes({window.text("a.csv", "step,name,amax\n1,q,1\n2,q,9\n1,k,1\n")}));
    QCOMPARE(window.rows("scaling_steps"), 2);
    QCOMPARE(window.cell("scaling_steps", 1, 4), "clipped");
    QVERIFY(window.chart().message().contains("Only amax is known"));
    QCOMPARE(window.findChild<AmaxView*>()->plot().legend->itemCount(), 3);  // amax, what fits, clipped
    window.part<QComboBox>("scaling_layer")->setCurrentIndex(1);
    QCOMPARE(window.rows("scaling_steps"), 1);
}

void ScalingTest::aStateIsKeptAndBegunWith() {
    ShownScaling window;
    QVERIFY(window.takes({window.text("a.csv", "name,amax\nq,1\n")}));
    QVERIFY(!window.said("scaling_sentences").contains("steps clipped"));
    window.keepState(window.path("s.json"));
    QVERIFY(window.takes({window.text("b.csv", "name,amax\nq,9\n")}));
    QVERIFY(!window.said("scaling_sentences").contains("steps clipped"));
    window.beginWith(window.path("s.json"));
    QVERIFY(window.answered());
    QVERIFY(window.said("scaling_sentences").contains("1 of 1 steps clipped"));
    window.beginWith(window.text("other.json", R"({"scaling_state": 9, "tensors": {}})"));
    QVERIFY(window.answered());
    QVERIFY(window.message().contains("this is version 9 of the state"));
    window.takes({window.path("b.csv")});
    window.keepState(window.path("none/s.json"));
    QVERIFY(window.said("scaling_problem").contains("none/s.json"));
}

void ScalingTest::severalTensorsHaveAPolicy() {
    ShownScaling window;
    QVERIFY(window.takes({window.tensor("mlp.npy"), window.tensor("lm_head.npy")}));
    QCOMPARE(window.rows("scaling_policy"), 2);
    QCOMPARE(window.cell("scaling_policy", 0, 1), "E4M3");
    QCOMPARE(window.cell("scaling_policy", 1, 1), "FP16");
    QCOMPARE(window.rows("scaling_errors"), 2);
    QVERIFY(window.said("scaling_floor").contains("Rounding alone"));
}

void ScalingTest::aDamagedFileIsRefusedWithItsReason() {
    ShownScaling window;
    QVERIFY(window.takes({window.text("x.npy", "hello")}));
    QVERIFY2(window.message().contains("is no NumPy file"), qPrintable(window.message()));
    QVERIFY(!window.part<QTabWidget>("scaling_tabs")->isVisible());
    QVERIFY(window.takes({window.tensor("w.npy")}));
    QVERIFY(waitUntil([&] { return window.part<QTabWidget>("scaling_tabs")->isVisible(); }));
    QVERIFY(!window.part<QLabel>("scaling_problem")->isVisible());
}

void ScalingTest::filesCanBeDropped() {
    ShownScaling window;
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(window.tensor("w.npy"))});
    QDragEnterEvent enter({5, 5}, Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &enter);
    QVERIFY(enter.isAccepted());
    QDropEvent drop(QPointF(5, 5), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&window, &drop);
    QVERIFY(window.answered());
    QCOMPARE(window.part<QLineEdit>("scaling_files")->text(), "w.npy");
    QCOMPARE(window.rows("scaling_modes"), 6);
}

void ScalingTest::markdownIsWhatTheCommandPrints() {
    ShownScaling window;
    QVERIFY(window.takes({window.tensor("w.npy")}));
    window.copyMarkdown();
    const QString text = QGuiApplication::clipboard()->text();
    QVERIFY2(text.startsWith("w: f32 [32, 64], 2,048 elements"), qPrintable(text));
    QVERIFY(text.contains("| group of 8 |"));
}

void ScalingTest::theWindowSpeaksChinese() {
    const Language chinese("zh_CN");
    ShownScaling window;
    QVERIFY(window.takes({window.tensor("w.npy"), window.text("a.csv", "name,amax\nq,1\nq,9\n")}));
    static const QRegularExpression words("\\b[A-Za-z][a-z]+ [a-z]{2,}\\b");
    for (const auto* each : window.findChildren<QLabel*>())
        QVERIFY2(!each->text().contains(words), qPrintable(each->text()));
    for (const auto* each : window.findChildren<QTableWidget*>()) {
        for (int column = 0; column < each->columnCount(); ++column) {
            const QString title = each->horizontalHeaderItem(column)->text();
            QVERIFY2(!title.contains(words), qPrintable(title));
        }
    }
    QLocale::setDefault(QLocale::c());
}

void ScalingTest::theMenuOpensOneWindow() {
    Studio studio;
    studio.open();
    MainWindow window(studio.session());
    window.show();
    for (int i = 0; i < 2; ++i) {
        for (QAction* each : window.findChildren<QAction*>()) {
            if (each->shortcut() == QKeySequence("Ctrl+Shift+8")) each->trigger();
        }
    }
    QCOMPARE(window.findChildren<ScalingWindow*>().size(), 1);
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::ScalingTest)
#include "scaling_test.moc"
