// SPDX-License-Identifier: Apache-2.0
// A tuning on a device of which only the model is known leaves out what that device cannot start.
#include <gmock/gmock.h>

#include <algorithm>
#include <map>

#include "core/engine/run.h"
#include "core/project/launch_plan.h"
#include "core/project/project_file.h"
#include "core/project/source_files.h"
#include "core/tune/tuning_file.h"
#include "core/tuning/failed_before.h"
#include "core/tuning/pruned_list.h"
#include "gpu/cuda/device_model.h"
#include "gpu/cuda/occupancy.h"
#include "tests/core_round/temporary_folder.h"
#include "tests/gpu_cuda/kernels.h"

namespace kernelgen {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::SizeIs;

DeviceModel model_of(const std::string& id) { return find_device_model(id).value(); }

/// The plan of a variant of the sample softmax, for its first case on a device of this model.
RunPlan plan_of_softmax(const std::string& variant, const DeviceModel& model) {
    const Project project = load_project(KERNELGEN_SOURCE_DIR "/projects/softmax").value();
    RunPlan plan{.project = project, .candidate = {}, .cases = {}, .options = {}};
    plan.candidate = read_implementation(project, *project.find_variant(variant)).value();
    plan.candidate.device = numbers_of(model);
    plan.options.device = "cuda:" + model.id;
    return with_case(std::move(plan), project.cases.front());
}

/// What a block of the only launch needs before anything is built.
BlockNeeds needs_of(const RunPlan& plan, const Configuration& configuration) {
    const PlannedLaunch launch =
        plan_launches(plan.project.definition, with_configuration(plan, configuration).candidate, plan.cases.front())
            ->launches.front();
    BlockNeeds needs;
    needs.threads = launch.block[0] * launch.block[1] * launch.block[2];
    needs.shared_bytes = launch.shared_bytes;
    return needs;
}

/// So that the space of the CUDA variant is small enough to be enumerated.
const ChosenValues few = {{"PERSISTENT", {0}}, {"VEC", {16}}, {"LOAD_CACHE", {0}}, {"STORE_CACHE", {0}}};

std::map<std::string, std::uint64_t> counts_of_limits(const CaseSpace& made) {
    std::map<std::string, std::uint64_t> counts;
    for (const Pruned& each : made.pruned) {
        if (each.reason.text().starts_with("the device's limit")) counts[each.reason] = each.count;
    }
    return counts;
}

TEST(PrunedByDevice, IsWhatItsModelCannotStartAndNothingElse) {
    std::map<std::string, std::uint64_t> counts;
    for (const std::string id : {"t4", "a100", "h200"}) {
        const DeviceModel model = model_of(id);
        const RunPlan plan = plan_of_softmax("cuda", model);
        const CaseSpace made = space_for(plan, few).value();
        const std::string limit =
            "the device's limit `(HOLD * num_stages * BLOCK_M * BLOCK_N) <= device.shared_per_block`";
        counts[id] = counts_of_limits(made)[limit];
        std::size_t examples = 0;
        for (const PrunedConfiguration& each : list_pruned(plan.candidate.variant, made, 500)) {
            if (each.reason != limit) continue;
            ++examples;
            EXPECT_THAT(exceeded_limit(model, needs_of(plan, each.configuration)).text(),
                        HasSubstr("bytes of shared memory are more than"))
                << id;
        }
        EXPECT_EQ(examples, 500u) << id;
        for (std::size_t i = 0; i < made.space.size(); i += 97)
            EXPECT_EQ(exceeded_limit(model, needs_of(plan, made.space.at(i))), "") << id;
    }
    EXPECT_GT(counts["t4"], counts["a100"]);
    EXPECT_GT(counts["a100"], counts["h200"]);
}

TEST(PrunedByDevice, AreBlocksOfTooManyThreads) {
    const DeviceModel model = model_of("h200");
    RunPlan plan = plan_of_softmax("cuda", model);
    Tunable& warps = *std::ranges::find(plan.candidate.variant.tunables, "num_warps", &Tunable::name);
    warps.values.push_back(64);
    const CaseSpace made = space_for(plan, few).value();
    const std::string limit = "the device's limit `(32 * num_warps) <= 1024`";
    EXPECT_GT(counts_of_limits(made)[limit], 0u);
    for (const PrunedConfiguration& each : list_pruned(plan.candidate.variant, made, 100)) {
        if (each.reason != limit) continue;
        EXPECT_EQ(each.configuration.at("num_warps"), 64);
        EXPECT_THAT(exceeded_limit(model, needs_of(plan, each.configuration)).text(), HasSubstr("a block of 2048"));
    }
    plan.candidate.variant.launches[0].block = {"1", "1", "32 * num_warps"};
    EXPECT_THAT(counts_of_limits(space_for(plan, few).value()),
                Contains(Key("the device's limit `(32 * num_warps) <= 64`")));
}

TEST(PrunedByDevice, AreGridsOfTooManyBlocks) {
    RunPlan plan = plan_of_softmax("cuda", model_of("h200"));
    plan.candidate.variant.launches[0].grid = {"1", "cdiv(P, BLOCK_M)"};
    plan.cases.front().sizes["P"] = 4 * 65535;
    const auto counts = counts_of_limits(space_for(plan, few).value());
    EXPECT_THAT(counts, Contains(Key("the device's limit `(cdiv(P, BLOCK_M)) <= 65535`")));
}

TEST(PrunedByDevice, OfTritonAreTooManyWarps) {
    RunPlan plan = plan_of_softmax("triton", model_of("a100"));
    EXPECT_THAT(counts_of_limits(space_for(plan).value()), IsEmpty()) << "32 warps are 1024 threads";
    std::ranges::find(plan.candidate.variant.tunables, "num_warps", &Tunable::name)->values.push_back(64);
    const CaseSpace made = space_for(plan).value();
    EXPECT_THAT(made.restrictions.back(), "32 * num_warps <= 1024");
    for (std::size_t i = 0; i < made.space.size(); ++i) EXPECT_LE(made.space.at(i).at("num_warps"), 32);
    EXPECT_EQ(counts_of_limits(made).size(), 1u);
}

/// What a build takes is known only when it was built: a tuning has recorded it.
class RecordedLimits : public InFolder {
protected:
    /// Records, as tuning 1 of the plan's project, that a configuration ended in this way.
    void record(const RunPlan& plan, const Configuration& configuration, const Said& reason) {
        TuningHead head{.time = "2026-11-23T02:00:00Z"};
        head.variant = plan.candidate.variant.name;
        head.device = plan.options.device;
        head.binding = plan.cases.front();
        head.cases = plan.cases;
        head.parameters = plan.candidate.variant.tunables;
        head.incumbent = plan.candidate.configuration;
        head.environment = "a fingerprint";
        head.source_hash = hash_of_sources(plan.candidate);
        head.headers_hash = own_headers_hash();
        head.setup_hash = setup_hash(plan.project, head.variant);
        TuningFile file = TuningFile::open(plan.project.folder).value();
        ASSERT_TRUE(file.begin(head));
        ASSERT_TRUE(file.append(Tried{.configuration = configuration, .status = Status::over_limit, .reason = reason}));
    }

    static std::vector<PrunedConfiguration> recalled(const RunPlan& plan) {
        ChosenValues chosen = few;
        std::erase_if(chosen, [&](const auto& each) { return !plan.candidate.configuration.contains(each.first); });
        CaseSpace made = space_for(plan, chosen).value();
        leave_out_failed(plan, {.environment = "a fingerprint"}, made);
        std::vector<PrunedConfiguration> all = list_pruned(plan.candidate.variant, made, 10);
        std::erase_if(all,
                      [](const PrunedConfiguration& each) { return !each.reason.text().starts_with("in tuning"); });
        return all;
    }
};

TEST_F(RecordedLimits, OfRegistersAreNotExceededAgain) {
    const DeviceModel model = model_of("a100");
    RunPlan plan = plan_of_softmax("cuda", model);
    plan.project.folder = folder;
    Configuration configuration = plan.candidate.configuration;
    configuration["num_warps"] = 32;
    BlockNeeds needs;
    needs.threads = 1024;
    needs.registers = 80;
    const Said reason = exceeded_limit(model, needs);
    ASSERT_EQ(reason, "1024 threads of 80 registers need 81920 registers; a block has 65536 on NVIDIA A100");
    record(plan, configuration, reason);
    const std::vector<PrunedConfiguration> pruned = recalled(plan);
    ASSERT_THAT(pruned, SizeIs(1));
    EXPECT_EQ(pruned[0].configuration, configuration);
    EXPECT_EQ(pruned[0].reason.text(), "in tuning 1 it did not build: " + reason.text());
    plan.options.device = "cuda:t4";
    EXPECT_THAT(recalled(plan), IsEmpty()) << "another device may have more";
}

TEST_F(RecordedLimits, OfTritonsSharedMemoryHoldForTheSameSizes) {
    RunPlan plan = plan_of_softmax("triton", model_of("a100"));
    plan.project.folder = folder;
    Configuration configuration = plan.candidate.configuration;
    configuration["num_warps"] = 8;
    configuration["LOAD_CACHE"] = 0;  // which is among the `few`
    record(plan, configuration, "out of resource: shared memory, Required: 262144, Hardware limit: 166912");
    EXPECT_THAT(recalled(plan), SizeIs(1));
    plan.cases.front().sizes["P"] *= 2;
    EXPECT_THAT(recalled(plan), IsEmpty());
}

/// The whole way, with a compiler: a kernel of many registers, in a block of many threads.
TEST_F(RecordedLimits, OfABuildAreItsOwn) {
    NEEDS_NVRTC();
    const std::string many =
        "    float held[64];\n"
        "    for (int i = 0; i < 64; ++i) held[i] = (float)x[i * D + threadIdx.x];\n"
        "    __syncthreads();\n"
        "    for (int i = 0; i < 64; ++i)\n"
        "        for (int j = 0; j < 64; ++j) out[(i + j) * D] = held[i] * held[j];\n";
    BuildRequest request = testing::cuda_request(testing::cuda_source(many), "cuda:a100");
    request.implementation.configuration["num_warps"] = 32;
    const BuildResult built = testing::cuda_build(request);
    if (built.status == Status::ok) GTEST_SKIP() << "this compiler needs few registers for it";
    EXPECT_THAT(built.reason.text(),
                AllOf(HasSubstr("1024 threads of"), HasSubstr("a block has 65536 on NVIDIA A100")));
    RunPlan plan{.project = {}, .candidate = request.implementation, .cases = {}, .options = {}};
    plan.project.definition = request.definition;
    plan.project.variants = {request.implementation.variant};
    plan.project.folder = folder;
    plan.candidate.device = numbers_of(model_of("a100"));
    plan.options.device = request.device;
    plan.cases = {{"timed", DType::f32, {{"P", 1000}, {"D", 1000}}}};
    plan.candidate.configuration["num_warps"] = 8;
    record(plan, request.implementation.configuration, built.reason);
    const std::vector<PrunedConfiguration> pruned = recalled(plan);
    ASSERT_THAT(pruned, SizeIs(1));
    EXPECT_EQ(pruned[0].configuration.at("num_warps"), 32);
}

}  // namespace
}  // namespace kernelgen
