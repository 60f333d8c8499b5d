// SPDX-License-Identifier: Apache-2.0
// Who may include whom, as CONTRIBUTING's "The architecture on one page" says.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "core/base/file.h"
#include "core/base/text.h"
#include "tests/tree/root.h"

namespace kernelgen {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view source_extensions[] = {".h", ".cpp", ".def", ".cu", ".cuh"};

/// "core/base" of each include of a source.
std::set<std::string> included_folders(const fs::path& source) {
    static const std::regex include(R"re(#include "((core|gpu|app/studio|app)(/\w+)?)/)re");
    const std::string text = read_file(source).value();
    std::set<std::string> folders;
    for (std::sregex_iterator found(text.begin(), text.end(), include), end; found != end; ++found) {
        folders.insert((*found)[1]);
    }
    return folders;
}

/// For each folder of `layer` ("core"): all folders and layers that it includes.
std::map<std::string, std::set<std::string>> includes_of(const std::string& layer) {
    std::map<std::string, std::set<std::string>> includes;
    for (const auto& entry : fs::recursive_directory_iterator(testing::root / layer)) {
        if (!std::ranges::contains(source_extensions, entry.path().extension().string())) continue;
        const std::string folder = fs::relative(entry.path(), testing::root).parent_path();
        includes[folder].merge(included_folders(entry.path()));
    }
    return includes;
}

/// The folders of `layer`, from above, as its table in CONTRIBUTING.md has them.
std::map<std::string, int> ranks_in(const std::string& layer) {
    const std::string text = read_file(testing::root / "CONTRIBUTING.md").value();
    const std::size_t begin = text.find("| folder of " + layer + " | concept |"), end = text.find("\n\n", begin);
    static const std::regex name(R"(`(\w+)`)");
    std::map<std::string, int> ranks;
    int rank = 0;
    for (const std::string& line : split(text.substr(begin, end - begin), '\n')) {
        const std::string cell = line.substr(0, line.find('|', 1));
        for (std::sregex_iterator found(cell.begin(), cell.end(), name), last; found != last; ++found) {
            ranks[layer + "/" + (*found)[1].str()] = ++rank;
        }
    }
    return ranks;
}

void expect_downwards(const std::string& layer) {
    const std::map<std::string, int> ranks = ranks_in(layer);
    for (const auto& [folder, rank] : ranks)
        EXPECT_TRUE(fs::is_directory(testing::root / folder)) << folder << " is in CONTRIBUTING's table, but not there";
    for (const auto& [folder, included] : includes_of(layer)) {
        if (folder == layer) continue;
        ASSERT_TRUE(ranks.contains(folder)) << folder << " is not in CONTRIBUTING's table";
        for (const std::string& other : included) {
            const bool is_lower_layer = layer != "core" && other.starts_with("core");
            if (other == folder || is_lower_layer) continue;
            ASSERT_TRUE(ranks.contains(other)) << folder << " includes " << other;
            EXPECT_LT(ranks.at(folder), ranks.at(other)) << folder << " includes " << other;
        }
    }
}

TEST(Arrows, PointDownwardsWithinCore) { expect_downwards("core"); }

TEST(Arrows, PointDownwardsWithinGpu) { expect_downwards("gpu"); }

TEST(Arrows, PointDownwardsWithinTheWindow) { expect_downwards("app/studio"); }

/// "app/studio" of "app/studio/window".
std::string part_of_app(const std::string& folder) {
    return folder.substr(0, folder.find('/', std::string_view("app/").size()));
}

/// Whether a part of app may include another one, or gpu: of the parts only mcp stands above another, cli.
bool may_include(const std::string& part, const std::string& other) {
    if (other.starts_with("gpu")) return part != "app/studio";
    if (!other.starts_with("app")) return true;
    return part_of_app(other) == part || (part == "app/mcp" && other == "app/cli");
}

TEST(Arrows, PointDownwardsBetweenThePartsOfApp) {
    for (const auto& [folder, included] : includes_of("app")) {
        for (const std::string& other : included)
            EXPECT_TRUE(may_include(part_of_app(folder), other)) << folder << " includes " << other;
    }
}

TEST(Arrows, OfAppAreForbiddenUpwards) {
    EXPECT_FALSE(may_include("app/cli", "app/mcp"));
    EXPECT_FALSE(may_include("app/mcp", "app/executor"));
    EXPECT_FALSE(may_include("app/studio", "gpu/cuda"));
    EXPECT_FALSE(may_include("app/cli", "app/studio/window"));
    EXPECT_TRUE(may_include("app/mcp", "app/cli"));
    EXPECT_TRUE(may_include(part_of_app("app/studio/window"), "app/studio/session"));
}

}  // namespace
}  // namespace kernelgen
