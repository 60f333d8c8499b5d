// SPDX-License-Identifier: Apache-2.0
#include "core/bench/share_probe.h"

#include <algorithm>
#include <vector>

#include "core/base/file.h"

namespace kernelgen {

namespace {

/// The probe's kernels for a kind of device.
struct ProbeKernels {
    Language language;
    const char *bandwidth, *arithmetic;  ///< sources
    const char *copy, *read, *write;     ///< entries of the former
    std::vector<std::string> memory_block, arithmetic_block;
    std::int64_t chunk;  ///< elements that one program of the former moves
    double least_bytes, most_bytes;
    std::int64_t programs;  ///< of the latter, for each thread or multiprocessor
    double batch_seconds;
};

const ProbeKernels& kernels_for(bool is_host) {
    constexpr double mib = 1 << 20;
    static const ProbeKernels host{Language::cpp,
                                   "bandwidth.cpp",
                                   "fma.cpp",
                                   "copy_streaming",
                                   "read_prefetched",
                                   "write_streaming",
                                   {},
                                   {},
                                   32768,
                                   64 * mib,
                                   512 * mib,
                                   64,
                                   0.03};
    static const ProbeKernels gpu{Language::cuda, "bandwidth.cu", "fma.cu",  "copy_4",   "read_4", "write_4", {"128"},
                                  {"256"},        2048,           512 * mib, 1024 * mib, 32,       1e-3};
    return is_host ? host : gpu;
}

struct ProbeKernel {
    const char* source;
    const char* entry;
    bool reads;
    std::string grid;
    std::vector<std::string> block;
};

/// The kernel that moves bytes in the directions in which most of a kernel's go.
ProbeKernel memory_kernel(const ProbeKernels& kernels, double written_share) {
    constexpr double hardly = 0.1;
    if (written_share < hardly) return {kernels.bandwidth, kernels.read, true, "R", kernels.memory_block};
    if (written_share > 1 - hardly) return {kernels.bandwidth, kernels.write, false, "R", kernels.memory_block};
    return {kernels.bandwidth, kernels.copy, true, "R", kernels.memory_block};
}

Operator probe_operator() {
    Operator definition;
    definition.name = "share_probe";
    definition.symbols = {"N", "R"};
    definition.inputs = {{"x", {"N"}, {}}};
    definition.outputs = {{"out", {"N"}, {}}};
    return definition;
}

Result<Implementation> probe_implementation(const ProbeKernels& kernels, const ProbeKernel& kernel, int threads) {
    Result<std::string> text = read_file(resource_folder() / "ceilings" / kernel.source);
    if (!text) return std::unexpected(text.error());
    Implementation implementation;
    Variant& variant = implementation.variant;
    variant.name = variant.entry = kernel.entry;
    variant.language = kernels.language;
    variant.source = kernel.source;
    Launch launch;
    launch.grid = {kernel.grid};
    launch.block = kernel.block;
    if (kernel.block.empty()) launch.threads = std::to_string(threads);
    if (kernel.reads) launch.args.push_back("x");
    launch.args.insert(launch.args.end(), {"out", "N"});
    variant.launches = {launch};
    implementation.text = std::move(*text);
    implementation.configuration = {{"CHUNK", kernels.chunk}};
    return implementation;
}

/// Builds a kernel and loads it into a slot.
Result<Call> load_kernel(const Implementation& implementation, const Case& binding, const std::string& device, int slot,
                         Executor& executor, Backend& backend, const Progress& progress, std::stop_token stop) {
    const BuildResult built =
        backend.build({probe_operator(), implementation, DType::f32, device, {}, {}}, progress, std::move(stop));
    if (built.status != Status::ok)
        return fail(say("{} was not built: {}", implementation.variant.source, built.reason));
    Result<Call> call = make_call(probe_operator(), implementation, binding);
    if (!call) return call;
    const Outcome loaded = executor.load(slot, built.artifact, *call);
    if (!loaded.ok()) return fail(loaded.reason);
    return call;
}

}  // namespace

Result<void> ShareProbe::load_all(const ProbeShape& shape, const std::string& device, Backend& backend,
                                  const Progress& progress, std::stop_token stop) {
    const ProbeKernels& kernels = kernels_for(backend.traits().is_host);
    const ProbeKernel memory = memory_kernel(kernels, shape.written_share);
    const int streams = memory.entry == kernels.copy ? 2 : 1;
    const auto program_bytes = static_cast<double>(kernels.chunk) * sizeof(float);
    const auto programs = static_cast<std::int64_t>(std::clamp(shape.bytes, kernels.least_bytes, kernels.most_bytes) /
                                                    streams / program_bytes);
    bytes_ = static_cast<double>(programs) * program_bytes * streams;
    batch_seconds_ = kernels.batch_seconds;
    const Case binding{"", DType::f32, {{"N", programs * kernels.chunk}, {"R", programs}}};
    const ProbeKernel arithmetic{kernels.arithmetic, "fma_chains", false,
                                 std::to_string(kernels.programs * shape.whole_threads), kernels.arithmetic_block};
    std::vector<Call> calls;
    for (const ProbeKernel& kernel : {memory, arithmetic}) {
        for (const int threads : {shape.whole_threads, shape.left_threads}) {
            const Result<Implementation> implementation = probe_implementation(kernels, kernel, threads);
            if (!implementation) return std::unexpected(implementation.error());
            Result<Call> call = load_kernel(*implementation, binding, device, static_cast<int>(calls.size()),
                                            *executor_, backend, progress, stop);
            if (!call) return std::unexpected(call.error());
            calls.push_back(std::move(*call));
        }
    }
    const Layout layout = lay_out(calls[0]);
    if (auto grown = executor_->arena().grow(layout.total); !grown) return std::unexpected(grown.error());
    const Outcome prepared = executor_->prepare(calls, layout, 1);
    return prepared.ok() ? Result<void>() : fail(prepared.reason);
}

Result<std::unique_ptr<ShareProbe>> ShareProbe::start(const ProbeShape& shape, const std::string& device,
                                                      Backend& backend, const Progress& progress,
                                                      std::stop_token stop) {
    std::unique_ptr<ShareProbe> probe(new ShareProbe);
    Result<std::shared_ptr<Executor>> executor = backend.start_executor(device, {}, stop);
    if (!executor) return std::unexpected(executor.error());
    probe->executor_ = std::move(*executor);
    constexpr double limit_seconds = 60;
    probe->executor_->set_limit(limit_seconds, stop);
    if (const auto loaded = probe->load_all(shape, device, backend, progress, stop); !loaded)
        return std::unexpected(loaded.error());
    return probe;
}

Result<double> ShareProbe::seconds(Kind kind, bool is_hampered, double neighbour_gbps) {
    constexpr int most_turns = 16;
    const int slot = 2 * static_cast<int>(kind) + (is_hampered ? 1 : 0);
    SampleRequest request;
    request.turns = {{slot}};
    request.neighbour_gbps = neighbour_gbps;
    double sum = 0;
    int turns = 0;
    while (sum < batch_seconds_ && turns < most_turns) {
        Samples samples;
        if (const Outcome sampled = executor_->sample(request, samples); !sampled.ok()) return fail(sampled.reason);
        sum += samples.seconds[static_cast<std::size_t>(slot)].front();
        ++turns;
    }
    return sum / turns;
}

}  // namespace kernelgen
