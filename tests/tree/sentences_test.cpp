// SPDX-License-Identifier: Apache-2.0
// Who makes the sentences of core/said: C++ by `say`, which keeps their formats, or Python, whose texts are recognised.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/said/said.h"

namespace kernelgen {
namespace {

namespace fs = std::filesystem;

const fs::path root = KERNELGEN_SOURCE_DIR;

/// All sources of these folders with this ending, one after another.
std::string sources_of(const std::vector<std::string>& folders, const std::string& ending) {
    std::string all;
    for (const std::string& folder : folders) {
        for (const auto& entry : fs::recursive_directory_iterator(root / folder))
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

/// The longest text between two places.
std::string longest_piece(std::string format) {
    std::string longest;
    for (std::size_t open = 0; open != std::string::npos; format.erase(0, open + 2)) {
        open = format.find("{}");
        if (std::string piece = format.substr(0, open); piece.size() > longest.size()) longest = std::move(piece);
        if (open == std::string::npos) break;
    }
    return longest;
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

/// The others are recognised (core/said/recognise.h). Of those below, the first row is thrown as an exception, the
/// second is written by a signal handler as JSON with its id, and the third is in older records only; Python says the
/// rest, in pieces.
TEST(Sentences, WithPlacesAreMadeInCppOrSaidByPython) {
    const std::set<std::string> made = formats_behind(cpp, "(?:say|wrong)");
    const std::string python = sources_of({"resources/python"}, ".py"),
                      headers = sources_of({"core/base"}, "sentences.h");
    std::vector<std::string> neither;
    for (std::size_t i = 0; i < english_formats().size(); ++i) {
        const std::string format = plain(std::string(english_formats()[i])), piece = longest_piece(format);
        const std::string id(ids_of_sentences()[i]);
        if (!format.contains("{}") || made.contains(format) || headers.contains("string_view " + id + " =")) continue;
        if (!python.contains(piece.substr(0, 30))) neither.push_back(id);
    }
    EXPECT_THAT(neither, testing::UnorderedElementsAre(
                             "no_build_artifact", "no_resource", "unknown_build_dtype",  //
                             "reads_past_end", "writes_past_end", "touches_past_end", "reads_before_start",
                             "writes_before_start", "touches_before_start",                             //
                             "executor_cannot", "no_device_model_advice", "no_device_but_cuda_advice",  //
                             "returned_number", "threw", "tunable_without_literal", "returns_other_property",
                             "init_returns_another", "parameter_nan", "mutates_unknown", "identity_reference",
                             "parameters_left_out", "parameters_kept", "with_install_advice"));
}

}  // namespace
}  // namespace kernelgen
