// SPDX-License-Identifier: Apache-2.0
// Ratios between kernels that no project compares: against the kernels that measure the copy ceiling, and between
// dtypes. Both sides run in one executor, in pairs of random order, as in every timing.
#include <format>
#include <iostream>
#include <random>

#include "core/base/file.h"
#include "core/host/host_backend.h"
#include "core/measure/device_lock.h"
#include "core/measure/statistics.h"
#include "core/project/project_file.h"
#include "core/verify/buffers.h"
#include "tests/bench/bench.h"

namespace kernelgen::benchmark {

namespace {

struct Side {
    Operator definition;
    Implementation implementation;
    Case binding;
};

constexpr std::int64_t rows = 4096, columns = 4096, copy_chunk = 32768;

Side project_side(const Setting& setting, const std::string& name, DType dtype) {
    const Validated<Project> project = load_project(setting.projects / name);
    const Variant& variant = *project->find_variant("host");
    Side side{
        project->definition,
        {variant, *source_text(*project, variant), *with_changes(variant, configuration_of(variant), tuned(name))},
        {}};
    side.definition.symbols.insert(side.definition.symbols.end(), {"N", "R"});  // what the copy kernels take
    side.binding = {
        "", dtype, {{"P", rows}, {"D", columns}, {"N", rows * columns}, {"R", rows * columns / copy_chunk}}};
    return side;
}

Side copy_side(const Side& like, const std::string& entry) {
    Side side = like;
    Variant variant;
    variant.name = entry;
    variant.source = "bandwidth.cpp";
    variant.entry = entry;
    variant.launches.resize(1);
    variant.launches[0].grid = {"R"};
    variant.launches[0].args = {like.definition.inputs[0].name, like.definition.outputs[0].name, "N"};
    side.implementation = {
        variant, read_file(resource_folder() / "ceilings" / "bandwidth.cpp").value(), {{"CHUNK", copy_chunk}}};
    return side;
}

template <class T>
T must(Result<T> result) {
    if (result) return std::move(*result);
    std::cerr << result.error().message << "\n";
    std::exit(1);
}

void must(const Outcome& outcome) {
    if (outcome.ok()) return;
    std::cerr << outcome.reason << "\n";
    std::exit(1);
}

/// Times `b` over `a`: time of b divided by time of a. The buffers are a's, which must not be smaller than b's.
Speedup time_ratio(const Setting& setting, const Side& a, const Side& b) {
    constexpr int batches = 20, pairs_of_batch = 10;
    const auto backend = make_host_backend(setting.program);
    auto executor = must(backend->start_executor("cpu", {}, {}));
    std::vector<Call> calls;
    for (const Side* side : {&a, &b}) {
        const BuildResult built =
            backend->build({side->definition, side->implementation, side->binding.dtype, "cpu"}, {}, {});
        must(Outcome{built.status, built.reason});
        calls.push_back(must(make_call(side->definition, side->implementation, side->binding)));
        must(executor->load(static_cast<int>(calls.size()) - 1, built.artifact, calls.back()));
    }
    const Layout layout = lay_out(calls[0]);
    if (auto grown = executor->arena().grow(layout.total); !grown)
        must(Outcome{Status::over_limit, grown.error().message});
    fill_inputs(calls[0], layout, executor->arena().data(), InputSet::normal, 1);
    const FileLock lock = must(lock_device("cpu", DeviceUse::alone, {}));
    must(executor->prepare(calls, layout, 1));
    std::mt19937 random(1);
    std::vector<double> seconds_a, seconds_b;
    for (int batch = 0; batch <= batches; ++batch) {
        SampleRequest request;
        for (int i = 0; i < pairs_of_batch; ++i)
            request.turns.push_back(random() & 1 ? std::vector{0, 1} : std::vector{1, 0});
        Samples samples;
        must(executor->sample(request, samples));
        if (batch == 0) continue;  // warms up
        seconds_a.insert(seconds_a.end(), samples.seconds[0].begin(), samples.seconds[0].end());
        seconds_b.insert(seconds_b.end(), samples.seconds[1].begin(), samples.seconds[1].end());
    }
    return speedup_of(seconds_a, seconds_b);
}

std::string text(const Speedup& ratio) {
    return std::format("{:.3f} [{:.3f}, {:.3f}]", ratio.median, ratio.lower, ratio.upper);
}

}  // namespace

void print_copies(const Setting& setting) {
    std::cout << "\nBandwidth of f32 4096×4096 over that of the kernels that measure the copy ceiling, in pairs:\n\n"
                 "| operator | over streaming copy | over plain copy |\n| --- | --- | --- |\n";
    for (const std::string project : {"bias_add", "relu"}) {
        const Side kernel = project_side(setting, project, DType::f32);
        std::cout << std::format("| {} | {} | {} |\n", project,
                                 text(time_ratio(setting, kernel, copy_side(kernel, "copy_streaming"))),
                                 text(time_ratio(setting, kernel, copy_side(kernel, "copy_plain"))));
    }
}

void print_half_precision(const Setting& setting) {
    std::cout << "\nTime at 4096×4096 over that of this project's f32, in pairs:\n\n| operator | f16 | bf16 |\n| --- | "
                 "--- | --- |\n";
    for (const std::string project : {"relu", "bias_add"}) {
        const Side full = project_side(setting, project, DType::f32);
        std::cout << std::format("| {} | {} | {} |\n", project,
                                 text(time_ratio(setting, full, project_side(setting, project, DType::f16))),
                                 text(time_ratio(setting, full, project_side(setting, project, DType::bf16))));
    }
}

}  // namespace kernelgen::benchmark
