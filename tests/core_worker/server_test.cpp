// SPDX-License-Identifier: Apache-2.0
#include "core/worker/server.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <nlohmann/json.hpp>
#include <thread>

#include "core/base/line_channel.h"
#include "core/base/text.h"
#include "core/measure/device_lock.h"
#include "core/project/project_file.h"
#include "core/worker/messages.h"

namespace kernelgen {
namespace {

using nlohmann::json;

/// A device whose builds wait until they are stopped or released, and that counts them.
class WaitingBackend : public Backend {
public:
    std::string kind() const override { return "cpu"; }

    std::vector<DeviceInfo> devices() override {
        DeviceInfo device;
        device.name = "cpu";
        device.available = true;
        return {device};
    }

    BuildResult build(const BuildRequest&, const Progress&, std::stop_token stop) override {
        ++building;
        while (!stop.stop_requested() && !released) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        BuildResult result;
        if (stop.stop_requested()) result.status = Status::cancelled;
        ++ended;
        return result;
    }

    Result<std::shared_ptr<Executor>> start_executor(const std::string&, const ExecutorUse&, std::stop_token) override {
        return fail("none here");
    }

    SampleLength sample_length(const std::string&) const override { return {}; }
    Counters count(Executor&, int, const std::string&, const Artifact&, const Call&, std::stop_token) override {
        return {};
    }

    /// Measurements on cpu:1 wait until they are released.
    Result<Ceilings> measure_ceilings(const std::string& device, const Progress& progress,
                                      std::stop_token stop) override {
        progress("ceilings", 1, 2);
        while (device == "cpu:1" && !stop.stop_requested() && !released)
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return fail("nothing to measure");
    }

    std::atomic<int> building = 0, ended = 0;
    std::atomic<bool> released = false;
};

/// A served worker at the other end of a socket.
class WorkerServer : public ::testing::Test {
protected:
    void SetUp() override {
        ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends_), 0);
        auto backend = std::make_unique<WaitingBackend>();
        backend_ = backend.get();
        backends_.push_back(std::move(backend));
        server_ = std::jthread([this] { serve_worker(backends_, ends_[1], ends_[1]); });
        channel_ = std::make_unique<LineChannel>(ends_[0], ends_[0]);
        EXPECT_EQ(read()["event"], "hello");
    }

    void TearDown() override {
        ::shutdown(ends_[0], SHUT_WR);
        if (server_.joinable()) server_.join();
        ::close(ends_[0]);
        ::close(ends_[1]);
    }

    json read() {
        const auto line = channel_->read_line();
        return line ? json::parse(*line) : json();
    }

    void write_raw(const std::string& line) {
        ASSERT_EQ(::write(ends_[0], line.data(), line.size()), std::ssize(line));
    }

    json build_request(int id, const std::string& tag) {
        BuildRequest request;
        request.definition.name = "copy";
        request.definition.symbols = {"N"};
        request.definition.inputs = {{"x", {"N"}, {}}};
        request.definition.outputs = {{"out", {"N"}, {}}};
        request.definition.body = "out = x";
        request.implementation.variant.name = "host";
        request.implementation.variant.source = "copy.cpp";
        request.implementation.variant.entry = "copy";
        request.implementation.variant.launches = {{.entry = "", .grid = {"N"}, .args = {"x", "out", "N"}}};
        json message = to_json(request);
        message["id"] = id;
        message["op"] = "build";
        message["tag"] = tag;
        return message;
    }

    /// The request's variant with the tunable BLOCK, 16 or 64, and a restriction on it.
    static json with_configuration(json message, json configuration) {
        json& implementation = message["implementation"];
        implementation["variant"]["tunables"] = {{{"name", "BLOCK"}, {"values", {16, 64}}, {"value", 64}}};
        implementation["variant"]["restrictions"] = {"BLOCK <= N"};
        implementation["configuration"] = std::move(configuration);
        return message;
    }

    int ends_[2] = {-1, -1};
    Backends backends_;
    WaitingBackend* backend_ = nullptr;
    std::unique_ptr<LineChannel> channel_;
    std::jthread server_;
};

TEST_F(WorkerServer, AnswersALineThatIsNoRequestWithAnErrorAndGoesOn) {
    for (const char* line : {"nonsense\n", "[1,2]\n", "{\"id\":\"one\",\"op\":\"build\"}\n", "{\"id\":1}\n"}) {
        write_raw(line);
        const json reply = read();
        EXPECT_EQ(reply["event"], "error");
        EXPECT_EQ(reply["id"], -1);
    }
    channel_->write({{"id", 5}, {"op", "capabilities"}});
    EXPECT_EQ(read()["result"][0]["info"]["name"], "cpu");
}

TEST_F(WorkerServer, NamesAnUnknownOperation) {
    channel_->write({{"id", 3}, {"op", "bnech"}});
    const json reply = read();
    EXPECT_EQ(reply["id"], 3);
    EXPECT_NE(reply["message"].get<std::string>().find("bnech"), std::string::npos);
}

TEST_F(WorkerServer, SaysEveryFieldThatARequestLacks) {
    channel_->write({{"id", 4}, {"op", "build"}});
    const std::string message = read()["message"];
    EXPECT_NE(message.find("operator"), std::string::npos);
    EXPECT_NE(message.find("implementation"), std::string::npos);
}

TEST_F(WorkerServer, SaysWhereADefinitionOrAVariantIsInvalidAndWhy) {
    json message = build_request(6, "");
    message["operator"]["body"] = "out = y";
    message["implementation"]["variant"]["launch"]["grid"][0] = "cdiv(M, 2)";
    channel_->write(message);
    const json reply = read();
    EXPECT_EQ(reply["event"], "error");
    const std::string text = reply["message"];
    EXPECT_NE(text.find("operator.body:1:7: unknown name `y`"), std::string::npos) << text;
    EXPECT_NE(text.find("implementation.variant.launch.grid[0]"), std::string::npos) << text;
    EXPECT_EQ(backend_->building, 0);
}

TEST_F(WorkerServer, TakesNoFileThatLeavesTheFolderOfTheBuild) {
    json message = build_request(9, "");
    for (const std::string name : {"../escaped.h", "/tmp/escaped.h", "a/../../escaped.h", ""}) {
        message["implementation"]["files"] = {{name, ""}};
        channel_->write(message);
        const json reply = read();
        EXPECT_EQ(reply["event"], "error") << name;
        EXPECT_NE(reply["message"].get<std::string>().find("implementation.files"), std::string::npos) << reply;
    }
    message["implementation"]["files"] = {{"helper.h", 3}};
    channel_->write(message);
    EXPECT_EQ(read()["event"], "error");
    EXPECT_EQ(backend_->building, 0);
}

TEST_F(WorkerServer, SaysWhichListedSourceIsMissingFromARequest) {
    json message = build_request(10, "");
    message["implementation"]["variant"]["sources"] = {"part.cpp"};
    channel_->write(message);
    const std::string text = read()["message"];
    EXPECT_NE(text.find("the text of `part.cpp`, which `sources` lists, is missing"), std::string::npos) << text;
}

TEST_F(WorkerServer, SaysWhichCaseIsInvalidAndWhy) {
    json message = build_request(7, "");
    message["op"] = "verify";
    message["operator"]["constraints"] = {"N % 8 == 0"};
    message["candidate"] = message["implementation"];
    message["cases"] = {{{"name", "even"}, {"dtype", "f32"}, {"N", 8}}, {{"name", "odd"}, {"dtype", "f32"}, {"N", 9}}};
    message["accuracy"] = json::object();
    message["timeout_seconds"] = 1.0;
    channel_->write(message);
    const std::string text = read()["message"];
    EXPECT_NE(text.find("cases[1]: constraint `N % 8 == 0` does not hold: N = 9"), std::string::npos) << text;
}

TEST_F(WorkerServer, TakesARacesPairsAndSaysHowManyThereMayBe) {
    json message = build_request(7, "");
    message["op"] = "race";
    message["candidate"] = message["baseline"] = message["implementation"];
    message["case"] = {{"name", "timed"}, {"dtype", "f32"}, {"N", 8}};
    message["accuracy"] = message["performance"] = json::object();
    message["timeout_seconds"] = 1.0;
    const auto pairs_of = [](const json& request) { return race_request_from_json(request).value().most_pairs; };
    EXPECT_EQ(pairs_of(message), 24);
    message["most_pairs"] = 400;
    EXPECT_EQ(pairs_of(message), 400);
    EXPECT_EQ(pairs_of(to_json(race_request_from_json(message).value())), 400);
    for (const json& wrong : {json(0), json(1e300), json("24"), json()}) {
        message["most_pairs"] = wrong;
        channel_->write(message);
        EXPECT_TRUE(std::string(read()["message"]).starts_with("request: most_pairs: expected an integer")) << wrong;
    }
}

TEST_F(WorkerServer, SaysWhichTunablesAndValuesThereAreAndGoesOn) {
    const auto answer_to = [&](json configuration) {
        channel_->write(with_configuration(build_request(8, ""), std::move(configuration)));
        return std::string(trim(read().value("message", "")));
    };
    const std::string where = "request: implementation.configuration: ";
    EXPECT_EQ(answer_to({{"BLOCK", 7}}), where + "`BLOCK` cannot be 7; its values are 16, 64");
    EXPECT_EQ(answer_to({{"BLOCK", INT64_MAX}}),
              where + "`BLOCK` cannot be 9223372036854775807; its values are 16, 64");
    EXPECT_EQ(answer_to({{"BLOKC", 16}}), where + "variant `host` has no tunable `BLOKC`; did you mean `BLOCK`?");
    EXPECT_NE(answer_to({{"BLOCK", UINT64_MAX}}).find("does not fit 64 bits"), std::string::npos);
    EXPECT_EQ(backend_->building, 0);
    channel_->write({{"id", 9}, {"op", "capabilities"}});
    EXPECT_EQ(read()["event"], "result");
}

TEST_F(WorkerServer, TakesTheVariantsValueForATunableThatARequestLeavesOut) {
    const Validated<BuildRequest> request =
        build_request_from_json(with_configuration(build_request(8, ""), json::object()));
    ASSERT_TRUE(request);
    EXPECT_EQ(request->implementation.configuration, (Configuration{{"BLOCK", 64}}));
}

TEST_F(WorkerServer, IsToldOfABuildAheadAndOfItsFurtherSizes) {
    Validated<BuildRequest> request = build_request_from_json(build_request(8, ""));
    ASSERT_TRUE(request);
    EXPECT_FALSE(request->is_ahead);
    EXPECT_TRUE(request->further_trials.empty());
    request->is_ahead = true;
    request->further_trials = {{{"N", 32}}, {{"N", 7}}};
    const Validated<BuildRequest> told = build_request_from_json(to_json(*request));
    ASSERT_TRUE(told);
    EXPECT_TRUE(told->is_ahead);
    EXPECT_EQ(told->further_trials, request->further_trials);
}

TEST_F(WorkerServer, SaysWhichOfTheFurtherSizesIsInvalid) {
    json message = build_request(8, "");
    message["further_trials"] = {{{"N", 32}}, {{"M", 7}}};
    channel_->write(message);
    const std::string text = read()["message"];
    EXPECT_NE(text.find("further_trials[1]"), std::string::npos) << text;
    EXPECT_EQ(text.find("further_trials[0]"), std::string::npos) << text;
    EXPECT_EQ(backend_->building, 0);
}

TEST_F(WorkerServer, DoesNotBuildWhatARestrictionForbidsForTheTrialsSizes) {
    json message = with_configuration(build_request(8, ""), {{"BLOCK", 64}});
    message["trial"] = {{"N", 32}};
    channel_->write(message);
    const json result = read()["result"];
    EXPECT_EQ(result["status"], "restricted");
    EXPECT_EQ(result["reason"], "restriction `BLOCK <= N` does not hold with BLOCK = 64, N = 32");
    EXPECT_EQ(backend_->building, 0);
}

TEST_F(WorkerServer, CancelsABuildByItsId) {
    channel_->write(build_request(1, ""));
    channel_->write({{"id", 2}, {"op", "cancel"}, {"target", 1}});
    const json reply = read();
    EXPECT_EQ(reply["id"], 1);
    EXPECT_EQ(reply["result"]["status"], "cancelled");
}

TEST_F(WorkerServer, LetsTheNewestBuildOfATagWin) {
    channel_->write(build_request(1, "slider"));
    while (backend_->building == 0) std::this_thread::yield();
    channel_->write(build_request(2, "slider"));
    const json first = read();
    EXPECT_EQ(first["id"], 1);
    EXPECT_EQ(first["result"]["status"], "cancelled");
    backend_->released = true;
    const json second = read();
    EXPECT_EQ(second["id"], 2);
    EXPECT_EQ(second["result"]["status"], "ok");
}

TEST_F(WorkerServer, RefusesToTimeWhatItHasNotVerified) {
    json message = build_request(9, "");
    const json implementation = message["implementation"];
    message = {{"id", 9},
               {"op", "bench"},
               {"operator", message["operator"]},
               {"case", {{"name", "one"}, {"dtype", "f32"}, {"N", 8}}},
               {"accuracy", json::object()},
               {"performance", {{"baseline", "host"}}},
               {"candidate", implementation},
               {"baseline", implementation},
               {"device", "cpu"},
               {"timeout_seconds", 1.0}};
    channel_->write(message);
    const json reply = read();
    EXPECT_EQ(reply["event"], "error");
    EXPECT_NE(reply["message"].get<std::string>().find("verify before bench"), std::string::npos);
}

TEST_F(WorkerServer, VerifiesNothingWhileATimingOnTheProcessorsRuns) {
    Result<FileLock> timing = lock_device("cpu", DeviceUse::alone, {});
    ASSERT_TRUE(timing);
    json message = build_request(7, "");
    const json implementation = message["implementation"];
    message = {{"id", 7},
               {"op", "verify"},
               {"operator", message["operator"]},
               {"cases", {{{"name", "one"}, {"dtype", "f32"}, {"N", 8}}}},
               {"accuracy", json::object()},
               {"candidate", implementation},
               {"device", "cpu"},
               {"timeout_seconds", 1.0}};
    channel_->write(message);
    const json waits = read();
    ASSERT_EQ(waits["event"], "progress") << waits;
    EXPECT_EQ(waits["stage"].get<std::string>().find(waiting_for_lock), 0u) << waits;
    EXPECT_EQ(backend_->building, 0);
    timing = fail("let go");
    while (backend_->building == 0) std::this_thread::yield();
    backend_->released = true;
}

TEST_F(WorkerServer, SendsProgressBeforeTheOutcome) {
    channel_->write({{"id", 8}, {"op", "ceilings"}, {"device", "cpu"}});
    EXPECT_EQ(read()["event"], "progress");
    EXPECT_EQ(read()["message"], "nothing to measure");
}

TEST_F(WorkerServer, MeasuresOnOneDeviceWhileItMeasuresOnAnother) {
    channel_->write({{"id", 8}, {"op", "ceilings"}, {"device", "cpu:1"}});
    EXPECT_EQ(read()["event"], "progress");
    channel_->write({{"id", 9}, {"op", "ceilings"}, {"device", "cpu"}});
    EXPECT_EQ(read()["id"], 9);
    EXPECT_EQ(read()["message"], "nothing to measure");
    channel_->write({{"id", 10}, {"op", "ceilings"}, {"device", "cpu:1"}});  // waits for the first one
    channel_->write({{"id", 11}, {"op", "ceilings"}, {"device", "cpu"}});
    EXPECT_EQ(read()["id"], 11);
    backend_->released = true;
}

TEST_F(WorkerServer, EndsAtTheEndOfItsInputWithABuildUnderWay) {
    channel_->write(build_request(1, ""));
    while (backend_->building == 0) std::this_thread::yield();
    ::shutdown(ends_[0], SHUT_WR);
    server_.join();
    EXPECT_EQ(backend_->ended, 1);
}

TEST_F(WorkerServer, AnswersAPingWhileItMeasures) {
    channel_->write({{"id", 1}, {"op", "ceilings"}, {"device", "cpu:1"}});
    ASSERT_EQ(read()["event"], "progress");
    channel_->write({{"id", 2}, {"op", "ping"}});
    const json reply = read();
    EXPECT_EQ(reply["id"], 2);
    EXPECT_EQ(reply["event"], "result");
    backend_->released = true;
    EXPECT_EQ(read()["id"], 1);
}

}  // namespace
}  // namespace kernelgen
