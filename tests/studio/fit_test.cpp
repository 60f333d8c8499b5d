// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractButton>
#include <QCheckBox>
#include <QLabel>
#include <QStyle>
#include <QTest>
#include <QToolButton>

#include "app/studio/application/elided_label.h"
#include "app/studio/application/language.h"
#include "app/studio/queue/queue_dialog.h"
#include "app/studio/window/main_window.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::Studio;

/// No text is cut off, at the sizes of usual screens and in both languages. A screen of 4K at 200 % is the larger of
/// them with twice the points: the same test runs with QT_SCALE_FACTOR=2.
class FitTest : public QObject {
    Q_OBJECT

private slots:
    void aTextThatIsCutOffIsFound();
    void everyTextFitsItsPlace_data();
    void everyTextFitsItsPlace();
};

namespace {

/// How many points a label's text lacks; 0 where it fits. One that wraps needs its height, one that leaves out what has
/// no room (with a tip that says all) needs none.
int lackOf(const QLabel& label) {
    if (dynamic_cast<const ElidedLabel*>(&label) != nullptr || label.text().isEmpty()) return 0;
    const QSize room = label.contentsRect().size();
    if (label.wordWrap()) return std::max(0, label.heightForWidth(label.width()) - label.height());
    return std::max(0, label.sizeHint().width() - (label.width() - room.width()) - room.width());
}

int lackOf(const QAbstractButton& button) {
    if (button.text().isEmpty()) return 0;
    if (const auto* tool = qobject_cast<const QToolButton*>(&button)) {
        const bool has_icon_alone = tool->toolButtonStyle() == Qt::ToolButtonIconOnly && !tool->icon().isNull();
        if (has_icon_alone || tool->arrowType() != Qt::NoArrow) return 0;
    }
    int room = button.width();
    if (qobject_cast<const QCheckBox*>(&button) != nullptr)
        room -= button.style()->pixelMetric(QStyle::PM_IndicatorWidth) +
                button.style()->pixelMetric(QStyle::PM_CheckBoxLabelSpacing);
    return std::max(0, button.fontMetrics().horizontalAdvance(button.text().remove('&')) - room);
}

/// "text: lacks N" of what is cut off in a window.
QStringList cutIn(const QWidget& window) {
    QStringList cut;
    const auto note = [&cut](const QWidget& widget, const QString& text, int lack) {
        const bool is_seen = widget.isVisible() && !widget.visibleRegion().isEmpty();
        if (lack > 0 && is_seen) cut << QStringLiteral("%1 (%2): lacks %3").arg(text, widget.objectName()).arg(lack);
    };
    for (const QLabel* each : window.findChildren<QLabel*>()) note(*each, each->text(), lackOf(*each));
    for (const QAbstractButton* each : window.findChildren<QAbstractButton*>())
        note(*each, each->text(), lackOf(*each));
    return cut;
}

}  // namespace

void FitTest::aTextThatIsCutOffIsFound() {
    QWidget window;
    QLabel narrow("a text that needs some room", &window), wide("a text", &window);
    QToolButton button(&window);
    button.setText("a button's text");
    narrow.setGeometry(0, 0, 40, 20);
    wide.setGeometry(0, 30, 200, 20);
    button.setGeometry(0, 60, 30, 20);
    window.resize(300, 100);
    window.show();
    QCOMPARE(cutIn(window).size(), 2);
}

void FitTest::everyTextFitsItsPlace_data() {
    QTest::addColumn<QSize>("size");
    QTest::addColumn<QString>("language");
    for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)}) {
        for (const char* language : {"en", "zh_CN"})
            QTest::addRow("%d in %s", size.width(), language) << size << QString(language);
    }
}

void FitTest::everyTextFitsItsPlace() {
    QFETCH(const QSize, size);
    QFETCH(const QString, language);
    const Language chosen(language);
    Studio studio("softmax");
    testing::writeHistory(studio.folder(), 20);
    studio.open();
    studio.session().setVariant("host");
    MainWindow window(studio.session());
    window.show();
    window.resize(size);
    QVERIFY(testing::waitUntil([&] { return !studio.session().rounds().isLoading(); }));
    QTest::qWait(300);
    QStringList cut = cutIn(window);
    for (const char* keys : {"Ctrl+1", "Ctrl+2", "Ctrl+3", "Ctrl+Shift+Q", "Ctrl+Shift+L"}) {
        const QKeySequence sequence(keys);
        QTest::keyClick(&window, sequence[0].key(), sequence[0].keyboardModifiers());
        QTest::qWait(200);
        QCOMPARE(window.size(), size);  // nothing needs more room
        for (const QString& each : cutIn(window)) cut << QString(keys) + ": " + each;
    }
    QueueDialog dialog(studio.session(), &window);
    dialog.show();
    QTest::qWait(100);
    for (const QString& each : cutIn(dialog)) cut << "queue: " + each;
    QVERIFY2(cut.isEmpty(), qPrintable(cut.join('\n')));
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::FitTest)
#include "fit_test.moc"
