// SPDX-License-Identifier: Apache-2.0
// No sentence of the engine stays English in a Chinese log.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <format>
#include <regex>
#include <set>

#include "core/base/cause_sentences.h"
#include "core/base/checklist_sentences.h"
#include "core/base/file.h"
#include "core/base/mend_sentences.h"
#include "core/base/seen_sentences.h"
#include "core/base/sentences.h"
#include "core/base/tuning_sentences.h"
#include "core/base/verdict_sentences.h"
#include "core/report/kernel_report.h"
#include "core/report/sentences.h"
#include "core/round/stop_reason.h"
#include "core/strategy/catalogue.h"
#include "tests/core_report/sample_project.h"

namespace kernelgen {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view formats[] = {
#define SENTENCE(name, chinese) sentences::name,
#include "core/said/sentences.def"
#undef SENTENCE
#define SAID(id, english, chinese) english,
#include "core/said/said_in_place.def"
#undef SAID
};

/// "{:.3g}" as "{}".
std::string without_specifications(std::string_view format) {
    std::string text;
    for (std::size_t open = format.find('{'); open != std::string_view::npos; open = format.find('{')) {
        const std::size_t close = format.find('}', open);
        if (close == std::string_view::npos) break;
        text.append(format.substr(0, open)).append("{}");
        format.remove_prefix(close + 1);
    }
    return text.append(format);
}

/// The sentence with a number, which is no English, at each of its places.
std::string filled_with_numbers(std::string_view format) {
    return std::regex_replace(without_specifications(format), std::regex(R"(\{\})"), "7");
}

/// The first run of three English words outside of code, or "".
std::string english_in(const std::string& document) {
    static const std::regex code(R"(```[\s\S]*?```|`[^`\n]*`)"), words(R"([A-Za-z]{2,}[,;]?( [A-Za-z']{2,}[,;]?){2,})");
    const std::string prose = std::regex_replace(document, code, "");
    std::smatch found;
    return std::regex_search(prose, found, words) ? found.str() : "";
}

class ChineseLog : public ::testing::Test {
protected:
    ChineseLog() {
        char name[] = "/tmp/kernelgen-chinese-XXXXXX";
        project.folder = ::mkdtemp(name);
        project.definition.description = "偏置";
    }
    ~ChineseLog() override { fs::remove_all(project.folder); }

    std::string log() const { return optimization_log(project, load_history(project.folder).value(), Tongue::chinese); }
    void record(RoundDetail detail) const { ASSERT_TRUE(record_round(project.folder, detail)); }
    /// A round that says the sentence wherever a round can say one.
    RoundDetail saying(const std::string& sentence, Status status) const {
        RoundDetail detail = sample_round(16, 1.2);
        detail.environment.hardware = "处理器";
        detail.verification.warnings = {sentence};
        detail.verification.cases.front().reason = sentence;
        for (BenchResult& timing : detail.timings) {
            timing.warnings = {sentence};
            timing.counters.reason = sentence;
        }
        detail.round.status = status;
        if (status != Status::ok) detail.round.reason = sentence;
        return detail;
    }
    Project project = sample_project();
};

TEST_F(ChineseLog, HasNoEnglishSentenceWhateverTheStatus) {
    for (int status = 0; status <= static_cast<int>(Status::cancelled); ++status) {
        RoundDetail detail = saying(filled_with_numbers(sentences::no_device), static_cast<Status>(status));
        ASSERT_TRUE(record_round(project.folder, detail));
    }
    EXPECT_EQ(english_in(log()), "");
}

TEST_F(ChineseLog, HasNoEnglishSentenceWhateverTheEngineSaid) {
    std::string all;
    for (const std::string_view format : formats) all += in_tongue(filled_with_numbers(format), Tongue::chinese) + "\n";
    EXPECT_EQ(english_in(all), "");
    for (const std::size_t i : {0uz, std::size(formats) / 2, std::size(formats) - 1}) {
        RoundDetail detail = saying("4096x512 f32: " + filled_with_numbers(formats[i]), Status::crashed);
        ASSERT_TRUE(record_round(project.folder, detail));
    }
    EXPECT_EQ(english_in(log()), "");
}

TEST_F(ChineseLog, HasNoEnglishSentenceWhereARecordIsOfOlderWords) {
    RoundDetail detail = saying("", Status::timed_out);
    detail.round.reason = std::format(sentences::timed_out, "5 s");
    ASSERT_TRUE(record_round(project.folder, detail));
    for (const fs::path& file : {project.folder / "history.jsonl", project.folder / "rounds" / "0" / "result.json"}) {
        const std::string text = read_file(file).value();
        ASSERT_TRUE(
            write_file_atomic(file, std::regex_replace(text, std::regex("no answer within"), "nobody spoke in")));
    }
    EXPECT_EQ(english_in(log()), "");
    EXPECT_THAT(log(), ::testing::HasSubstr("在 5 s 内没有响应"));
}

TEST_F(ChineseLog, HasNoEnglishSentenceWhereARecordIsGone) {
    RoundDetail detail = saying("", Status::ok);
    ASSERT_TRUE(record_round(project.folder, detail));
    fs::remove(project.folder / "rounds" / "0" / "result.json");
    EXPECT_THAT(log(), ::testing::HasSubstr("无法读取"));
}

TEST_F(ChineseLog, HasNoEnglishSentenceWhereAStrategyMadeTheRound) {
    RoundDetail first = saying("", Status::ok);
    ASSERT_TRUE(record_round(project.folder, first));
    for (const StrategyText& each : all_strategy_texts()) {
        RoundDetail detail = saying("", Status::ok);
        AppliedStrategy applied{.strategy = std::string(each.id), .finding = "tail_wave", .change = "BLOCK_M 8 → 16"};
        if (each.id.size() % 2 == 0) applied.gain = Gain{1.1, 1.05, 1.15};
        applied.next = "tune";
        applied.ended = stop_reasons::rounds_spent.id;
        detail.round.applied = applied;
        ASSERT_TRUE(record_round(project.folder, detail));
    }
    EXPECT_EQ(english_in(log()), "");
    EXPECT_THAT(log(), ::testing::HasSubstr("诊断结论“时间损失在不完整的最后一波”（`tail_wave`）"));
}

TEST_F(ChineseLog, HasNoEnglishSentenceInTheChecklist) {
    Consistency consistency;
    consistency.files = {"project.json", "k.py", "b.py", "a.py", "p.py"};
    ChecklistRow& row = consistency.rows.emplace_back(ChecklistRow{Aspect::function_name, {}});
    for (const std::string_view format : formats) {
        row.cells[1] = {ChecklistCell::State::differs, filled_with_numbers(format)};
        consistency.mismatches.push_back({"k.py", "line 7", filled_with_numbers(format), filled_with_numbers(format)});
    }
    RoundDetail detail = saying("", Status::ok);
    ASSERT_TRUE(record_round(project.folder, detail));
    EXPECT_EQ(english_in(optimization_log(project, load_history(project.folder).value(), Tongue::chinese, all_rounds,
                                          {}, &consistency)),
              "");
}

TEST_F(ChineseLog, HasNoEnglishSentenceInTheReportAndItsCharts) {
    for (const Status status : {Status::ok, Status::mismatch, Status::ok})
        record(saying(filled_with_numbers(sentences::no_device), status));
    ASSERT_TRUE(record_lessons(project.folder, 0, {.worked = "小块", .failed = "", .next = ""}));
    const ReportedProject reported{project, load_history(project.folder).value()};
    const Illustrated report = kernel_report({&reported, 1}, Tongue::chinese, true);
    EXPECT_EQ(english_in(report.markdown), "");
    ASSERT_FALSE(report.pictures.empty());
    for (const auto& [path, svg] : report.pictures)
        EXPECT_EQ(english_in(std::regex_replace(svg, std::regex("<[^>]*>"), "\n")), "") << svg;
}

TEST_F(ChineseLog, HasNoEnglishSentenceInTheDefinitionDocument) {
    EXPECT_EQ(english_in(definition_document(project, sample_ceilings(), Tongue::chinese).value()), "");
}

/// Where the comment, raw string, literal or other thing that begins at `at` ends; a literal is added to `literals`,
/// and to the last of them where nothing but blanks is between.
std::size_t skip(const std::string& source, std::size_t at, std::vector<std::string>& literals, bool& joins) {
    const auto after = [&](const std::string& end, std::size_t from) {
        return std::min(source.size(), source.find(end, from)) + end.size();
    };
    if (source.compare(at, 2, "//") == 0) return after("\n", at);
    if (source.compare(at, 2, "R\"") == 0) {
        const std::size_t open = source.find('(', at);
        return after(")" + source.substr(at + 2, open - at - 2) + "\"", open);
    }
    if (source.compare(at, 3, "'\"'") == 0) return at + 3;
    if (source.compare(at, 4, "'\\\"'") == 0) return at + 4;
    if (source[at] != '"') {
        joins = joins && (source[at] == ' ' || source[at] == '\n');
        return at + 1;
    }
    std::string text;
    for (++at; at < source.size() && source[at] != '"'; ++at) {
        if (source[at] == '\\' && (source[at + 1] == '"' || source[at + 1] == '\\')) ++at;
        text += source[at];
    }
    if (joins) literals.back() += text;
    else literals.push_back(text);
    joins = true;
    return at + 1;
}

/// The texts between quotes of a C++ source, those beside each other joined; no raw strings, no comments.
std::vector<std::string> literals_of(const std::string& source) {
    std::vector<std::string> literals;
    bool joins = false;
    for (std::size_t at = 0; at < source.size();) at = skip(source, at, literals, joins);
    return literals;
}

/// Texts in the sources that look like sentences but never reach a log: what a request to a worker must be, what is
/// read in compilers' output, notes on builds, what an executor prints of a request that it cannot read.
const std::set<std::string, std::less<>> never_in_a_log = {
    "a futex is one word",
    "` where the build takes place: is the disk full?",
    "the worker's reply cannot be read: install the same version of KernelGen on both sides",
    "there is no mailbox at descriptor ",
    "the mailbox cannot be mapped: ",
    "the mailbox has another size",
    "there is no {} {} for the argument {}",
    "{} bytes from byte {} on are beyond the {} bytes of the layout",
    "expected an offset and a number of bytes",
    "expected three integers",
    " is too large",
    "expected numbers of 16 hexadecimal digits each",
    "there is no request ",
    "expected a list of implementations",
    "no addresses are left to map the arena: raise `ulimit -v`",
    "a file that the ",
    " includes has changed since it was verified: verify again",
    "no folder `sources` in the working folder",
    "#line 1 \"further sources of ",
    "the text of `",
    "not a request: expected a JSON object with an integer `id` and a string `op`",
    "`target`: expected the id of a request",
    "a request with this id is under way",
    "expected an array of cases",
    "has the wrong type",
    "expected '}' at end of input",
    "At end of source",
    "No such file",
    "cannot open source file",
    "cannot open source file \"",
    "invalid type conversion",
    "Compiling entry function '",
    " bytes stack frame",
    " bytes spill stores",
    " bytes spill loads",
    "\\n… some messages are left out …\\n",
    "torch_npu is installed: Ascend NPUs are untested",
    " does not describe a call\\n",
    "uses too much",
    "unknown input set ",
    "` is no dtype",
    "file format elf64-x86-64",
    "counts of instructions, as of version 3",
    "` is no set of inputs",
    "expected seconds above 0, at most 600",
    "expected the check that failed: `case`, `set` and `seed`",
    "Failed to find metric",
    " has no inputs that this program knows\\n",
    " of this build: ",
    "what-if: adjust the neighbour",  // a stage
    "(memory|No space left|exhausted)",
    "out of resource",
    "\\n\\ No newline at end of file\\n",
    // These end with a newline, and have Chinese.
    "no worker is left; `kernelgen tune PROJECT --resume` goes on\\n{}",
    "no worker is left, and nothing was tried\\n{}",
};

bool is_sentence(const std::string& text) {
    static const std::regex words(R"([A-Za-z']{2,} [a-z']{2,} [a-z']{2,})");
    return std::regex_search(text, words);
}

/// Whether what it says between its places is found in a sentence that has Chinese.
bool is_known(const std::string& literal) {
    if (never_in_a_log.contains(literal)) return true;
    std::string rest = without_specifications(literal) + "{}";
    for (std::size_t end = rest.find("{}"); end != std::string::npos; end = rest.find("{}")) {
        const std::string piece = rest.substr(0, end);
        rest.erase(0, end + 2);
        const auto has_piece = [&](std::string_view format) { return without_specifications(format).contains(piece); };
        if (is_sentence(piece) && std::ranges::none_of(formats, has_piece)) return false;
    }
    return true;
}

TEST(EngineSentences, AreAllInChineseWhereverTheyAreSaid) {
    for (const char* folder :
         {"core/backend", "core/bench", "core/host", "core/measure", "core/python", "core/round", "core/scaling",
          "core/tune", "core/tuning", "core/verify", "core/whatif", "core/worker", "gpu/cuda"}) {
        for (const auto& file : fs::directory_iterator(fs::path(KERNELGEN_SOURCE_DIR) / folder)) {
            if (file.path().extension() != ".cpp") continue;
            for (const std::string& each : literals_of(read_file(file.path()).value())) {
                EXPECT_TRUE(is_known(each))
                    << file.path() << ": \"" << each << "\": give it a line in core/said/said_in_place.def";
            }
        }
    }
}

}  // namespace
}  // namespace kernelgen
