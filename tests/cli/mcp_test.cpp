// SPDX-License-Identifier: Apache-2.0
// A coding agent at work, as the Model Context Protocol's official SDK is its client, where KERNELGEN_MCP_CLIENT names
// a Python that has it.
#include <gmock/gmock.h>

#include <cstdlib>
#include <format>
#include <sstream>

#include "core/project/project_file.h"
#include "core/project/source_files.h"
#include "core/round/history.h"
#include "core/tune/tuning_file.h"
#include "tests/cli/program.h"
#include "tests/core_base/marked.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using testing::Ran;

/// Adds one too much where D is no multiple of 64, and writes to the descriptor of stdout.
constexpr const char* wrong_kernel = R"(#include <unistd.h>
#include <cstdint>
extern "C" void small(const float* x, const float* bias, float* out, int64_t P, int64_t D, int64_t, int64_t,
                      int64_t) {
    if (write(1, "{\"garbage\"\n", 11) < 0) return;
    for (int64_t i = 0; i < P; ++i)
        for (int64_t j = 0; j < D; ++j) out[i * D + j] = x[i * D + j] + bias[j] + (j >= D / 64 * 64 ? 1.0f : 0.0f);
}
)";

class Mcp : public testing::ProgramTest {
protected:
    /// `stays`: seconds for which the client waits for answers after its last message.
    Ran speak(const std::vector<std::string>& arguments, const std::vector<json>& messages, int stays = 0) {
        std::string text;
        for (const json& each : messages) text += each.dump() + "\n";
        EXPECT_TRUE(write_file_atomic(folder / "messages", text));
        const std::string script = std::format("(cat messages; sleep {}) | \"$0\" \"$@\"", stays);
        std::vector<std::string> command = {"sh", "-c", script, KERNELGEN_PROGRAM, "mcp"};
        command.insert(command.end(), arguments.begin(), arguments.end());
        const Finished done =
            run_to_end({.arguments = command, .environment = {}, .folder = folder.string(), .descriptors = {}}).value();
        return {done.exit, done.output, ""};
    }
    /// The answers by their ids, of a session that sends these calls.
    std::map<int, json> call(const std::vector<std::string>& arguments,
                             const std::vector<std::pair<std::string, json>>& calls, int stays = 0) {
        std::vector<json> messages = {
            {{"jsonrpc", "2.0"}, {"id", 0}, {"method", "initialize"}, {"params", {{"protocolVersion", "2025-06-18"}}}}};
        for (const auto& [tool, values] : calls) {
            messages.push_back({{"jsonrpc", "2.0"},
                                {"id", messages.size()},
                                {"method", "tools/call"},
                                {"params", {{"name", tool}, {"arguments", values}}}});
        }
        std::map<int, json> answers;
        std::istringstream output(speak(arguments, messages, stays).output);
        for (std::string line; std::getline(output, line);) {
            const json answer = json::parse(line);
            answers[answer["id"]] = answer["result"];
        }
        return answers;
    }

    /// A small project that is timed against its own plain kernel.
    std::filesystem::path judged_project() {
        const auto project = small_project();
        change(project, [](nlohmann::ordered_json& document) { document["performance"]["baseline"] = "naive"; });
        return project;
    }

    static std::string text_of(const json& result) { return result["content"][0]["text"]; }
};

TEST_F(Mcp, OpensOnlyProjectsWithinItsFolder) {
    small_project();
    std::filesystem::create_directories(folder / "inside");
    std::filesystem::rename(folder / "small", folder / "inside" / "small");
    std::filesystem::create_directory_symlink(folder / "inside" / "small", folder / "inside" / "link");
    std::filesystem::create_directory_symlink(KERNELGEN_SOURCE_DIR "/projects/relu", folder / "inside" / "away");
    const auto answers = call({"inside"}, {{"info", json::object()},
                                           {"open", {{"path", "../small"}}},
                                           {"open", {{"path", "away"}}},
                                           {"open", {{"path", KERNELGEN_SOURCE_DIR "/projects/relu"}}},
                                           {"open", {{"path", "small"}}},
                                           {"info", json::object()}});
    EXPECT_THAT(text_of(answers.at(1)), HasSubstr("no project is open; call `open` with one of: small"));
    EXPECT_THAT(text_of(answers.at(2)), HasSubstr("leaves the folder"));
    EXPECT_THAT(text_of(answers.at(3)), HasSubstr("is a link that leaves the folder"));
    EXPECT_THAT(text_of(answers.at(4)), HasSubstr("leaves the folder"));
    EXPECT_EQ(answers.at(5)["structuredContent"]["operator"], "small");
    EXPECT_EQ(answers.at(6)["structuredContent"]["operator"]["name"], "small");
}

TEST_F(Mcp, ReadsAndEditsOnlyWhatIsJudged) {
    const auto project = judged_project();
    const std::string source = read_file(project / "small.cpp").value();
    const auto answers =
        call({"small"}, {{"read_source", {{"file", "small.cpp"}}},
                         {"read_source", {{"file", "../stderr"}}},
                         {"read_source", {{"file", "/etc/passwd"}}},
                         {"read_source", {{"file", "project.json"}}},
                         {"edit_source", {{"file", "project.json"}, {"text", "{}"}}},
                         {"edit_source", {{"file", "small_naive.cpp"}, {"text", ""}}},
                         {"edit_source", {{"file", "small.cpp"}, {"old_text", "int"}, {"new_text", "x"}}},
                         {"edit_source", {{"file", "helper.h"}, {"text", "#pragma once\n"}}},
                         {"set_tunable", {{"variant", "host"}, {"values", {{"BLOCK_M", 3}}}}},
                         {"set_tunable", {{"variant", "host"}, {"values", {{"BLOCK_M", 1}}}}}});
    EXPECT_EQ(answers.at(1)["structuredContent"]["text"], source);
    for (int refused = 2; refused <= 7; ++refused) EXPECT_EQ(answers.at(refused)["isError"], true) << refused;
    EXPECT_EQ(read_file(project / "helper.h").value(), "#pragma once\n");
    EXPECT_EQ(answers.at(9)["isError"], true);
    EXPECT_EQ(answers.at(10)["structuredContent"]["configuration"]["BLOCK_M"], 1);
    EXPECT_THAT(read_file(project / "project.json").value(), HasSubstr("\"value\": 1"));
}

TEST_F(Mcp, KeepsNoRoundThatWouldChangeWhatJudges) {
    const auto project = judged_project();
    for (const char* file : {"small.cpp", "small_naive.cpp"}) {
        const std::string text = "#include \"shared.h\"\n" + read_file(project / file).value();
        ASSERT_TRUE(write_file_atomic(project / file, text));
    }
    ASSERT_TRUE(write_file_atomic(project / "shared.h", "// slow\n"));
    const Project loaded = load_project(project).value();
    RoundDetail detail;
    detail.definition = loaded.definition;
    detail.candidate = read_implementation(loaded, *loaded.find_variant("host")).value();
    detail.round.variant = "host";
    detail.round.device = "cpu";
    detail.round.status = Status::ok;
    ASSERT_TRUE(record_round(project, detail));
    ASSERT_TRUE(write_file_atomic(project / "shared.h", "// a person made the baseline faster\n"));
    const auto answers = call({"small"}, {{"keep", {{"round", 0}}}});
    EXPECT_EQ(answers.at(1)["isError"], true);
    EXPECT_THAT(text_of(answers.at(1)), HasSubstr("another text of `shared.h`, which decides what is right or fast"));
    EXPECT_THAT(read_file(project / "shared.h").value(), HasSubstr("a person"));
}

TEST_F(Mcp, TellsAnAgentWhichParameterIsNotThatOfTheTuningThatGoesOn) {
    const std::filesystem::path project = small_project();
    const Project loaded = load_project(project).value();
    TuningHead head{.time = "2026-11-23T02:00:00Z", .variant = "host", .device = "cpu"};
    head.binding = loaded.cases.front();
    head.cases = loaded.cases;
    head.strategy = "random";
    head.objective = "time";
    ASSERT_TRUE(TuningFile::open(project).value().begin(head));
    const std::string told = text_of(
        call({"small"},
             {{"tune",
               {{"resume", true}, {"variant", "host"}, {"strategy", "model"}, {"cases", {"P=1,D=1,dtype=f32"}}}}},
             2)
            .at(1));
    EXPECT_THAT(told, AllOf(HasSubstr("--strategy: tuning 1, which goes on, was begun with `random`"),
                            HasSubstr("--case: tuning 1, which goes on, was begun with"),
                            ::testing::Not(HasSubstr("--variant")), ::testing::Not(HasSubstr("--seed"))));
}

TEST_F(Mcp, ListsWhatATuningWouldNeverTry) {
    const std::filesystem::path project = small_project();
    change(project, [](nlohmann::ordered_json& document) {
        for (auto& variant : document["variants"])
            if (variant["name"] == "host") variant["restrictions"] = {"BLOCK_M != 2"};
    });
    const auto answers = call(
        {"small"},
        {{"tune", {{"list_pruned", true}, {"variant", "host"}}}, {"tune", {{"list_pruned", true}, {"seed", 3}}}}, 2);
    const json listed = answers.at(1)["structuredContent"]["cases"][0]["listed"];
    const auto is_restricted = [](const json& each) { return each["reason"] == "restriction `BLOCK_M != 2`"; };
    EXPECT_TRUE(std::ranges::any_of(listed, is_restricted)) << answers.at(1);
    for (const json& each : listed) EXPECT_TRUE(!is_restricted(each) || each["configuration"]["BLOCK_M"] == 2) << each;
    EXPECT_THAT(text_of(answers.at(1)), HasSubstr("(restriction `BLOCK_M != 2`)"));
    EXPECT_THAT(text_of(answers.at(2)), HasSubstr("--seed: means nothing with --list-pruned"));
    EXPECT_TRUE(tuning_numbers(project).empty());
}

class McpSdk : public Mcp {
protected:
    void SetUp() override {
        Mcp::SetUp();
        const char* named = std::getenv("KERNELGEN_MCP_CLIENT");
        if (named == nullptr || *named == '\0')
            GTEST_SKIP() << "KERNELGEN_MCP_CLIENT names no Python with the SDK; ./dev test installs one";
        python = named;
        const Finished found =
            run_to_end({.arguments = {python, "-c", "import mcp"}, .environment = {}, .folder = "", .descriptors = {}})
                .value();
        if (!found.exit.success()) GTEST_SKIP() << python << " has no `mcp`: " << found.output;
    }

    /// What each step of tests/cli/mcp_session.py answered.
    json session(const std::string& mark) {
        const auto project = judged_project();
        const json edits = {{"wrong", wrong_kernel}, {"right", read_file(project / "small.cpp").value()}};
        EXPECT_TRUE(write_file_atomic(folder / "edits.json", edits.dump()));
        const std::string worker = std::string("\"") + KERNELGEN_PROGRAM + "\" worker; exit $?";
        const Command command{.arguments = {"sh", "-c", "exec \"$0\" \"$@\" 2>stderr", python,
                                            KERNELGEN_SOURCE_DIR "/tests/cli/mcp_session.py", "edits.json",
                                            KERNELGEN_PROGRAM, "mcp", "small", "--worker", "sh", "-c", worker, mark},
                              .environment = {},
                              .folder = folder.string(),
                              .descriptors = {}};
        const Finished done = run_to_end(command, {}, std::chrono::minutes(2), 16 << 20).value();
        EXPECT_TRUE(done.exit.success()) << read_file(folder / "stderr").value_or("");
        return json::parse(done.output, nullptr, false);
    }

    std::string python;
};

TEST_F(McpSdk, WorksThroughASession) {
    const std::string mark = testing::new_mark();
    const json steps = session(mark);
    ASSERT_TRUE(steps.is_object()) << read_file(folder / "stderr").value_or("");
    EXPECT_EQ(steps["open"]["structuredContent"]["operator"], "small");
    EXPECT_THAT(text_of(steps["unknown_key"]), HasSubstr("unknown key `devise`; did you mean `device`?"));
    EXPECT_THAT(text_of(steps["baseline"]), HasSubstr("decides what is right or fast"));
    EXPECT_EQ(steps["wrong"]["structuredContent"]["status"], "mismatch") << steps["wrong"];
    EXPECT_THAT(text_of(steps["wrong"]), HasSubstr("expected"));
    EXPECT_EQ(steps["wrong_run"]["structuredContent"]["status"], "mismatch");
    EXPECT_EQ(steps["wrong_run"]["structuredContent"]["judges_changed"], json::array({"small_naive.cpp"}));
    for (const char* each : {"run", "short_tune"})
        EXPECT_EQ(steps[each]["structuredContent"]["judges_changed"],
                  json::array({"small_naive.cpp", "rounds/0/result.json"}));
    EXPECT_THAT(text_of(steps["wrong"]), HasSubstr("garbage"));  // what the kernel wrote to stdout
    EXPECT_EQ(steps["run"]["structuredContent"]["status"], "ok") << steps["run"];
    EXPECT_GT(steps["run"]["structuredContent"]["rounds"][0]["cases"][0]["speedup"], 0);
    EXPECT_FALSE(steps["progress"].empty());
    EXPECT_EQ(steps["rounds"]["structuredContent"]["rounds_spent"], 2);
    EXPECT_FALSE(steps.contains("tune"));  // it was cancelled
    EXPECT_EQ(steps["after_cancel"]["structuredContent"]["status"], "ok");
    EXPECT_LT(steps["after_cancel_seconds"], 150);  // of the 300 that the tuning would take
    EXPECT_EQ(steps["round"]["structuredContent"]["number"], 1);
    EXPECT_EQ(steps["export"]["structuredContent"]["file"], "optimization_log.md");
    EXPECT_THAT(steps["resources"], Contains("kernelgen:///sources/small.cpp"));
    EXPECT_THAT(steps["log"].get<std::string>(), HasSubstr("a mistake"));
    EXPECT_TRUE(testing::soon([&] { return testing::count_marked(mark) == 0; }));
}

}  // namespace
}  // namespace kernelgen
