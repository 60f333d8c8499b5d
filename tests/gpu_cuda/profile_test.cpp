// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cstdlib>
#include <filesystem>

#include "core/backend/build_cache.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/python/interpreter.h"
#include "gpu/cuda/profiler.h"

namespace kernelgen::cuda {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
namespace fs = std::filesystem;

const std::string heading =
    "==PROF== Connected to process 211\n==PROF== Profiling \"bias_add\": 0%....100%\n"
    "\"ID\",\"Process ID\",\"Kernel "
    "Name\",\"dram__bytes_read.sum\",\"dram__bytes_write.sum\",\"gpu__time_duration.sum\","
    "\"lts__t_sector_hit_rate.pct\",\"sm__warps_active.avg.pct_of_peak_sustained_active\"\n"
    "\"\",\"\",\"\",\"Mbyte\",\"byte\",\"us\",\"%\",\"%\"\n";

TEST(Profile, ReadsTheCountersOfALaunchInTheirUnits) {
    const Counters counters = parse_profile(
        heading + "\"0\",\"211\",\"bias_add(const float *, float)\",\"67.25\",\"1,024\",\"34.5\",\"51\",\"80\"\n");
    EXPECT_EQ(counters.reason, "");
    EXPECT_DOUBLE_EQ(counters.values.at("dram_read_bytes"), 67.25e6);
    EXPECT_DOUBLE_EQ(counters.values.at("dram_write_bytes"), 1024);
    EXPECT_DOUBLE_EQ(counters.values.at("achieved_occupancy"), 0.8);
    EXPECT_DOUBLE_EQ(counters.cache_hit_rate.value(), 0.51);
}

TEST(Profile, AddsBytesOfSeveralLaunchesAndWeighsSharesByTime) {
    const Counters counters = parse_profile(heading + "\"0\",\"1\",\"first\",\"1\",\"10\",\"30\",\"20\",\"40\"\n" +
                                            "\"1\",\"1\",\"second\",\"2\",\"20\",\"10\",\"60\",\"80\"\n");
    EXPECT_DOUBLE_EQ(counters.values.at("dram_read_bytes"), 3e6);
    EXPECT_DOUBLE_EQ(counters.values.at("dram_write_bytes"), 30);
    EXPECT_DOUBLE_EQ(counters.values.at("achieved_occupancy"), 0.5);
    EXPECT_DOUBLE_EQ(counters.cache_hit_rate.value(), 0.3);
}

/// Passes that count hits and references differ a little.
TEST(Profile, HasNoMoreHitsThanReferences) {
    const Counters counters = parse_profile(heading + "\"0\",\"1\",\"k\",\"1\",\"10\",\"30\",\"100.1\",\"40\"\n");
    EXPECT_DOUBLE_EQ(counters.cache_hit_rate.value(), 1);
}

TEST(Profile, LeavesOutACounterThatTheDeviceDoesNotHave) {
    const Counters counters = parse_profile(heading + "\"0\",\"1\",\"k\",\"n/a\",\"10\",\"30\",\"n/a\",\"40\"\n");
    EXPECT_FALSE(counters.values.contains("dram_read_bytes"));
    EXPECT_FALSE(counters.cache_hit_rate.has_value());
    EXPECT_DOUBLE_EQ(counters.values.at("dram_write_bytes"), 10);
}

TEST(Profile, SaysThatCountersAreNotPermitted) {
    const Counters counters = parse_profile(
        "==ERROR== ERR_NVGPUCTRPERM - The user does not have permission to access NVIDIA GPU Performance Counters\n");
    EXPECT_TRUE(counters.values.empty());
    EXPECT_NE(counters.reason.text().find("does not permit hardware counters"), std::string::npos) << counters.reason;
}

TEST(Profile, RepeatsWhatTheProfilerComplainsOf) {
    EXPECT_EQ(parse_profile("==ERROR== The application returned an error code (1).\n").reason,
              "ncu: The application returned an error code (1).");
}

TEST(Profile, SaysWhatTheProfiledProgramSaidRatherThanThatItFailed) {
    EXPECT_EQ(parse_profile("==PROF== Connected to process 211\nkernelgen: ImportError: no module\n"
                            "==ERROR== The application returned an error code (1).\n")
                  .reason,
              "ImportError: no module");
}

TEST(Profile, KeepsTheSentenceThatTheProfiledProgramSaid) {
    const Said reason = parse_profile(
                            "kernelgen: the kernel does not compile: x\n"
                            R"(kernelgen said: {"format": "the kernel does not compile: {}", )"
                            R"("arguments": ["x"]})")
                            .reason;
    EXPECT_EQ(reason, "the kernel does not compile: x");
    EXPECT_EQ(reason.arguments().size(), 1U);
    EXPECT_EQ(parse_profile("kernelgen: x\nkernelgen said: {\n").reason, "x");
}

TEST(Profile, AddsTheLaunchesOfACallThatIsMadeInPython) {
    const Counters counters = parse_profile(
        heading + "\"0\",\"7\",\"void at::native::reduce_kernel<512, 1>(T1)\",\"1\",\"10\",\"30\",\"20\",\"40\"\n" +
        "\"1\",\"7\",\"triton_poi_fused_add_0\",\"2\",\"20\",\"10\",\"60\",\"80\"\n==PROF== Disconnected from process "
        "7\n");
    EXPECT_DOUBLE_EQ(counters.values.at("dram_read_bytes"), 3e6);
    EXPECT_DOUBLE_EQ(counters.values.at("achieved_occupancy"), 0.5);
}

/// A program that stands on PATH in the place of `ncu`; `$request` is the file that describes the call.
class StandIn {
public:
    explicit StandIn(const std::string& script) : folder_(ScratchFolder::create(fs::temp_directory_path()).value()) {
        EXPECT_TRUE(write_file_atomic(folder_.path / "ncu", "#!/bin/sh\nfor request; do :; done\n" + script));
        fs::permissions(folder_.path / "ncu", fs::perms::owner_all);
        ::setenv("PATH", (folder_.path.string() + ":" + path_).c_str(), 1);
    }
    ~StandIn() { ::setenv("PATH", path_.c_str(), 1); }
    StandIn(const StandIn&) = delete;
    StandIn& operator=(const StandIn&) = delete;

private:
    std::string path_ = std::getenv("PATH");
    ScratchFolder folder_;
};

Counters profile_triton() {
    Artifact artifact;
    artifact.language = Language::triton;
    artifact.python = {.file = "add.py", .text = "", .entry = "add", .configuration = {}, .compile = false};
    return profile("kernelgen", 0, artifact, Call{}, {});
}

TEST(Profile, OfAPythonVariantHasTheCallDescribed) {
    const StandIn ncu("grep -q '\"entry\":\"add\"' \"$request\" || exit 1\ncat <<END\n" + heading +
                      "\"0\",\"1\",\"add\",\"1\",\"10\",\"30\",\"20\",\"40\"\nEND\n");
    const Counters counters = profile_triton();
    EXPECT_EQ(counters.reason, "");
    EXPECT_DOUBLE_EQ(counters.values.at("dram_read_bytes"), 1e6);
}

TEST(Profile, OfAPythonVariantThatFailsIsAReasonWithoutCounters) {
    const StandIn ncu("echo 'kernelgen: OutOfMemoryError: CUDA out of memory' >&2\nexit 1\n");
    const Counters counters = profile_triton();
    EXPECT_TRUE(counters.values.empty());
    EXPECT_EQ(counters.reason, "OutOfMemoryError: CUDA out of memory");
}

TEST(Profile, StartsTheProgramItselfForKernelsInCuda) {
    const std::string line = join(profile_arguments("/bin/kernelgen", 1, Language::cuda, "/tmp/call.json", false), " ");
    EXPECT_THAT(line, EndsWith(" /bin/kernelgen cuda-once 1 /tmp/call.json"));
    EXPECT_THAT(line, Not(HasSubstr("--profile-from-start")));
    EXPECT_THAT(join(profile_arguments("/bin/kernelgen", 0, Language::library, "/tmp/call.json", false), " "),
                EndsWith(" /bin/kernelgen cuda-once 0 /tmp/call.json"));
}

TEST(Profile, StartsTheInterpreterForKernelsInPythonAndWaitsForTheCall) {
    for (const Language language : {Language::triton, Language::torch}) {
        const std::string line = join(profile_arguments("/bin/kernelgen", 1, language, "/tmp/call.json", false), " ");
        EXPECT_THAT(line, HasSubstr(" --profile-from-start off " + python_program() + " -B /"));
        EXPECT_THAT(line, EndsWith("/python/kernelgen_once.py 1 /tmp/call.json"));
        EXPECT_THAT(line, Not(HasSubstr("/bin/kernelgen ")));
    }
}

TEST(Profile, RelatesTheCountersOfTheDiagnosis) {
    const Counters counters = parse_profile(
        "\"ID\",\"l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum\",\"l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum\","
        "\"l1tex__data_bank_conflicts_pipe_lsu_mem_shared.sum\",\"l1tex__data_pipe_lsu_wavefronts_mem_shared.sum\"\n"
        "\"\",\"request\",\"sector\",\"\",\"\"\n\"0\",\"1,000\",\"32,000\",\"0\",\"0\"\n");
    EXPECT_DOUBLE_EQ(counters.values.at("sectors_per_request"), 32);
    EXPECT_FALSE(counters.values.contains("bank_conflict_share"));
    EXPECT_EQ(counters.values.size(), 1u);
}

TEST(Profile, IsTakenWithoutTheCountersOfTheDiagnosisWhereNcuDoesNotKnowThem) {
    const StandIn ncu(
        "case \"$*\" in *l1tex*) echo '==ERROR== Failed to find metric l1tex__x'; exit 1;; esac\ncat <<END\n" +
        heading + "\"0\",\"1\",\"add\",\"1\",\"10\",\"30\",\"20\",\"40\"\nEND\n");
    EXPECT_DOUBLE_EQ(profile_triton().values.at("dram_read_bytes"), 1e6);
}

}  // namespace
}  // namespace kernelgen::cuda
