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
    static const std::regex between(R"re("\s*")re"), escaped(R"(\\(.))");
    const std::string joined = std::regex_replace(literals, between, "");
    return std::regex_replace(std::regex_replace(joined.substr(1, joined.rfind('"') - 1), std::regex(R"(\\n)"), "\n"),
                              escaped, "$1");
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
        if (format.contains("{}")) EXPECT_FALSE(formatted.contains(format)) << format;
    }
    EXPECT_FALSE(cpp.contains("std::format(sentences::"));
}

/// The others are recognised where they are shown (core/said/recognise.h). Below: older records' only, and those whose
/// text has no piece of its own.
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
    EXPECT_THAT(neither, testing::ElementsAre());
}

}  // namespace
}  // namespace kernelgen
