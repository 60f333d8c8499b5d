// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QStyle>
#include <QStyleOptionComboBox>
#include <QStyleOptionTab>
#include <QTabBar>
#include <QTest>
#include <QToolButton>

#include "app/studio/application/elided_label.h"
#include "app/studio/application/language.h"
#include "app/studio/queue/queue_dialog.h"
#include "app/studio/theme/theme.h"
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

/// The widest of the choices that are not told by a tip of the box has room.
int lackOf(const QComboBox& box) {
    if (box.isEditable() || box.count() == 0 || box.toolTip().contains(box.currentText())) return 0;
    QStyleOptionComboBox option;
    option.initFrom(&box);
    option.subControls = QStyle::SC_All;
    const QRect field = box.style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, &box);
    const int icon = box.itemIcon(box.currentIndex()).isNull() ? 0 : box.iconSize().width() + 4;
    return std::max(0, box.fontMetrics().horizontalAdvance(box.currentText()) + icon - field.width());
}

/// Of a tab that is in sight. One that the arrows of a full bar lead to is not.
int lackOf(const QTabBar& bar, int tab) {
    QStyleOptionTab option;
    option.initFrom(&bar);
    option.rect = bar.tabRect(tab);
    option.shape = bar.shape();
    option.text = bar.tabText(tab);
    option.icon = bar.tabIcon(tab);
    option.iconSize = bar.iconSize();
    for (const auto side : {QTabBar::LeftSide, QTabBar::RightSide}) {
        const QWidget* button = bar.tabButton(tab, side);
        if (button != nullptr && button->isVisible())
            (side == QTabBar::LeftSide ? option.leftButtonSize : option.rightButtonSize) = button->size();
    }
    if (!bar.isTabVisible(tab) || !bar.rect().contains(option.rect)) return 0;
    const QRect room = bar.style()->subElementRect(QStyle::SE_TabBarTabText, &option, &bar);
    const int needed = bar.fontMetrics().size(Qt::TextShowMnemonic, option.text).width();
    return std::max(0, needed - room.width());
}

/// Waits until nothing moves any more: on a busy machine docks take their places late.
void settle(const QWidget& window) {
    const auto places = [&window] {
        QList<QRect> all;
        for (const QWidget* each : window.findChildren<QWidget*>()) all << each->geometry();
        return all;
    };
    QList<QRect> before;
    for (int i = 0; i < 50 && before != places(); ++i) {
        before = places();
        QTest::qWait(150);
    }
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
    for (const QComboBox* each : window.findChildren<QComboBox*>()) note(*each, each->currentText(), lackOf(*each));
    for (const QTabBar* each : window.findChildren<QTabBar*>()) {
        for (int tab = 0; tab < each->count(); ++tab) note(*each, each->tabText(tab), lackOf(*each, tab));
    }
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
    QComboBox box(&window), wide_box(&window);
    QTabBar tabs(&window);
    for (QComboBox* each : {&box, &wide_box}) each->addItem("a choice of several words");
    tabs.setElideMode(Qt::ElideRight);
    tabs.setUsesScrollButtons(false);
    for (const char* each : {"the first of the tabs", "the second of the tabs"}) tabs.addTab(each);
    box.setGeometry(0, 90, 60, 24);
    wide_box.setGeometry(0, 120, 300, 24);
    tabs.setGeometry(0, 150, 120, 30);
    window.resize(300, 200);
    window.show();
    QCOMPARE(cutIn(window).size(), 5);
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
    applyTheme(Theme::light);  // whose tabs are narrower than the platform's
    Studio studio("softmax");
    testing::writeHistory(studio.folder(), 20);
    studio.open();
    studio.session().setVariant("host");
    MainWindow window(studio.session());
    window.show();
    window.resize(size);
    QVERIFY(testing::waitUntil([&] { return !studio.session().rounds().isLoading(); }));
    settle(window);
    QStringList cut = cutIn(window);
    for (const char* keys : {"Ctrl+1", "Ctrl+2", "Ctrl+3", "Ctrl+Shift+Q", "Ctrl+Shift+L"}) {
        const QKeySequence sequence(keys);
        QTest::keyClick(&window, sequence[0].key(), sequence[0].keyboardModifiers());
        settle(window);
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
