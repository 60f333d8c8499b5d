// SPDX-License-Identifier: GPL-3.0-or-later
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QUuid>

#include "app/studio/application/text.h"
#include "app/studio/tunables/build_card.h"
#include "core/measure/device_lock.h"
#include "tests/studio/fixtures.h"
#include "tests/studio/registry.h"

namespace kernelgen::studio {

using testing::Studio;
using testing::waitUntil;

class EngineTest : public QObject {
    Q_OBJECT

private slots:
    void theNewestRequestForABuildIsTheOneThatIsAnswered();
    void aBuildThatWaitsForAnotherProcessSaysSo();
    void aWorkerThatCannotBeStartedIsExplained();
    void aWorkerThatDiedIsReplaced();
    void aRunOfAnInvalidProjectIsRefusedWithTheReason();
    void aVerificationRecordsNothing();
    void aRunTakesTheSourceAsEdited();
    void aRoundInAReadOnlyFolderIsReportedAsNotRecorded();
};

void EngineTest::theNewestRequestForABuildIsTheOneThatIsAnswered() {
    Studio studio;
    studio.open();
    Session& session = studio.session();
    std::vector<BuildOutcome> outcomes;
    connect(&session.engine(), &Engine::buildFinished, this,
            [&](const BuildOutcome& each) { outcomes.push_back(each); });
    for (const int value : {1, 2, 4, 8}) {
        session.document().setTunable("host", "BLOCK_M", value);
        session.build();
    }
    QVERIFY(waitUntil([&] { return !session.engine().isBuilding(); }));
    QCOMPARE(outcomes.size(), 1u);
    QCOMPARE(outcomes[0].configuration.at("BLOCK_M"), 8);
    QCOMPARE(outcomes[0].result.status, Status::ok);
}

void EngineTest::aBuildThatWaitsForAnotherProcessSaysSo() {
    Studio studio;
    studio.open();
    Session& session = studio.session();
    BuildCard card(session);
    auto timing = lock_device("cpu", DeviceUse::alone, {});
    QVERIFY(timing);
    SourceFile* source = session.document().source("bias_add.cpp");
    source->replaceText(toQt(source->text()) + "// " + QUuid::createUuid().toString() + "\n");
    session.build();
    auto* state = card.findChild<QLabel*>("build_state");
    QVERIFY(waitUntil([&] { return state->text().startsWith("Waiting for another kernelgen"); }));
    timing = fail("let go");
    QVERIFY(waitUntil([&] { return !session.engine().isBuilding(); }));
}

void EngineTest::aWorkerThatCannotBeStartedIsExplained() {
    Studio studio;
    studio.settings().setWorkerCommand({"/nonexistent/worker"});
    studio.open();
    QString problem;
    connect(&studio.session().engine(), &Engine::runFinished, this,
            [&](const RunOutcome& each) { problem = each.problem; });
    studio.session().run("");
    QVERIFY(waitUntil([&] { return !studio.session().engine().isRunning(); }));
    QVERIFY2(problem.contains("/nonexistent/worker"), qPrintable(problem));
    QCOMPARE(studio.session().log().entries().back().severity, Severity::error);
}

void EngineTest::aWorkerThatDiedIsReplaced() {
    Studio studio;
    // The first one ends at once, every later one is a worker.
    const QString flag = studio.folder() + "/started";
    studio.settings().setWorkerCommand(
        {"sh", "-c", "test -e '" + flag + "' && exec " KERNELGEN_PROGRAM " worker; touch '" + flag + "'"});
    studio.open();
    QVERIFY(waitUntil([&] { return !studio.session().log().entries().empty() && QFile::exists(flag); }));
    studio.session().verify();
    QVERIFY(waitUntil([&] { return !studio.session().engine().isRunning(); }));
    QCOMPARE(studio.session().log().entries().back().severity, Severity::success);
}

void EngineTest::aRunOfAnInvalidProjectIsRefusedWithTheReason() {
    Studio studio;
    studio.open();
    studio.session().document().edit("body", [](Project& project) { project.definition.body = "out = x + bais"; });
    QSignalSpy refused(&studio.session(), &Session::refused);
    studio.session().run("");
    QVERIFY(!studio.session().engine().isRunning());
    QCOMPARE(refused.count(), 1);
    QVERIFY(refused[0][0].toString().contains("bias"));
}

void EngineTest::aVerificationRecordsNothing() {
    Studio studio;
    studio.open();
    studio.session().verify();
    QVERIFY(waitUntil([&] { return !studio.session().engine().isRunning(); }));
    QVERIFY(!QFile::exists(studio.folder() + "/history.jsonl"));
    QVERIFY(studio.session().log().entries().back().text.contains("ok"));
}

void EngineTest::aRunTakesTheSourceAsEdited() {
    Studio studio;
    studio.open();
    Session& session = studio.session();
    session.document().source("bias_add.cpp")->replaceText("this is not C++");
    session.run("");
    QVERIFY(waitUntil([&] { return session.rounds().history().rounds.size() == 1; }));
    QCOMPARE(session.rounds().history().rounds[0].status, Status::build_failed);
}

void EngineTest::aRoundInAReadOnlyFolderIsReportedAsNotRecorded() {
    Studio studio;
    studio.open();
    QFile file(studio.folder() + "/rounds");  // where the folder would have to be
    QVERIFY(file.open(QIODevice::WriteOnly));
    QString problem;
    connect(&studio.session().engine(), &Engine::runFinished, this,
            [&](const RunOutcome& each) { problem = each.problem; });
    studio.session().run("");
    QVERIFY(waitUntil([&] { return !studio.session().engine().isRunning(); }));
    QVERIFY2(problem.contains("not recorded"), qPrintable(problem));
}

}  // namespace kernelgen::studio

STUDIO_TEST(kernelgen::studio::EngineTest)
#include "engine_test.moc"
