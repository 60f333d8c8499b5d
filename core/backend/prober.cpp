// SPDX-License-Identifier: Apache-2.0
#include "core/backend/prober.h"

#include <algorithm>
#include <cmath>
#include <format>
#include <limits>

#include "core/base/file.h"
#include "core/measure/device_lock.h"
#include "core/measure/statistics.h"

namespace kernelgen {
namespace {

Operator operator_of(const Probe& probe) {
    Operator definition;
    definition.name = probe.entries[0];
    definition.symbols = {"N", "R"};
    if (probe.reads) definition.inputs = {{"x", {"N"}, {}}};
    definition.outputs = {{"out", {probe.writes ? "N" : "R"}, {}}};
    return definition;
}

Implementation implementation_of(const Probe& probe, const std::string& entry, const std::string& text) {
    Implementation implementation;
    Variant& variant = implementation.variant;
    variant.name = entry;
    variant.language = probe.language;
    variant.source = probe.source;
    variant.entry = entry;
    Launch launch = probe.launch;
    if (probe.reads) launch.args.push_back("x");
    launch.args.insert(launch.args.end(), {"out", "N"});
    variant.launches = {launch};
    implementation.text = text;
    implementation.configuration = probe.configuration;
    return implementation;
}

Error problem_of(const Probe& probe, const Said& reason) {
    return Error{say("cannot measure ceilings with {}: {}", probe.source, reason)};
}

double median_after_the_first(std::vector<double> values) {
    values.erase(values.begin());  // the first warms up
    std::ranges::sort(values);
    return quantile(values, 0.5);
}

}  // namespace

Result<Call> Prober::load(const Probe& probe, const std::string& entry, const Case& binding, int slot) {
    const Result<std::string> text = read_file(resource_folder() / "ceilings" / probe.source);
    if (!text) return std::unexpected(text.error());
    const BuildRequest request{
        operator_of(probe), implementation_of(probe, entry, *text), probe.dtype, device_, {}, {}};
    const BuildResult built = backend_.build(request, progress_, stop_);
    if (built.status != Status::ok) return std::unexpected(problem_of(probe, built.reason));
    Result<Call> call = make_call(request.definition, request.implementation, binding);
    if (!call) return call;
    const Outcome loaded = executor_.load(slot, built.artifact, *call);
    if (!loaded.ok()) return std::unexpected(problem_of(probe, loaded.reason));
    return call;
}

Result<double> Prober::faster_of(const Probe& probe, const std::string& first, const std::string& second,
                                 const Case& binding, int repeats) {
    constexpr int pairs = 5;
    std::vector<Call> calls;
    for (const std::string& entry : {first, second}) {
        Result<Call> call = load(probe, entry, binding, static_cast<int>(calls.size()));
        if (!call) return std::unexpected(call.error());
        calls.push_back(std::move(*call));
    }
    const Layout layout = lay_out(calls[0]);
    if (auto grown = executor_.arena().grow(layout.total); !grown) return std::unexpected(grown.error());
    const Result<FileLock> lock = lock_device(device_, DeviceUse::alone, stop_, [&](const std::string& holder) {
        progress_(std::format("{} ceilings{}", waiting_for_lock, holder), 0, 0);
    });
    if (!lock) return std::unexpected(lock.error());
    if (const Outcome prepared = executor_.prepare(calls, layout, repeats); !prepared.ok())
        return std::unexpected(problem_of(probe, prepared.reason));
    SampleRequest request;
    for (int i = 0; i < pairs + 1; ++i) request.turns.push_back(i % 2 == 0 ? std::vector{0, 1} : std::vector{1, 0});
    Samples samples;
    if (const Outcome sampled = executor_.sample(request, samples); !sampled.ok())
        return std::unexpected(problem_of(probe, sampled.reason));
    return std::min(median_after_the_first(samples.seconds[0]), median_after_the_first(samples.seconds[1]));
}

Result<double> Prober::seconds(const Probe& probe, std::int64_t elements, std::int64_t programs, double expected) {
    const SampleLength length = backend_.sample_length(device_);
    const double wished = expected < length.shortest_call ? length.sample / expected : 1;
    const int repeats = static_cast<int>(std::clamp(wished, 1.0, 64.0));
    const Case binding{"", probe.dtype, {{"N", elements}, {"R", programs}}};
    double fastest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < probe.entries.size(); i += 2) {
        const std::string& second = probe.entries[std::min(i + 1, probe.entries.size() - 1)];
        const Result<double> seconds = faster_of(probe, probe.entries[i], second, binding, repeats);
        if (!seconds) return seconds;
        fastest = std::min(fastest, *seconds);
    }
    return fastest;
}

Result<double> Prober::bandwidth(std::span<const Probe> probes, double bytes, double expected_gbps) {
    double fastest = 0;
    for (const Probe& probe : probes) {
        const int streams = (probe.reads ? 1 : 0) + (probe.writes ? 1 : 0);
        const auto elements =
            static_cast<std::int64_t>(bytes / streams) / static_cast<std::int64_t>(size_of(probe.dtype));
        const std::int64_t programs = (elements + probe.chunk - 1) / probe.chunk;
        const Result<double> taken = seconds(probe, elements, programs, bytes / expected_gbps * 1e-9);
        if (!taken) return taken;
        const double moved = static_cast<double>(elements) * static_cast<double>(size_of(probe.dtype)) * streams;
        fastest = std::max(fastest, moved / *taken * 1e-9);
    }
    return fastest;
}

}  // namespace kernelgen
