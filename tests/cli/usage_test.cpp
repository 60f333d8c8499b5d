// SPDX-License-Identifier: Apache-2.0
// What a stranger types, and what the program says to it.
#include <gmock/gmock.h>

#include <sstream>

#include "tests/cli/program.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::ProgramTest;
using testing::Ran;
using ::testing::StartsWith;

class Usage : public ProgramTest {
protected:
    Ran make(const std::string& place, const std::string& name, const std::vector<std::string>& more = {}) {
        std::vector<std::string> arguments = {"new",     place,   "--name",   name,      "--body", "out = x + 1",
                                              "--input", "x:P,D", "--output", "out:P,D", "--case", "P=8,D=8,dtype=f32"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return kernelgen(arguments);
    }
    std::size_t rounds_of(const std::string& project) {
        return kernelgen({"rounds", project, "--json"}).json()["rounds"].size();
    }
};

TEST_F(Usage, SaysWhatEachNumberOfAResultMeans) {
    const json document = kernelgen({"metrics", "--json"}).json();
    bool found = false;
    for (const json& each : document["metrics"]) {
        if (each["name"] != "bandwidth_gbps") continue;
        found = true;
        EXPECT_EQ(each["unit"], "GB/s");
        EXPECT_EQ(each["better"], "higher");
        EXPECT_THAT(each["meaning"].get<std::string>(), HasSubstr("over the median time"));
    }
    EXPECT_TRUE(found);
    EXPECT_THAT(kernelgen({"metrics"}).output, HasSubstr("spill_store_bytes"));
}

TEST_F(Usage, TellsShellsAndTheManualOfEveryCommand) {
    const std::string help = kernelgen({"--help"}).output, page = kernelgen({"manual"}).output;
    std::vector<std::string> scripts;
    for (const char* shell : {"bash", "zsh", "fish"}) {
        const Ran ran = kernelgen({"completion", shell});
        EXPECT_EQ(ran.exit.status, 0) << ran.errors;
        scripts.push_back(ran.output);
        EXPECT_EQ(kernelgen({"completion", shell, "--json"}).json()["script"], ran.output);
    }
    std::istringstream lines(help.substr(help.find("Subcommands:\n") + 13));
    std::string line, command;
    int count = 0;
    for (std::getline(lines, line); std::getline(lines, line) && !line.empty(); ++count) {
        command = line.substr(2, line.find(' ', 2) - 2);
        EXPECT_THAT(page, HasSubstr(".SS " + command + "\n"));
        EXPECT_THAT(scripts, ::testing::Each(HasSubstr(command)));
    }
    EXPECT_GT(count, 25);
    EXPECT_THAT(page, HasSubstr("\\fB\\-\\-by\\-line\\fR")) << "options too";
    EXPECT_THAT(page, HasSubstr("\\fB\\-\\-worker\\fR \\fICMD…\\fR"));
    EXPECT_EQ(page.find("\\-\\-help"), page.rfind("\\-\\-help")) << "once, not of every command";
    EXPECT_EQ(kernelgen({"manual", "--json"}).json()["page"], page);
    EXPECT_THAT(scripts[0], HasSubstr("== --worker")) << "its command is no command of this program";
    EXPECT_THAT(scripts[1], HasSubstr("'*:PROJECT:_files'"));
    EXPECT_THAT(scripts, ::testing::Each(HasSubstr("by-line")));
    EXPECT_THAT(scripts, ::testing::Each(Not(HasSubstr("cuda-executor")))) << "workers start those";
}

TEST_F(Usage, CompletesForThreeShellsOnly) {
    const Ran other = kernelgen({"completion", "tcsh"});
    EXPECT_EQ(other.exit.status, 1);
    EXPECT_THAT(other.errors, HasSubstr("tcsh"));
    EXPECT_THAT(kernelgen({"completion"}).errors, HasSubstr("SHELL is missing; give SHELL: bash, zsh or fish"));
}

TEST_F(Usage, NamesTheNearestCommand) {
    const Ran near = kernelgen({"verfy", "small"});
    EXPECT_EQ(near.exit.status, 1);
    EXPECT_THAT(near.errors, HasSubstr("unknown command `verfy`; did you mean `verify`?"));
    const Ran far = kernelgen({"frobnicate"});
    EXPECT_EQ(far.exit.status, 1);
    EXPECT_THAT(far.errors, HasSubstr("unknown command `frobnicate`; there are: new, import"));
    EXPECT_THAT(far.errors, Not(HasSubstr("cuda-executor"))) << "workers start those";
    EXPECT_THAT(kernelgen({}).errors, HasSubstr("a command is missing"));
}

TEST_F(Usage, NamesTheNearestOption) {
    EXPECT_THAT(kernelgen({"run", "small", "--varaint", "host"}).errors,
                HasSubstr("kernelgen run: unknown option `--varaint`; did you mean `--variant`?"));
    EXPECT_THAT(kernelgen({"rounds", "small", "--jsno"}).errors, HasSubstr("did you mean `--json`?"));
    EXPECT_THAT(kernelgen({"rounds", "small", "--xyzzyx"}).errors, HasSubstr("`kernelgen rounds --help`"));
}

TEST_F(Usage, BlamesAnUnknownOptionForWhatItsValueBreaks) {
    EXPECT_THAT(kernelgen({"whatif", "small", "--variant", "cuda"}).errors, HasSubstr("unknown option `--variant`"));
}

TEST_F(Usage, SaysWhatIsMissingTooMuchOrGivenTwice) {
    EXPECT_THAT(kernelgen({"run"}).errors, HasSubstr("kernelgen run: PROJECT is missing; give PROJECT: A project's"));
    EXPECT_THAT(kernelgen({"info", "my", "project"}).errors,
                HasSubstr("too many arguments: `project`; put what holds"));
    EXPECT_THAT(kernelgen({"run", "p", "--note", "a", "--note", "b"}).errors,
                HasSubstr("--note is given more than once"));
    EXPECT_THAT(kernelgen({"keep", "p", "first"}).errors, HasSubstr("ROUND: `first` is no number"));
    EXPECT_THAT(kernelgen({"run", "p", "--note"}).errors, HasSubstr("--note needs a value"));
}

TEST_F(Usage, SaysWhyAPlaceHoldsNoProject) {
    std::filesystem::create_directories(folder / "empty");
    std::filesystem::create_directories(folder / "odd" / "project.json");
    EXPECT_EQ(kernelgen({"info", "nowhere"}).errors, "nowhere: there is no such file or folder\n");
    EXPECT_EQ(kernelgen({"info", "empty"}).errors, "empty holds no project.json; `kernelgen new` makes a project\n");
    EXPECT_EQ(kernelgen({"info", "odd"}).errors, "odd/project.json is a folder, and should be a file\n");
    EXPECT_EQ(kernelgen({"info", "odd/project.json"}).errors, "odd/project.json is a folder, and should be a file\n");
    EXPECT_THAT(kernelgen({"info", ""}).errors, HasSubstr("no project is named"));
}

TEST_F(Usage, PrintsOneDocumentWithJsonWhateverIsWrong) {
    ASSERT_EQ(make("small", "small").exit.status, 0);
    std::filesystem::create_directories(folder / "odd" / "project.json");
    const std::vector<std::vector<std::string>> wrong = {
        {"frobnicate"},
        {"run"},
        {"run", "nowhere"},
        {"run", "odd"},
        {"run", "odd/project.json"},
        {"info", "small/small.cpp"},
        {"run", "small", "--set", "X=1"},
        {"run", "small", "--set", "BLOCK_M=7"},
        {"run", "small", "--case", "P=0,D=1,dtype=f32"},
        {"run", "small", "--case", "nothing"},
        {"run", "small", "--variant", "nobody"},
        {"run", "small", "--device", "cuda:99"},
        {"run", "small", "--timeout", "nan"},
        {"run", "small", "--budget", "0"},
        {"verify", "small", "--device", "gpu"},
        {"build", "small", "--varaint", "host"},
        {"compare", "small", "--variant", "nobody"},
        {"keep", "small", "3"},
        {"note", "small", "3", "--worked", "x"},
        {"note", "small", "3"},
        {"export", "small", "--lang", "fr"},
        {"export", "small", "--definition", "--device", "cuda:99"},
        {"export", "small", "--tuning", "1", "--format", "t1"},
        {"export", "small", "--tuning", "1", "--format", "t2"},
        {"export", "small", "--format", "t1"},
        {"devices", "--device", "nothing"},
        {"completion", "tcsh"},
        {"import", "nowhere"},
        {"check", "small", "--force"},
        {"new", "small", "--name", "small", "--body", "out = x", "--input", "x:P", "--output", "out:P"},
        {"roofline", "nowhere"}};
    for (std::vector<std::string> arguments : wrong) {
        arguments.push_back("--json");
        const Ran ran = kernelgen(arguments);
        const std::string call = ::testing::PrintToString(arguments);
        EXPECT_NE(ran.exit.status, 0) << call;
        const json document = json::parse(ran.output, nullptr, false);
        ASSERT_TRUE(document.is_object()) << call << ": " << ran.output;
        EXPECT_EQ(document["exit_status"], ran.exit.status) << call;
        EXPECT_FALSE(document["errors"].at(0)["message"].get<std::string>().empty()) << call;
        EXPECT_FALSE(ran.errors.empty()) << call;
    }
}

TEST_F(Usage, QuotesPathsSoThatTheNextCommandCanBePasted) {
    const std::string place = "it's a project";
    const Ran made = make(place, "small");
    ASSERT_EQ(made.exit.status, 0) << made.errors;
    const std::string next = made.output.substr(made.output.find("kernelgen run "));
    EXPECT_EQ(next, "kernelgen run 'it'\\''s a project'\n");
    EXPECT_THAT(kernelgen({"rounds", place}).output, HasSubstr(next));
    EXPECT_THAT(make("plain", "small").output, HasSubstr("kernelgen run plain\n"));
}

TEST_F(Usage, TakesACaseOfManySymbols) {
    std::string shape, sizes;
    for (int i = 0; i < 20; ++i) {
        shape += (i == 0 ? "" : ",") + ("S" + std::to_string(i));
        sizes += "S" + std::to_string(i) + "=1,";
    }
    const Ran made = kernelgen({"new", "deep", "--name", "deep", "--body", "out = x + 1", "--input", "x:" + shape,
                                "--output", "out:" + shape, "--case", sizes + "dtype=f32"});
    ASSERT_EQ(made.exit.status, 0) << made.errors;
    EXPECT_EQ(kernelgen({"info", "deep"}).exit.status, 0);
}

TEST_F(Usage, BlamesABadNameOnNothingButItself) {
    const Ran ran = make("bad", "bad name");
    EXPECT_EQ(ran.exit.status, 1);
    EXPECT_EQ(ran.errors,
              "--name: `bad name` is no identifier: a letter, then letters, digits and underscores; choose "
              "another name\n");
    EXPECT_FALSE(std::filesystem::exists(folder / "bad"));
    EXPECT_THAT(make("bad", "small", {"--constraint", "P >"}).errors, StartsWith("--constraint P >"));
    EXPECT_THAT(make("bad", "small", {"--attribute", "int=1"}).errors, StartsWith("--attribute int=1: `int`"));
}

TEST_F(Usage, RefusesADeviceThatIsNotThereAndRecordsNoRound) {
    ASSERT_EQ(make("small", "small").exit.status, 0);
    const Ran absent = kernelgen({"run", "small", "--device", "cuda:99"});
    EXPECT_EQ(absent.exit.status, 4);
    EXPECT_THAT(absent.errors, HasSubstr("not run, and no round recorded: no device `cuda:99` here"));
    const Ran model = kernelgen({"run", "small", "--device", "cuda:h200"});
    EXPECT_EQ(model.exit.status, 4);
    EXPECT_THAT(model.errors, HasSubstr("device model"));
    const Ran unknown = kernelgen({"run", "small", "--device", "cudaa"});
    EXPECT_EQ(unknown.exit.status, 1);
    EXPECT_THAT(unknown.errors, HasSubstr("no device is called `cudaa`; did you mean `cuda`?"));
    EXPECT_EQ(rounds_of("small"), 0u);
}

TEST_F(Usage, TakesABudgetForOneRunAndRecordsIt) {
    const auto project = small_project();
    for (const char* wrong : {"soon", "0", "-1", "nan", "25h", "1 day"}) {
        EXPECT_EQ(kernelgen({"run", "small", "--budget", wrong}).exit.status, 1) << wrong;
        EXPECT_EQ(kernelgen({"compare", "small", "--budget", wrong}).exit.status, 1) << wrong;
    }
    const Ran ran = kernelgen({"run", "small", "--budget", "0.2s", "--json"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    EXPECT_EQ(ran.json()["budget_seconds"], 0.2);
    EXPECT_EQ(kernelgen({"run", "small", "--budget", "0.005m", "--json"}).json()["budget_seconds"], 0.3);
    EXPECT_EQ(kernelgen({"run", "small", "--json"}).json()["budget_seconds"], 0.5) << "the project's, as before";
    const json rounds = kernelgen({"rounds", "small", "--json"}).json()["rounds"];
    EXPECT_EQ(rounds[0]["budget_seconds"], 0.2);
    EXPECT_EQ(json::parse(read_file(project / "project.json").value())["performance"]["budget_seconds"], 0.5);
}

TEST_F(Usage, SaysInTheFirstLineThatARunIsNoisy) {
    small_project();
    // A kernel against itself: the interval holds 1 nearly always.
    const Ran ran = kernelgen({"run", "small", "--variant", "naive", "--baseline", "naive", "--budget", "0.3"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json round = kernelgen({"rounds", "small", "--json"}).json()["rounds"][0];
    const json timed = round["cases"][0];
    const bool holds_one = timed["speedup_lower"] <= 1 && timed["speedup_upper"] >= 1;
    EXPECT_EQ(round["noisy"], holds_one || timed["rsd"] > 0.05 || timed["baseline_rsd"] > 0.05) << round;
    EXPECT_EQ(ran.output.starts_with("noisy: "), round["noisy"].get<bool>()) << ran.output;
    if (holds_one) {
        EXPECT_THAT(ran.output, HasSubstr("the speedup's interval holds 1"));
    }
}

TEST_F(Usage, HasExamplesInTheHelpOfEveryCommand) {
    for (const char* command :
         {"new", "import", "info", "generate", "check", "build", "verify", "run", "rounds", "roofline", "compare",
          "keep", "note", "export", "devices", "metrics", "selftest", "worker"}) {
        const Ran help = kernelgen({command, "--help"});
        EXPECT_EQ(help.exit.status, 0) << command;
        EXPECT_THAT(help.output, HasSubstr("Example")) << command;
    }
}

}  // namespace
}  // namespace kernelgen
