// SPDX-License-Identifier: Apache-2.0
// Tunables whose macros would change kernelgen's headers.
#include "core/project/header_names.h"

#include <gmock/gmock.h>

#include "core/project/cpp_text.h"
#include "core/project/project_file.h"
#include "core/project/source_files.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Diagnostics found_for(const std::string& tunable, const std::string& text) {
    Variant variant{.name = "tuned", .language = Language::cuda, .source = "tuned.cu"};
    variant.tunables = {{tunable, {1, 2}, 1}};
    return tunables_in_headers({.variant = variant, .text = text, .configuration = {}});
}

TEST(HeaderNames, AreRefusedForTunables) {
    const std::string text = "#include <kernelgen/cuda/rows.cuh>\n";
    const Diagnostics found = found_for("block_m", text);
    ASSERT_THAT(found, SizeIs(1));
    EXPECT_THAT(found[0].message, HasSubstr("`block_m` stands in kernelgen's `kernelgen/cuda/rows.cuh`"));
    EXPECT_THAT(found_for("block_m", "// without it\n"), IsEmpty());
    EXPECT_THAT(found_for("BLOCK_M", text), IsEmpty()) << "it is named in comments and in a message";
}

TEST(HeaderNames, AreThoseOfNoVariantOfTheSamples) {
    const std::filesystem::path samples = std::filesystem::path(KERNELGEN_SOURCE_DIR) / "projects";
    for (const auto& folder : std::filesystem::directory_iterator(samples)) {
        if (!folder.is_directory()) continue;
        const auto project = load_project(folder.path());
        ASSERT_TRUE(project) << folder.path();
        for (const Variant& each : project->variants) {
            const auto implementation = read_implementation(*project, each);
            ASSERT_TRUE(implementation) << implementation.error().message;
            EXPECT_EQ(to_string(tunables_in_headers(*implementation)), "") << folder.path() << each.name;
        }
    }
}

TEST(CppText, HasBlanksForCommentsAndLiterals) {
    EXPECT_EQ(without_comments_and_literals("a /* b */ \"c\" 'd' // e\n#define F \"g\" 1\n"),
              "a                     \n#define F     1\n");
}

}  // namespace
}  // namespace kernelgen
