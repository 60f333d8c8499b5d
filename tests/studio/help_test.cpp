// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QApplication>
#include <QDockWidget>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QRegularExpression>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>

#include "app/studio/application/language.h"
#include "app/studio/help/help_window.h"
#include "app/studio/window/main_window.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::child;
using testing::Studio;
using testing::waitUntil;

class HelpTest : public QObject {
    Q_OBJECT

private slots:
    void everyPanelHasItsPlace();
    void everyLinkOfTheGuideLeadsSomewhere();
    void theChineseGuideHasTheSameParts();
    void f1OpensTheGuideAtThePanelWithTheFocus();
    void allKeysOfTheWindowAreThere();
    void wordsAreFoundInAllPages();
    void aPageThatIsNotThereIsSaid();
    void f1InTheHelpStaysAtItsPage();
};

namespace {

const HelpPage& pageNamed(const std::vector<HelpPage>& pages, const QString& name) {
    const auto found = std::ranges::find(pages, name, &HelpPage::name);
    if (found == pages.end()) qFatal("no page %s", qPrintable(name));
    return *found;
}

bool hasPlace(const std::vector<HelpPage>& pages, const QString& place) {
    const QString name = place.section('#', 0, 0), anchor = place.section('#', 1);
    const auto page = std::ranges::find(pages, name, &HelpPage::name);
    if (page == pages.end()) return false;
    const std::vector<HelpSection> sections = sectionsOf(*page);
    return anchor.isEmpty() ||
           std::ranges::any_of(sections, [&](const HelpSection& each) { return each.anchor == anchor; });
}

struct Helped {
    Studio studio;
    std::unique_ptr<MainWindow> window;

    Helped() {
        studio.open();
        window = std::make_unique<MainWindow>(studio.session());
        window->show();
        window->activateWindow();
        (void)QTest::qWaitForWindowActive(window.get());
        QTest::qWait(100);
    }
    HelpWindow* press(const char* keys) const {
        QAction* wanted = nullptr;  // the list of actions changes while they are told
        for (QAction* each : window->findChildren<QAction*>()) {
            if (each->shortcut() == QKeySequence(keys)) wanted = each;
        }
        wanted->trigger();
        return child<HelpWindow>(*window, "help");
    }
};

}  // namespace

void HelpTest::everyPanelHasItsPlace() {
    const Helped helped;
    const std::vector<HelpPage> pages = helpPages(*helped.window);
    QVERIFY(hasPlace(pages, helpPlaceOf("")));
    for (const QDockWidget* dock : helped.window->findChildren<QDockWidget*>()) {
        QVERIFY2(hasPlace(pages, helpPlaceOf(dock->objectName())), qPrintable(dock->objectName()));
    }
    for (const char* window : {"gate", "patterns", "whatif", "scaling", "model"})
        QVERIFY2(hasPlace(pages, helpPlaceOf(window)), window);
}

void HelpTest::everyLinkOfTheGuideLeadsSomewhere() {
    const Helped helped;
    const std::vector<HelpPage> pages = helpPages(*helped.window);
    static const QRegularExpression link(R"(\]\(([A-Za-z_.]*(?:#[^)]*)?)\))");
    int links = 0;
    for (const QRegularExpressionMatch& each : link.globalMatch(pageNamed(pages, "STUDIO.md").markdown)) {
        const QString place = each.captured(1).startsWith('#') ? "STUDIO.md" + each.captured(1) : each.captured(1);
        QVERIFY2(hasPlace(pages, place), qPrintable(place));
        ++links;
    }
    QVERIFY(links > 10);
}

void HelpTest::theChineseGuideHasTheSameParts() {
    const Helped helped;
    const auto english = sectionsOf(pageNamed(helpPages(*helped.window), "STUDIO.md"));
    const Language chinese("zh_CN");
    const auto translated = sectionsOf(pageNamed(helpPages(*helped.window), "STUDIO.md"));
    QCOMPARE(translated.size(), english.size());
    for (std::size_t i = 0; i < english.size(); ++i) {
        QCOMPARE(translated[i].anchor, english[i].anchor);
        QVERIFY2(translated[i].heading != english[i].heading, qPrintable(english[i].heading));
    }
}

void HelpTest::f1OpensTheGuideAtThePanelWithTheFocus() {
    const Helped helped;
    child<QLineEdit>(*helped.window, "rounds_filter")->setFocus();
    const HelpWindow* help = helped.press("F1");
    QCOMPARE(help->page(), QString("STUDIO.md"));
    QCOMPARE(child<QTextBrowser>(*help, "help_text")->textCursor().block().text(), QString("Rounds"));
}

void HelpTest::allKeysOfTheWindowAreThere() {
    const Helped helped;
    const HelpWindow* help = helped.press("Ctrl+F1");
    QCOMPARE(help->page(), QString("keys"));
    const QString text = child<QTextBrowser>(*help, "help_text")->toPlainText();
    for (const char* keys : {"Ctrl+Shift+P", "F5", "Ctrl+3", "Ctrl+,"}) QVERIFY2(text.contains(keys), keys);
}

void HelpTest::wordsAreFoundInAllPages() {
    const Helped helped;
    const HelpWindow* help = helped.press("F1");
    auto* list = child<QListWidget>(*help, "help_list");
    const int pages = list->count();
    QVERIFY(pages > 20);
    auto* words = child<QLineEdit>(*help, "help_words");
    words->setText("SLURM worker");
    QVERIFY(list->count() > 0);
    list->setCurrentRow(0);
    QVERIFY(help->page() != "STUDIO.md");
    words->setText("nothing has this word zzzz");
    QCOMPARE(list->count(), 0);
    QVERIFY(child<QLabel>(*help, "help_told")->isVisible());
    words->clear();
    QVERIFY(!child<QLabel>(*help, "help_told")->isVisible());
    QCOMPARE(list->count(), pages);
}

void HelpTest::aPageThatIsNotThereIsSaid() {
    const Helped helped;
    HelpWindow* help = helped.press("F1");
    emit child<QTextBrowser>(*help, "help_text")->anchorClicked(QUrl("../projects/softmax/softmax.cpp"));
    QVERIFY(child<QLabel>(*help, "help_told")->isVisible());
    QCOMPARE(help->page(), QString("STUDIO.md"));
    emit child<QTextBrowser>(*help, "help_text")->anchorClicked(QUrl("TUNING.md#several-workers"));
    QCOMPARE(help->page(), QString("TUNING.md"));
}

void HelpTest::f1InTheHelpStaysAtItsPage() {
    const Helped helped;
    HelpWindow* help = helped.press("F1");
    emit child<QTextBrowser>(*help, "help_text")->anchorClicked(QUrl("TUNING.md"));
    help->activateWindow();
    QVERIFY(testing::waitUntil([&] { return QApplication::activeWindow() == help; }));
    helped.press("F1");
    QCOMPARE(help->page(), QString("TUNING.md"));
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::HelpTest)
#include "help_test.moc"
