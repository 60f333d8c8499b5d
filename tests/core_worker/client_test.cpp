// SPDX-License-Identifier: Apache-2.0
// Workers that answer nonsense: an error value each time, and never an exception.
#include "core/worker/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <format>
#include <thread>

namespace kernelgen {
namespace {

const std::string hello = R"({"event": "hello", "protocol": 1, "kernelgen": "0.1.0", "project_schema": 1})";
const Progress no_progress = [](std::string_view, int, int) {};

/// A worker that greets with `greeting` and answers every request with `answers`.
std::vector<std::string> worker_that(const std::string& greeting, const std::string& answers) {
    return {"sh", "-c",     "printf '%s\\n' \"$1\"; while read -r request; do printf '%s\\n' \"$2\"; done",
            "sh", greeting, answers};
}

std::unique_ptr<WorkerClient> client_of(const std::string& answers) {
    return WorkerClient::start(worker_that(hello, answers)).value();
}

TEST(WorkerClient, RefusesAGreetingWhoseProtocolIsNoNumber) {
    for (const char* protocol : {R"("1")", "[]", "null", "1.5", "99"}) {
        const auto client =
            WorkerClient::start(worker_that(std::format(R"({{"event": "hello", "protocol": {}}})", protocol), "{}"));
        ASSERT_FALSE(client) << protocol;
        EXPECT_NE(client.error().message.text().find("install the same version"), std::string::npos)
            << client.error().message;
    }
}

TEST(WorkerClient, QuotesWhatACommandPrintsThatStartsNoWorker) {
    const auto error_of = [](const std::string& script, std::chrono::seconds patience) {
        return WorkerClient::start({"sh", "-c", script}, {}, patience).error().message.text();
    };
    using testing::AllOf, testing::HasSubstr;
    EXPECT_THAT(
        error_of("echo; echo 'kernelgen: command not found'; echo more; exit 127", WorkerClient::usual_patience),
        AllOf(HasSubstr("the worker exited with status 127; it printed `kernelgen: command not found`, "),
              HasSubstr("the command must start `kernelgen worker`")));
    EXPECT_THAT(error_of("printf 'Password:'; exec sleep 60", std::chrono::seconds(1)),
                HasSubstr("it did not greet in time; it printed `Password:`, "));
    EXPECT_THAT(error_of("printf '\\001\\377ELF\\n'", WorkerClient::usual_patience), HasSubstr("it printed `??ELF`, "));
    EXPECT_THAT(error_of("exit 3", WorkerClient::usual_patience), testing::Not(HasSubstr("printed")));
}

TEST(WorkerClient, PassesOverWhatIsNoMessageBeforeTheAnswer) {
    const auto client = client_of(
        "welcome\n[1]\n7\n{}\n{\"id\": \"1\"}\n"
        "{\"id\": 1, \"event\": \"progress\", \"done\": []}\n"
        "{\"id\": 1, \"event\": \"result\", \"result\": []}");
    const auto devices = client->devices();
    ASSERT_TRUE(devices) << devices.error().message;
    EXPECT_TRUE(devices->empty());
}

TEST(WorkerClient, MakesAnErrorOfEveryAnswerThatCannotBeRead) {
    for (const char* rest :
         {R"("event": "error")", R"("event": "error", "message": 7)", R"("event": 7)", R"("event": "result")",
          R"("event": "other", "result": [])", R"("event": "result", "result": 7)",
          R"("event": "result", "result": [{}])", R"("event": "result", "result": {"status": 7})",
          R"("event": "result", "result": {"status": "no status", "cases": [{"case": 1}]})"}) {
        const auto client = client_of(std::format(R"({{"id": 1, {}}})", rest));
        const auto devices = client->devices();
        ASSERT_FALSE(devices) << rest;
        EXPECT_EQ(devices.error().message.text().find("json"), std::string::npos) << devices.error().message;
    }
}

TEST(WorkerClient, MakesAStatusOfAResultThatCannotBeRead) {
    BenchRequest one_candidate;
    one_candidate.candidates.resize(1);
    for (const char* result :
         {"7", "{}", R"({"status": 7})", R"({"status": "no status", "reason": "", "cases": [], "warnings": []})",
          R"({"status": "ok", "reason": "", "cases": [{"set": "none"}]})",
          R"({"status": "ok", "reason": "", "checks": 1, "seconds": 1, "cases": [], "warnings": [], )"
          R"("builds": {"f32": {"resources": {"registers": -1}}}})"}) {
        const std::string answer = std::format(R"({{"id": 1, "event": "result", "result": {}}})", result);
        const VerifyResult verified = client_of(answer)->verify({}, no_progress, {});
        EXPECT_NE(verified.status, Status::ok) << result;
        EXPECT_EQ(verified.reason.text().find("json"), std::string::npos) << verified.reason;
        EXPECT_NE(client_of(answer)->bench(one_candidate, no_progress, {}).front().status, Status::ok) << result;
        EXPECT_FALSE(client_of(answer)->measure_ceilings("cpu", no_progress, {})) << result;
    }
}

TEST(WorkerClient, EndsAWorkerThatGivesNoSignOfLife) {
    const auto silent = client_of("");
    silent->require_answer(std::chrono::seconds(1), {});
    for (int i = 0; i < 100 && silent->alive(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    EXPECT_EQ(silent->death(), "the worker did not answer for 1 s");
    EXPECT_EQ(silent->devices().error().message, silent->death());

    const auto older = client_of(R"({"id": 1, "event": "error", "message": "unknown operation `ping`"})");
    older->require_answer(std::chrono::seconds(10), {});
    EXPECT_TRUE(older->alive()) << older->death();
}

}  // namespace
}  // namespace kernelgen
