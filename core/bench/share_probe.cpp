// SPDX-License-Identifier: Apache-2.0
#include "core/bench/share_probe.h"

#include <algorithm>
#include <string_view>

#include "core/base/file.h"

namespace kernelgen {

namespace {

constexpr std::int64_t probe_chunk = 32768;  ///< elements that one program moves
constexpr double least_probe_bytes = 64 << 20, most_probe_bytes = 512 << 20;
constexpr std::int64_t arithmetic_programs = 64;  ///< for each thread
constexpr double batch_of_probe = 0.03;           ///< seconds

struct ProbeKernel {
    const char* source;
    const char* entry;
    bool reads;
    std::string grid;
};

/// The kernel that moves bytes in the directions in which most of a kernel's go.
ProbeKernel memory_kernel(double written_share) {
    constexpr double hardly = 0.1;
    if (written_share < hardly) return {"bandwidth.cpp", "read_prefetched", true, "R"};
    if (written_share > 1 - hardly) return {"bandwidth.cpp", "write_streaming", false, "R"};
    return {"bandwidth.cpp", "copy_streaming", true, "R"};
}

Operator probe_operator() {
    Operator definition;
    definition.name = "share_probe";
    definition.symbols = {"N", "R"};
    definition.inputs = {{"x", {"N"}, {}}};
    definition.outputs = {{"out", {"N"}, {}}};
    return definition;
}

Result<Implementation> probe_implementation(const ProbeKernel& kernel, int threads) {
    Result<std::string> text = read_file(resource_folder() / "ceilings" / kernel.source);
    if (!text) return std::unexpected(text.error());
    Implementation implementation;
    Variant& variant = implementation.variant;
    variant.name = variant.entry = kernel.entry;
    variant.language = Language::cpp;
    variant.source = kernel.source;
    Launch launch;
    launch.grid = {kernel.grid};
    launch.threads = std::to_string(threads);
    if (kernel.reads) launch.args.push_back("x");
    launch.args.insert(launch.args.end(), {"out", "N"});
    variant.launches = {launch};
    implementation.text = std::move(*text);
    implementation.configuration = {{"CHUNK", probe_chunk}};
    return implementation;
}

/// Builds a kernel and loads it into a slot.
Result<Call> load_kernel(const ProbeKernel& kernel, int threads, const Case& binding, int slot, Executor& executor,
                         Backend& backend, const Progress& progress, std::stop_token stop) {
    const Result<Implementation> implementation = probe_implementation(kernel, threads);
    if (!implementation) return std::unexpected(implementation.error());
    const BuildResult built =
        backend.build({probe_operator(), *implementation, DType::f32, "cpu", {}, {}}, progress, std::move(stop));
    if (built.status != Status::ok) return fail(say("{} was not built: {}", kernel.source, built.reason));
    Result<Call> call = make_call(probe_operator(), *implementation, binding);
    if (!call) return call;
    const Outcome loaded = executor.load(slot, built.artifact, *call);
    if (!loaded.ok()) return fail(loaded.reason);
    return call;
}

}  // namespace

Result<void> ShareProbe::load_all(const ProbeShape& shape, Backend& backend, const Progress& progress,
                                  std::stop_token stop) {
    const ProbeKernel memory = memory_kernel(shape.written_share);
    const int streams = std::string_view(memory.entry).starts_with("copy") ? 2 : 1;
    constexpr auto program_bytes = static_cast<double>(probe_chunk * sizeof(float));
    const auto programs = static_cast<std::int64_t>(std::clamp(shape.bytes, least_probe_bytes, most_probe_bytes) /
                                                    streams / program_bytes);
    bytes_ = static_cast<double>(programs) * program_bytes * streams;
    const Case binding{"", DType::f32, {{"N", programs * probe_chunk}, {"R", programs}}};
    const ProbeKernel arithmetic{"fma.cpp", "fma_chains", false,
                                 std::to_string(arithmetic_programs * shape.whole_threads)};
    std::vector<Call> calls;
    for (const ProbeKernel& kernel : {memory, arithmetic}) {
        for (const int threads : {shape.whole_threads, shape.left_threads}) {
            Result<Call> call = load_kernel(kernel, threads, binding, static_cast<int>(calls.size()), *executor_,
                                            backend, progress, stop);
            if (!call) return std::unexpected(call.error());
            calls.push_back(std::move(*call));
        }
    }
    const Layout layout = lay_out(calls[0]);
    if (auto grown = executor_->arena().grow(layout.total); !grown) return std::unexpected(grown.error());
    const Outcome prepared = executor_->prepare(calls, layout, 1);
    return prepared.ok() ? Result<void>() : fail(prepared.reason);
}

Result<std::unique_ptr<ShareProbe>> ShareProbe::start(const ProbeShape& shape, Backend& backend,
                                                      const Progress& progress, std::stop_token stop) {
    std::unique_ptr<ShareProbe> probe(new ShareProbe);
    Result<std::shared_ptr<Executor>> executor = backend.start_executor("cpu", {}, stop);
    if (!executor) return std::unexpected(executor.error());
    probe->executor_ = std::move(*executor);
    constexpr double limit_seconds = 60;
    probe->executor_->set_limit(limit_seconds, stop);
    if (const auto loaded = probe->load_all(shape, backend, progress, stop); !loaded)
        return std::unexpected(loaded.error());
    return probe;
}

Result<double> ShareProbe::seconds(Kind kind, bool is_hampered) {
    constexpr int most_turns = 16;
    const int slot = 2 * static_cast<int>(kind) + (is_hampered ? 1 : 0);
    SampleRequest request;
    request.turns = {{slot}};
    double sum = 0;
    int turns = 0;
    while (sum < batch_of_probe && turns < most_turns) {
        Samples samples;
        if (const Outcome sampled = executor_->sample(request, samples); !sampled.ok()) return fail(sampled.reason);
        sum += samples.seconds[static_cast<std::size_t>(slot)].front();
        ++turns;
    }
    return sum / turns;
}

}  // namespace kernelgen
