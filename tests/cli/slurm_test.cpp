// SPDX-License-Identifier: Apache-2.0
// `kernelgen tune --workers slurm:N` on a Slurm cluster of three nodes, which is started on this machine for it.
#include <gmock/gmock.h>

#include <chrono>
#include <format>
#include <set>
#include <thread>

#include "core/tune/tuning_file.h"
#include "tests/cli/program.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;
using ::testing::HasSubstr;

/// All of them do the same.
constexpr const char* kernel = R"(#include <stdint.h>
extern "C" void small(const DTYPE* x, const DTYPE* bias, DTYPE* out, int64_t, int64_t D, int64_t row, int64_t, int64_t) {
    for (int64_t d = 0; d < D; ++d) out[row * D + d] = x[row * D + d] + bias[d];
}
// MODE
)";

class TuneOnSlurm : public testing::ProgramTest {
protected:
    void SetUp() override {
        ProgramTest::SetUp();
        const Finished started = slurm({"start"});
        constexpr int not_installed = 77;
        if (started.exit.status == not_installed) GTEST_SKIP() << started.output;
        ASSERT_TRUE(started.exit.success()) << started.output;
        environment = {{"SLURM_CONF", (folder / "slurm" / "slurm.conf").string()}};
    }
    void TearDown() override {
        slurm({"stop"});
        ProgramTest::TearDown();
    }

    /// tools/slurm.sh with this word and what follows it.
    Finished slurm(std::vector<std::string> words) {
        words.insert(words.begin() + 1, (folder / "slurm").string());
        words.insert(words.begin(), {"bash", KERNELGEN_SOURCE_DIR "/tools/slurm.sh"});
        return run_to_end({.arguments = words, .environment = {}, .folder = "", .descriptors = {}}, {},
                          std::chrono::minutes(1))
            .value();
    }

    std::filesystem::path project_with(std::int64_t configurations) {
        const std::filesystem::path project = small_project();
        EXPECT_TRUE(write_file_atomic(project / "modes.cpp", kernel));
        change(project, [&](ordered_json& document) {
            ordered_json variant = {
                {"name", "modes"}, {"language", "cpp"}, {"source", "modes.cpp"}, {"entry", "small"}};
            variant["launch"] = {{"grid", {"P"}}, {"args", {"x", "bias", "out", "P", "D"}}};
            ordered_json values = ordered_json::array();
            for (std::int64_t i = 0; i < configurations; ++i) values.push_back(i);
            variant["tunables"] = {{{"name", "MODE"}, {"values", values}, {"value", 0}}};
            document["variants"].push_back(variant);
        });
        return project;
    }

    Process begin_to_tune() {
        const std::string command =
            "exec \"$0\" tune small --variant modes --strategy exhaustive --workers slurm:3 2>errors";
        return Process::start({.arguments = {"sh", "-c", command, KERNELGEN_PROGRAM},
                               .environment = environment,
                               .folder = folder.string(),
                               .descriptors = {}})
            .value();
    }

    /// Every line of a configuration, also where there are several for one.
    std::vector<json> lines(const std::filesystem::path& project) const {
        std::vector<json> records;
        std::istringstream stream(read_file(tuning_path(project, 1)).value_or(""));
        for (std::string line; std::getline(stream, line);) {
            json record = json::parse(line, nullptr, false);
            if (!record.is_discarded() && record["kind"] == "configuration") records.push_back(std::move(record));
        }
        return records;
    }

    bool wait_for_lines(const std::filesystem::path& project, std::size_t count) const {
        for (int i = 0; i < 400 && lines(project).size() < count; ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
        return lines(project).size() >= count;
    }

    std::map<std::string, std::string> environment;
};

using NightlyTuneOnSlurm = TuneOnSlurm;

TEST_F(NightlyTuneOnSlurm, LosesNothingWhenANodeDiesAndWhenTheJobIsCancelled) {
    constexpr std::int64_t configurations = 24;
    const std::filesystem::path project = project_with(configurations);
    Process tuning = begin_to_tune();
    ASSERT_TRUE(wait_for_lines(project, 2)) << read_file(folder / "errors").value_or("");
    ASSERT_TRUE(slurm({"kill-node", "n2"}).exit.success());
    const std::size_t at_death = lines(project).size();
    ASSERT_TRUE(wait_for_lines(project, at_death + 2)) << "the two other nodes go on";
    const Result<Finished> cancelled = run_to_end(
        {.arguments = {"scancel", "--name=kernelgen"}, .environment = environment, .folder = "", .descriptors = {}});
    ASSERT_TRUE(cancelled && cancelled->exit.success());
    EXPECT_EQ(tuning.wait().status, 4);
    EXPECT_THAT(read_file(folder / "errors").value(),
                HasSubstr("no worker is left; `kernelgen tune PROJECT --resume`"));
    const std::size_t at_cancellation = lines(project).size();
    EXPECT_LT(at_cancellation, static_cast<std::size_t>(configurations)) << "too late for this test";

    const testing::Ran resumed =
        kernelgen({"tune", "small", "--resume", "--workers", "slurm:2", "--json"}, environment);
    ASSERT_EQ(resumed.exit.status, 0) << resumed.errors;
    EXPECT_EQ(resumed.json()["tunings"][0]["outcome"]["tried"], configurations);
    std::multiset<std::string> tried;
    std::set<std::string> workers;
    for (const json& each : lines(project)) {
        // One may have been at work on the node that died and again on the first that was cancelled; a finalist that
        // fell has a second line.
        const bool died_twice = each.value("reason", "").starts_with("two workers died");
        if (each["status"] != "ok" && !died_twice) continue;
        tried.insert(each["configuration"].dump());
        workers.insert(each["worker"]);
    }
    EXPECT_EQ(tried.size(), static_cast<std::size_t>(configurations)) << read_file(tuning_path(project, 1)).value();
    EXPECT_EQ(std::set<std::string>(tried.begin(), tried.end()).size(), tried.size()) << "none was tried twice";
    EXPECT_GE(workers.size(), 2u);
}

}  // namespace
}  // namespace kernelgen
