// SPDX-License-Identifier: Apache-2.0
// Who makes the sentences of core/said: `say` of C++ or of Python, both of which keep their formats.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/base/process.h"
#include "core/said/said.h"
#include "tests/tree/root.h"

namespace kernelgen {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// All sources of these folders with this ending, one after another.
std::string sources_of(const std::vector<std::string>& folders, const std::string& ending) {
    std::string all;
    for (const std::string& folder : folders) {
        for (const auto& entry : fs::recursive_directory_iterator(testing::root / folder))
            if (entry.path().string().ends_with(ending)) all += read_file(entry.path()).value();
    }
    return all;
}

/// "{} of {}" for "{} of {:.1f}".
std::string plain(const std::string& format) { return std::regex_replace(format, std::regex(R"(\{[^}]*\})"), "{}"); }

/// The text of literals that follow each other.
std::string text_of(const std::string& literals) {
    static const std::regex literal(R"re("((?:[^"\\]|\\.)*)")re"), line_end(R"(\\n)"), escaped(R"(\\(.))");
    std::string joined;
    for (std::sregex_iterator found(literals.begin(), literals.end(), literal), end; found != end; ++found)
        joined += (*found)[1];
    return std::regex_replace(std::regex_replace(joined, line_end, "\n"), escaped, "$1");
}

/// The formats that stand behind `before`, a pattern.
std::set<std::string> formats_behind(const std::string& source, const std::string& before) {
    const std::regex call(before + R"re(\(\s*((?:"(?:[^"\\]|\\.)*"\s*)+))re");
    std::set<std::string> formats;
    for (std::sregex_iterator found(source.begin(), source.end(), call), end; found != end; ++found)
        formats.insert(plain(text_of((*found)[1])));
    return formats;
}

const std::string cpp = sources_of({"core", "gpu", "app"}, ".cpp");

TEST(Sentences, AreMadeBySayAndNeverByFormat) {
    const std::set<std::string> formatted = formats_behind(cpp, "std::format");
    for (const std::string_view english : english_formats()) {
        const std::string format = plain(std::string(english));
        if (format.contains("{}")) {
            EXPECT_FALSE(formatted.contains(format)) << format;
        }
    }
    EXPECT_FALSE(cpp.contains("std::format(sentences::"));
}

/// What texts_of_python.py finds in resources/python: {"formats", "unlike", "texts"}.
json texts_of_python() {
    const std::string script = (testing::root / "tests" / "tree" / "texts_of_python.py").string();
    const auto finished =
        run_to_end({.arguments = {"python3", "-B", script, (testing::root / "resources" / "python").string()},
                    .environment = {},
                    .folder = {}});
    return finished ? json::parse(finished->output, nullptr, false) : json();
}

std::set<std::string> all_plain(const json& formats) {
    std::set<std::string> all;
    for (const json& each : formats) all.insert(plain(each.get<std::string>()));
    return all;
}

/// The others are found by their texts (core/said/recognise.h): the first row is thrown as an exception, the second is
/// written by a signal handler as JSON with its id, and the third is in older records only.
TEST(Sentences, WithPlacesAreMadeBySayInCppOrInPython) {
    const std::set<std::string> made = formats_behind(cpp, "(?:say|wrong)"),
                                in_python = all_plain(texts_of_python().at("formats"));
    const std::string headers = sources_of({"core/base"}, "sentences.h");
    std::vector<std::string> neither;
    for (std::size_t i = 0; i < english_formats().size(); ++i) {
        const std::string format = plain(std::string(english_formats()[i])), id(ids_of_sentences()[i]);
        if (!format.contains("{}") || made.contains(format) || headers.contains("string_view " + id + " =")) continue;
        if (!in_python.contains(format)) neither.push_back(id);
    }
    EXPECT_THAT(neither, ::testing::UnorderedElementsAre(
                             "no_build_artifact", "no_resource", "unknown_build_dtype",  //
                             "reads_past_end", "writes_past_end", "touches_past_end", "reads_before_start",
                             "writes_before_start", "touches_before_start",  //
                             "executor_cannot", "no_device_model_advice", "no_device_but_cuda_advice", "line_saying"));
}

TEST(Sentences, OfPythonHaveIdsAndAsManyPlacesAsArguments) {
    const json python = texts_of_python();
    EXPECT_GT(python.at("formats").size(), 100);
    for (const json& each : python.at("formats")) EXPECT_TRUE(place_of_format(each.get<std::string>())) << each;
    EXPECT_EQ(python.at("unlike"), json::array());
}

/// Of those below, the first rows are looked for in what other programs say. The rest is no reason: what a file prints,
/// a generated file's title, a version, and the texts of exceptions.
TEST(Sentences, OfPythonAreMadeBySay) {
    const std::vector<std::string> others = texts_of_python().at("texts");
    EXPECT_THAT(others, ::testing::UnorderedElementsAre(
                            "incompatible function arguments", "Expected at most", "is missing value for argument",
                            "illegal memory access", "unspecified launch failure", "hardware stack error",
                            R"(got an unexpected keyword argument '(\w+)')", "can't allocate memory",
                            R"(ModuleNotFoundError: No module named '([\w.]+)')",
                            "out of memory",  //
                            "kernelgen: the module's parameters are not those of the reference's module by name and "
                            "shape; both are what the same seed makes of them",
                            "the model itself", "of unknown version", "as many places as arguments: {}",
                            "`{}` of libdevice is not known on a CPU"));
}

}  // namespace
}  // namespace kernelgen
