// SPDX-License-Identifier: Apache-2.0
// The whole projects that docs/PROJECT_FORMAT.md shows work as they stand there.
#include <gmock/gmock.h>

#include <regex>

#include "core/base/text.h"
#include "tests/cli/program.h"
#include "tests/core_python/needs.h"

namespace kernelgen {
namespace {

class DocumentedProject : public testing::ProgramTest {
protected:
    /// Writes the files of the section with this heading: each is a code block behind a line with its name.
    void write_section(const std::string& heading) {
        const std::string page = read_file(KERNELGEN_SOURCE_DIR "/docs/PROJECT_FORMAT.md").value();
        const std::size_t begin = page.find("\n### " + heading + "\n");
        ASSERT_NE(begin, page.npos) << heading;
        const std::string section = page.substr(begin + 1, page.find("\n##", begin + 1) - begin - 1);
        std::string name;
        std::optional<std::string> block;
        const std::regex named("`([^`]+)`");
        for (const std::string& line : split(section, '\n')) {
            std::smatch match;
            if (!block && std::regex_match(line, match, named)) name = match[1];
            if (!block && line.starts_with("```")) block = "";
            else if (block && line == "```") {
                ASSERT_TRUE(write_file_atomic(folder / name, *block));
                block.reset();
            } else if (block) *block += line + "\n";
        }
    }
};

using NightlyDocumentedProject = DocumentedProject;  // their compilers take long

TEST_F(NightlyDocumentedProject, WithAReferenceInCpp) {
    write_section("Family `custom`, with a reference in C++");
    const testing::Ran verified = kernelgen({"verify", "."});
    EXPECT_EQ(verified.exit.status, 0) << verified.output << verified.errors;
    const testing::Ran tuned = kernelgen({"tune", ".", "--evaluations", "2", "--budget", "20s", "--json"});
    EXPECT_EQ(tuned.exit.status, 0) << tuned.errors;
    EXPECT_EQ(tuned.json()["tunings"][0]["failed"], 0) << tuned.output;
}

TEST_F(NightlyDocumentedProject, WithHostCodeInCpp) {
    NEEDS(Language::torch);
    write_section("Family `callable`, with host code in C++");
    const testing::Ran verified = kernelgen({"verify", "."});
    EXPECT_EQ(verified.exit.status, 0) << verified.output << verified.errors;
}

}  // namespace
}  // namespace kernelgen
