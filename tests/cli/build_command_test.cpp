// SPDX-License-Identifier: Apache-2.0
// `kernelgen build`, for devices that need not be here.
#include "gpu/cuda/toolkit_headers.h"
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

TEST_F(BuildCommand, TakesATemplateThatUsesCub) {
    if (!hasCompiler()) GTEST_SKIP() << find_nvrtc().error().message;
    if (toolkit_include_folders(*find_nvrtc()).size() < 2) GTEST_SKIP() << "no CUB beside this NVRTC";
    const std::filesystem::path project = folder / "softmax";
    std::filesystem::copy(samples + "softmax", project, std::filesystem::copy_options::recursive);
    change(project, [](nlohmann::ordered_json& document) {
        document["variants"].push_back(
            {{"name", "cub"},
             {"language", "cuda"},
             {"source", "cub.cu"},
             {"entry", "softmax<DTYPE, THREADS>"},
             {"launch", {{"grid", {"P"}}, {"args", {"x", "out", "P", "D"}}, {"block", {"THREADS"}}}},
             {"tunables", {{{"name", "THREADS"}, {"values", {128, 256}}, {"value", 256}}}}});
    });
    ASSERT_TRUE(write_file_atomic(project / "cub.cu", R"(#include <kernelgen.cuh>
#include <cub/block/block_reduce.cuh>
template <class T, int N>
__global__ void __launch_bounds__(N) softmax(const T* x, T* out, int64_t, int64_t D) {
    using Reduce = cub::BlockReduce<float, N>;
    __shared__ typename Reduce::TempStorage storage;
    __shared__ float total;
    const T* row = x + blockIdx.x * D;
    float sum = 0;
    for (int64_t d = threadIdx.x; d < D; d += N) sum += expf(static_cast<float>(row[d]));
    sum = Reduce(storage).Sum(sum);
    if (threadIdx.x == 0) total = sum;
    __syncthreads();
    for (int64_t d = threadIdx.x; d < D; d += N)
        out[blockIdx.x * D + d] = static_cast<T>(expf(static_cast<float>(row[d])) / total);
}
)"));
    const Ran built =
        kernelgen({"build", "softmax", "--device", "cuda:h200", "--variant", "cub", "--set", "THREADS=128", "--json"});
    ASSERT_EQ(built.exit.status, 0) << built.output << built.errors;
    for (const json& each : built.json()["builds"]) {
        EXPECT_EQ(each["resources"]["threads_per_block"], 128);
        EXPECT_GT(each["resources"]["static_shared_bytes"], 0);
    }
}

TEST_F(BuildCommand, SaysThatAHostVariantHasNoPtx) {
    const Ran built = kernelgen({"build", samples + "softmax", "--case", "P=1,D=1,dtype=f32", "--ptx"});
    EXPECT_EQ(built.exit.status, 4);
    EXPECT_NE(built.errors.find("no ptx of variant"), std::string::npos) << built.errors;
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
