// SPDX-License-Identifier: Apache-2.0
// `kernelgen assembly`.
#include <algorithm>
#include <fstream>

#include "gpu/cuda/library_places.h"
#include "gpu/cuda/nvrtc.h"
#include "tests/cli/program.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using testing::ProgramTest;
using testing::Ran;

const std::string projects_folder = KERNELGEN_SOURCE_DIR "/projects/";

class AssemblyCommand : public ProgramTest {};

TEST_F(AssemblyCommand, GivesEachInstructionItsLineOfTheSource) {
    const Ran ran = kernelgen({"assembly", projects_folder + "bias_add", "--case", "P=8,D=64,dtype=f32", "--json"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json listing = ran.json()["builds"][0]["listing"];
    EXPECT_EQ(listing["kind"], "assembly");
    const json& lines = listing["lines"];
    const auto placed = std::ranges::count_if(lines, [](const json& line) { return line.contains("line"); });
    EXPECT_GT(placed, static_cast<std::ptrdiff_t>(lines.size()) / 2);
    for (const json& line : lines) {
        EXPECT_EQ(line.value("file", "bias_add.cpp"), "bias_add.cpp");
    }
    EXPECT_GT(listing["mix"]["groups"]["floats"], 0);
    EXPECT_GT(listing["mix"]["registers"]["vector"], 0);
}

TEST_F(AssemblyCommand, TakesAPartByItsLines) {
    const Ran all = kernelgen({"assembly", projects_folder + "bias_add", "--case", "P=8,D=64,dtype=f32", "--by-line"});
    ASSERT_EQ(all.exit.status, 0) << all.errors;
    EXPECT_NE(all.output.find("  source\n"), std::string::npos) << all.output;
    EXPECT_NE(all.output.find("registers named: "), std::string::npos);
    const Ran none = kernelgen(
        {"assembly", projects_folder + "bias_add", "--case", "P=8,D=64,dtype=f32", "--lines", "100000-100001"});
    ASSERT_EQ(none.exit.status, 0) << none.errors;
    EXPECT_NE(none.output.find("0 instructions"), std::string::npos) << none.output;
}

TEST_F(AssemblyCommand, TellsWhatDiffersFromAnotherConfiguration) {
    const std::vector<std::string> base = {"assembly", projects_folder + "bias_add", "--case", "P=8,D=64,dtype=f32"};
    const auto against = [&](const std::string& other, std::vector<std::string> more = {}) {
        std::vector<std::string> arguments = base;
        arguments.insert(arguments.end(), {"--set", "BLOCK_M=16", "--against", other});
        arguments.insert(arguments.end(), more.begin(), more.end());
        return kernelgen(arguments);
    };
    const Ran same = against("BLOCK_M=16");
    ASSERT_EQ(same.exit.status, 0) << same.errors;
    EXPECT_NE(same.output.find("0 lines removed, 0 added"), std::string::npos) << same.output;
    const json other = against("BLOCK_M=32", {"--json"}).json()["builds"][0];
    EXPECT_GT(other["difference"]["added"], 0);
    EXPECT_LT(other["difference"]["lines"].size(), other["listing"]["lines"].size());
    EXPECT_GT(other["difference"]["before"]["instructions"], 0);
    for (const std::string wrong : {"BLOCK_M=7777", "SPEED=1", "round:99", "BLOCK_M", ""}) {
        const Ran ran = against(wrong);
        if (wrong.empty()) continue;  // as if it were left out
        EXPECT_EQ(ran.exit.status, 1) << wrong << ran.output;
        EXPECT_NE(ran.errors.find("--against"), std::string::npos) << ran.errors;
    }
    EXPECT_EQ(against("BLOCK_M=32", {"--by-line"}).exit.status, 1);
}

TEST_F(AssemblyCommand, EndsAsTheOtherCodeDid) {
    const auto project = small_project();
    const std::string source = json::parse(read_file(project / "project.json").value())["variants"][0]["source"],
                      text = read_file(project / source).value();
    ASSERT_TRUE(write_file_atomic(project / source, "this is no C++;\n"));
    EXPECT_EQ(kernelgen({"run", "small"}).exit.status, 2);
    ASSERT_TRUE(write_file_atomic(project / source, text));
    const Ran broken = kernelgen({"assembly", "small", "--against", "round:0"});
    EXPECT_EQ(broken.exit.status, 2) << broken.errors;
    EXPECT_NE(broken.errors.find("nothing to compare with in `round:0`"), std::string::npos) << broken.errors;
    EXPECT_EQ(kernelgen({"run", "small"}).exit.status, 0);
    const Ran same = kernelgen({"assembly", "small", "--against", "round:1"});
    EXPECT_EQ(same.exit.status, 0) << same.errors;
    EXPECT_NE(same.output.find("against round:1: variant "), std::string::npos) << same.output;
}

TEST_F(AssemblyCommand, RefusesWhatItDoesNotKnow) {
    for (const std::string lines : {"3-x", "0", "9-3", "1-2-3", "99999999999999999999"}) {
        const Ran ran = kernelgen({"assembly", projects_folder + "bias_add", "--lines", lines});
        EXPECT_EQ(ran.exit.status, 1) << lines;
        EXPECT_NE(ran.errors.find("is no range of lines"), std::string::npos) << ran.errors;
    }
    const Ran kind = kernelgen({"assembly", projects_folder + "bias_add", "--kind", "mips"});
    EXPECT_EQ(kind.exit.status, 1);
    EXPECT_NE(kind.errors.find("there are: assembly, ptx, sass, ttgir, ttir"), std::string::npos) << kind.errors;
}

TEST_F(AssemblyCommand, SaysWhatAVariantDoesNotHave) {
    const Ran ran =
        kernelgen({"assembly", projects_folder + "bias_add", "--case", "P=8,D=64,dtype=f32", "--kind", "sass"});
    EXPECT_EQ(ran.exit.status, 4) << ran.output;
    EXPECT_NE(ran.output.find("no sass of variant"), std::string::npos) << ran.output << ran.errors;
    const Ran as_json = kernelgen(
        {"assembly", projects_folder + "bias_add", "--case", "P=8,D=64,dtype=f32", "--kind", "sass", "--json"});
    const json build = as_json.json()["builds"][0];
    ASSERT_TRUE(build.contains("notes")) << build;
    EXPECT_EQ(build["notes"].size(), 1u);
}

TEST_F(AssemblyCommand, NamesTheFilesOfAVariantWhereItHasNoSuchFile) {
    const Ran ran = kernelgen({"assembly", projects_folder + "bias_add", "--file", "nosuch.cpp"});
    EXPECT_EQ(ran.exit.status, 1) << ran.output;
    EXPECT_NE(ran.errors.find("there are: bias_add.cpp"), std::string::npos) << ran.errors;
}

TEST_F(AssemblyCommand, SaysOnceWhyABuildFailed) {
    const std::filesystem::path project = folder / "broken";
    std::filesystem::copy(projects_folder + "bias_add", project, std::filesystem::copy_options::recursive);
    std::ofstream(project / "bias_add.cpp", std::ios::app) << "\nint f() { return nowhere; }\n";
    const Ran ran = kernelgen({"assembly", project.string(), "--case", "P=8,D=64,dtype=f32"});
    EXPECT_NE(ran.output.find("nowhere"), std::string::npos) << ran.output << ran.errors;
    EXPECT_EQ(ran.output.find("note: "), std::string::npos) << ran.output;
}

TEST_F(AssemblyCommand, ReadsPtxWithoutAGpu) {
    if (!find_nvrtc()) GTEST_SKIP() << find_nvrtc().error().message;
    const Ran ran = kernelgen({"assembly", projects_folder + "softmax", "--device", "cuda:h200", "--case",
                               "P=8,D=64,dtype=f32", "--kind", "ptx", "--json"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json listing = ran.json()["builds"][0]["listing"];
    EXPECT_EQ(listing["kind"], "ptx");
    EXPECT_EQ(listing["files"], json::array({"softmax.cu"}));
    EXPECT_GT(listing["mix"]["instructions"], 50);
}

TEST_F(AssemblyCommand, ShowsSassOrSaysWhatToInstall) {
    if (!find_nvrtc()) GTEST_SKIP() << find_nvrtc().error().message;
    const Ran ran = kernelgen({"assembly", projects_folder + "softmax", "--device", "cuda:h200", "--case",
                               "P=8,D=64,dtype=f32", "--kind", "sass"});
    const char* expected = ran.exit.status == 0 ? "EXIT" : "cuda-nvdisasm";
    EXPECT_NE(ran.output.find(expected), std::string::npos) << ran.output << ran.errors;
}

}  // namespace
}  // namespace kernelgen
