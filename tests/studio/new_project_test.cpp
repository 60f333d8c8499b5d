// SPDX-License-Identifier: GPL-3.0-or-later
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>
#include <algorithm>

#include "app/studio/application/text.h"
#include "app/studio/dialogs/new_project_wizard.h"
#include "core/project/project_file.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::Studio;

class NewProjectTest : public QObject {
    Q_OBJECT

private slots:
    void aBlankProjectCanBeMadeAsItIs();
    void everySampleCanBeBegunWith();
    void theBodyIsCheckedWhileItIsTyped();
    void aLongReasonIsShownWhole();
    void aLongNameLeavesTheDialogItsSize();
    void symbolsAndCasesFollowFromTheShapes();
    void casesThatWereEditedStay();
    void theFolderFollowsTheNameUntilItIsEdited();
    void aFolderThatCannotBeIsExplained();
    void settingsSayWhatTheProjectAsksOfTiming();
};

namespace {

/// A wizard for a folder that is gone with the test.
struct Wizard {
    Wizard() : studio(""), wizard(studio.session()) {
        wizard.show();
        folder = place.path() + "/made";
        setText("Folder", folder);
    }
    void setText(const QString& field, const QString& text) {
        for (QLineEdit* each : wizard.findChildren<QLineEdit*>()) {
            if (each->accessibleName() != field) continue;
            each->selectAll();
            QTest::keyClicks(each, text);
        }
    }
    QPushButton& create() {
        for (QPushButton* each : wizard.findChildren<QPushButton*>()) {
            if (each->text() == "Create") return *each;
        }
        qFatal("no such button");
    }
    QPlainTextEdit& body() { return *wizard.findChild<QPlainTextEdit*>(); }
    ProjectDocument& draft() { return wizard.draft(); }

    QTemporaryDir place;
    QString folder;
    Studio studio;
    NewProjectWizard wizard;
};

}  // namespace

void NewProjectTest::aBlankProjectCanBeMadeAsItIs() {
    Wizard made;
    QCOMPARE(made.wizard.reason(), QString());
    made.create().click();
    QCOMPARE(made.wizard.result(), static_cast<int>(QDialog::Accepted));
    QCOMPARE(made.wizard.folder(), made.folder);
    const Validated<Project> project = load_project(made.folder.toStdString());
    QVERIFY2(project.has_value(), project ? "" : to_string(project.error()).text().c_str());
    QCOMPARE(project->cases.size(), 2U);
    QCOMPARE(project->performance.baseline.at("cpu"), "naive");
    QVERIFY(made.studio.session().open(made.folder).empty());
}

void NewProjectTest::everySampleCanBeBegunWith() {
    Wizard made;
    const auto* samples = made.wizard.findChild<QComboBox*>();
    QVERIFY(samples->count() > 5);
    for (int i = 0; i < samples->count(); ++i) {
        made.wizard.beginWith(samples->itemData(i).toString());
        QVERIFY2(made.create().isEnabled(), qPrintable(samples->itemText(i) + ": " + made.wizard.reason()));
    }
}

void NewProjectTest::theBodyIsCheckedWhileItIsTyped() {
    Wizard made;
    made.body().selectAll();
    QTest::keyClicks(&made.body(), "out = x * gam");
    QVERIFY(!made.create().isEnabled());
    QVERIFY(made.wizard.reason().contains("gam"));
    QVERIFY(made.body().accessibleDescription().contains("gam"));
    made.wizard.accept();
    QVERIFY(!QFile::exists(made.folder));
    made.body().selectAll();
    QTest::keyClicks(&made.body(), "out = x * exp(x)");
    QVERIFY(made.create().isEnabled());
}

void NewProjectTest::aLongReasonIsShownWhole() {
    Wizard made;
    made.wizard.resize(620, 560);
    made.draft().edit("shapes", [](Project& project) {
        project.definition.inputs[0].shape = {"A_RATHER_LONG_SYMBOL_OF_ROWS", "ANOTHER_RATHER_LONG_SYMBOL",
                                              "AND_ONE_MORE"};
        project.definition.outputs[0].shape = {"AND_ONE_MORE", "A_RATHER_LONG_SYMBOL_OF_ROWS"};
    });
    const auto labels = made.wizard.findChildren<QLabel*>();
    const auto found = std::ranges::find(labels, breakable(made.wizard.reason()), &QLabel::text);
    QVERIFY(found != labels.end());
    const QLabel* reason = *found;
    QVERIFY2(reason->text().length() > 150, qPrintable(reason->text()));
    const auto all_is_shown = [&] {
        const QRect room(0, 0, reason->width(), 1000);
        return reason->fontMetrics().boundingRect(room, Qt::TextWordWrap, reason->text()).height() <= reason->height();
    };
    QVERIFY(testing::waitUntil(all_is_shown, 2000));
    made.draft().edit("a wrong function", [](Project& project) { project.definition.body = "out = exq(x)"; });
    QVERIFY2(made.wizard.reason().contains(";"), qPrintable(made.wizard.reason()));  // with what to do
}

void NewProjectTest::aLongNameLeavesTheDialogItsSize() {
    Wizard made;
    const QSize size = made.wizard.size();
    made.draft().edit("a long name",
                      [](Project& project) { project.definition.body = "out = " + std::string(400, 'w') + " + x"; });
    QVERIFY(made.wizard.reason().contains("www"));
    QTest::qWait(100);
    QCOMPARE(made.wizard.size(), size);
}

void NewProjectTest::symbolsAndCasesFollowFromTheShapes() {
    Wizard made;
    made.draft().edit("shapes", [](Project& project) {
        project.definition.inputs[0].shape = {"B", "P", "D"};
        project.definition.outputs[0].shape = {"B", "P", "D"};
    });
    QCOMPARE(made.draft().project().definition.symbols, (std::vector<std::string>{"P", "D", "B"}));
    QCOMPARE(made.draft().project().cases[0].sizes.size(), 3U);
    QVERIFY2(made.create().isEnabled(), qPrintable(made.wizard.reason()));
}

void NewProjectTest::casesThatWereEditedStay() {
    Wizard made;
    made.draft().edit("size", [](Project& project) { project.cases[0].sizes["P"] = 17; });
    made.body().selectAll();
    QTest::keyClicks(&made.body(), "out = x / row_sum(x)");
    QCOMPARE(made.draft().project().cases[0].sizes.at("P"), 17);
    made.create().click();
    QCOMPARE(load_project(made.folder.toStdString())->cases[0].sizes.at("P"), 17);
}

void NewProjectTest::theFolderFollowsTheNameUntilItIsEdited() {
    Studio studio("");
    NewProjectWizard wizard(studio.session());
    wizard.beginWith("softmax");
    QCOMPARE(wizard.folder(), QDir::homePath() + "/kernelgen/softmax");
    Wizard edited;
    edited.setText("Name", "another");
    QCOMPARE(edited.wizard.folder(), edited.folder);
    edited.wizard.beginWith("softmax");
    QCOMPARE(edited.draft().title(), "another");
}

void NewProjectTest::aFolderThatCannotBeIsExplained() {
    Wizard made;
    made.setText("Folder", "/dev/null/project");
    QVERIFY(!made.create().isEnabled());
    QVERIFY(made.wizard.reason().contains("/dev/null"));
    made.setText("Folder", "/proc/nowhere");
    if (made.create().isEnabled()) made.create().click();  // a superuser is told by the system alone
    QVERIFY(made.wizard.isVisible());
    made.setText("Folder", "relative");
    QVERIFY(!made.create().isEnabled());
    QVERIFY(QDir().mkpath(made.folder));
    QFile taken(made.folder + "/project.json");
    QVERIFY(taken.open(QIODevice::WriteOnly));
    made.setText("Folder", made.folder);
    QVERIFY(made.wizard.reason().contains("already"));
}

void NewProjectTest::settingsSayWhatTheProjectAsksOfTiming() {
    Wizard made;
    made.studio.settings().setNewBudgetSeconds(0.5);
    made.studio.settings().setNewWarmCaches(true);
    made.create().click();
    const Validated<Project> project = load_project(made.folder.toStdString());
    QCOMPARE(project->performance.budget_seconds, 0.5);
    QVERIFY(project->performance.warm_caches);
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::NewProjectTest)
#include "new_project_test.moc"
