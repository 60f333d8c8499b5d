// SPDX-License-Identifier: GPL-3.0-or-later
#include <QSignalSpy>
#include <QTest>

#include "app/studio/session/build_messages.h"

#include "tests/studio/registry.h"

namespace kernelgen::studio {

namespace {

BuildResult failure(std::vector<CompilerMessage> messages) {
    return {.status = Status::build_failed, .reason = "it failed", .messages = std::move(messages)};
}

}  // namespace

class BuildMessagesTest : public QObject {
    Q_OBJECT

private slots:
    void theNewestBuildOfASourceReplacesTheOneBefore();
    void aBuildThatDidNotReachTheCompilerChangesNothing();
    void whatNamesNoFileIsSaidOfTheSource();
    void aFailureWithoutMessagesIsOne();
    void aRunsReasonCountsUntilABuildTells();
};

void BuildMessagesTest::theNewestBuildOfASourceReplacesTheOneBefore() {
    BuildMessages messages;
    QSignalSpy changed(&messages, &BuildMessages::changed);
    messages.take("a.cpp", failure({{"a.cpp", 1, 1, "error", "old"}}));
    messages.take("b.cpp", failure({{"b.cpp", 2, 1, "error", "other"}}));
    messages.take("a.cpp", failure({{"a.cpp", 3, 1, "error", "new"}}));
    QCOMPARE(messages.all().size(), 2u);
    QCOMPARE(messages.all()[0].text, "new");
    messages.take("a.cpp", BuildResult{});
    QCOMPARE(messages.all().size(), 1u);
    QCOMPARE(changed.count(), 4);
}

void BuildMessagesTest::aBuildThatDidNotReachTheCompilerChangesNothing() {
    BuildMessages messages;
    messages.take("a.cpp", failure({{"a.cpp", 1, 1, "error", "wrong"}}));
    for (const Status each : {Status::cancelled, Status::restricted, Status::unavailable}) {
        messages.take("a.cpp", {.status = each});
        QCOMPARE(messages.all().size(), 1u);
    }
}

void BuildMessagesTest::whatNamesNoFileIsSaidOfTheSource() {
    BuildMessages messages;
    messages.take("a.cpp", failure({{"", 0, 0, "error", "nothing defines `a`"}}));
    QCOMPARE(messages.all()[0].file, "a.cpp");
}

void BuildMessagesTest::aFailureWithoutMessagesIsOne() {
    BuildMessages messages;
    messages.take("a.cpp", failure({}));
    QCOMPARE(messages.all().size(), 1u);
    QCOMPARE(messages.all()[0].text, "it failed");
}

void BuildMessagesTest::aRunsReasonCountsUntilABuildTells() {
    BuildMessages messages;
    messages.takeRun("naive.cpp:4: no\nnaive.cpp:4:7: expected ';'\na.cpp:1:2: unknown");
    QCOMPARE(messages.all().size(), 2u);
    QCOMPARE(messages.all()[1].file, "naive.cpp");
    QCOMPARE(messages.all()[1].line, 4);
    QCOMPARE(messages.all()[1].column, 7);
    messages.take("a.cpp", BuildResult{});
    QCOMPARE(messages.all().size(), 1u);
    messages.takeRun("");
    QVERIFY(messages.all().empty());
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::BuildMessagesTest)
#include "build_messages_test.moc"
