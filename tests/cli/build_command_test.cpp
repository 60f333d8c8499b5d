// SPDX-License-Identifier: Apache-2.0
// `kernelgen build`, for devices that need not be here.
#include "gpu/cuda/nvrtc.h"
#include "tests/cli/program.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using testing::ProgramTest;
using testing::Ran;

const std::string samples = KERNELGEN_SOURCE_DIR "/projects/";

class BuildCommand : public ProgramTest {
protected:
    static bool hasCompiler() { return find_nvrtc().has_value(); }
};

TEST_F(BuildCommand, BuildsTheHostsVariantForEachDtypeOfTheCases) {
    const Ran built = kernelgen({"build", samples + "softmax", "--json"});
    ASSERT_EQ(built.exit.status, 0) << built.errors;
    const json document = built.json();
    EXPECT_EQ(document["variant"], "host");
    EXPECT_EQ(document["status"], "ok");
    ASSERT_EQ(document["builds"].size(), 2u);
    EXPECT_EQ(document["builds"][0]["dtype"], "f32");
    EXPECT_EQ(document["builds"][1]["dtype"], "bf16");
}

TEST_F(BuildCommand, SaysWhatACudaVariantTakesOnADeviceThatIsNotHere) {
    if (!hasCompiler()) GTEST_SKIP() << find_nvrtc().error().message;
    const Ran built = kernelgen({"build", samples + "softmax", "--device", "cuda:h200", "--case", "4096x4096 f32"});
    ASSERT_EQ(built.exit.status, 0) << built.output << built.errors;
    EXPECT_NE(built.output.find("Registers per thread"), std::string::npos) << built.output;
    EXPECT_NE(built.output.find("Occupancy limited by"), std::string::npos) << built.output;
}

TEST_F(BuildCommand, PrintsThePtxAlone) {
    if (!hasCompiler()) GTEST_SKIP() << find_nvrtc().error().message;
    const Ran built =
        kernelgen({"build", samples + "softmax", "--device", "cuda:t4", "--case", "P=1,D=1,dtype=f32", "--ptx"});
    ASSERT_EQ(built.exit.status, 0) << built.errors;
    EXPECT_NE(built.output.find(".target sm_75"), std::string::npos);
    EXPECT_EQ(built.output.find("Registers per thread"), std::string::npos);
    EXPECT_NE(built.errors.find("Registers per thread"), std::string::npos);
}

TEST_F(BuildCommand, SaysThatAHostVariantHasNoPtx) {
    const Ran built = kernelgen({"build", samples + "softmax", "--case", "P=1,D=1,dtype=f32", "--ptx"});
    EXPECT_EQ(built.exit.status, 4);
    EXPECT_NE(built.errors.find("has no ptx"), std::string::npos) << built.errors;
}

TEST_F(BuildCommand, EndsWithTheStatusOfTheBuild) {
    const Ran restricted = kernelgen({"build", samples + "softmax", "--device", "cuda:h200", "--set", "BLOCK_M=16",
                                      "--set", "num_warps=1", "--json"});
    EXPECT_EQ(restricted.exit.status, 2);
    EXPECT_EQ(restricted.json()["status"], "restricted");
    const Ran unknown = kernelgen({"build", samples + "softmax", "--device", "cuda:h2000"});
    EXPECT_EQ(unknown.exit.status, 4);
    const std::filesystem::path project = small_project();
    ASSERT_TRUE(write_file_atomic(project / "small.cpp", "int broken = ;\n"));
    const Ran broken = kernelgen({"build", "small"});
    EXPECT_EQ(broken.exit.status, 2);
    EXPECT_NE(broken.output.find("small.cpp:1"), std::string::npos) << broken.output;
}

TEST_F(BuildCommand, IsUnavailableWithoutACompiler) {
    const Ran built = kernelgen({"build", samples + "softmax", "--device", "cuda:h200"},
                                {{"KERNELGEN_NVRTC", "/nowhere/libnvrtc.so"}});
    EXPECT_EQ(built.exit.status, 4);
    EXPECT_NE(built.output.find("/nowhere/libnvrtc.so"), std::string::npos) << built.output;
}

TEST_F(BuildCommand, DoesNotRunOnADeviceModel) {
    const Ran verified =
        kernelgen({"verify", samples + "softmax", "--device", "cuda:h200", "--case", "P=2,D=2,dtype=f32"});
    EXPECT_EQ(verified.exit.status, 4);
    std::filesystem::copy(samples + "softmax", folder / "softmax", std::filesystem::copy_options::recursive);
    const Ran ran = kernelgen({"run", "softmax", "--device", "cuda:h200", "--json"});
    EXPECT_EQ(ran.exit.status, 4);
    EXPECT_NE(ran.output.find("is a device model"), std::string::npos) << ran.output;
    EXPECT_EQ(ran.json()["exit_status"], 4) << "refused: no round is recorded";
}

TEST_F(BuildCommand, FindsTheModelsAmongTheDevices) {
    const Ran listed = kernelgen({"devices", "--json"});
    ASSERT_EQ(listed.exit.status, 0) << listed.errors;
    const json document = listed.json();
    for (const json& device : document["devices"]) {
        if (device["name"] != "cuda:h200") continue;
        EXPECT_EQ(device["builds_only"], true);
        EXPECT_EQ(device["available"], false);
        return;
    }
    ADD_FAILURE() << listed.output;
}

}  // namespace
}  // namespace kernelgen
