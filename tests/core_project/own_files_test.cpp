// SPDX-License-Identifier: Apache-2.0
#include "core/project/own_files.h"

#include <gmock/gmock.h>

#include <format>
#include <ranges>

#include "core/base/file.h"
#include "core/project/names.h"

namespace kernelgen {
namespace {

using testing::Optional;

/// The rows of the page's first table, which says what lies in a project's folder.
std::string table_of_files() {
    const std::string page = read_file(KERNELGEN_SOURCE_DIR "/docs/PROJECT_FORMAT.md").value();
    const std::size_t begin = page.find("| path |");
    return page.substr(begin, page.find("\n\n", begin) - begin);
}

TEST(OwnFiles, AreNoSources) {
    for (const std::string_view name : own_files::all) {
        EXPECT_THAT(source_path_problem(std::string(name)), Optional(std::string("is one of the project's own files")))
            << name;
        EXPECT_TRUE(source_path_problem("./" + std::string(name) + "/kernel.cpp")) << name;
        EXPECT_EQ(source_path_problem("kernels/" + std::string(name)), std::nullopt) << name;
    }
    for (const char* each : {"tunings/1.jsonl", "gate.json", "gate.jsonl", "model.json", "kernel_report.html"})
        EXPECT_TRUE(source_path_problem(each)) << each;
}

TEST(OwnFiles, AreAllInTheTableOfTheirPage) {
    const std::string table = table_of_files();
    for (const std::string_view name : own_files::all)
        EXPECT_THAT(table, testing::HasSubstr(name)) << "docs/PROJECT_FORMAT.md";
}

/// The names in backquotes of the table's first column.
std::vector<std::string> documented_files() {
    std::vector<std::string> files;
    for (const auto row : std::views::split(table_of_files(), '\n')) {
        std::string path(std::string_view(row).substr(1));
        path.resize(path.find('|'));
        for (std::size_t open = path.find('`'); open != std::string::npos; open = path.find('`', open)) {
            const std::size_t close = path.find('`', open + 1);
            files.push_back(path.substr(open + 1, close - open - 1));
            open = close + 1;
        }
    }
    return files;
}

TEST(OwnFiles, OfThePageAreNoSources) {
    ASSERT_GT(documented_files().size(), 10u);
    for (const std::string& each : documented_files()) EXPECT_TRUE(source_path_problem(each)) << each;
}

}  // namespace
}  // namespace kernelgen
