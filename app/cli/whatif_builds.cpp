// SPDX-License-Identifier: Apache-2.0
#include "app/cli/whatif_builds.h"

#include <algorithm>
#include <format>

#include "core/measure/metrics.h"
#include "core/project/by_case.h"
#include "gpu/cuda/residency.h"

namespace kernelgen::cli {

namespace {

/// Builds an implementation for the device model of the round's environment.
Result<BuildResult> build_for_model(const RoundDetail& round, Implementation implementation, const Case& binding,
                                    WorkerClient& worker, const Progress& progress, std::stop_token stop) {
    const std::optional<DeviceModel> model = model_of(round.environment);
    if (!model)
        return fail(
            say("no installed device model is `{}`, to build for: --bandwidth needs none", round.environment.hardware));
    const BuildRequest request{.definition = round.definition,
                               .implementation = for_case(std::move(implementation), binding),
                               .dtype = binding.dtype,
                               .device = "cuda:" + model->id,
                               .texts = {},
                               .trial = binding.sizes};
    BuildResult built = worker.build(request, "", progress, std::move(stop));
    if (built.status != Status::ok)
        return fail(say("round {}'s kernel was not built for {}: {}", round.round.number, model->name, built.reason));
    return built;
}

/// Removes launch bounds from a source: the compiler would go by them and not by its option.
std::string without_launch_bounds(std::string text) {
    constexpr std::string_view bounds = "__launch_bounds__";
    for (std::size_t begin = text.find(bounds); begin != std::string::npos; begin = text.find(bounds, begin)) {
        std::size_t end = begin + bounds.size();
        int depth = 0;
        do {
            if (end >= text.size()) return text;
            depth += text[end] == '(' ? 1 : text[end] == ')' ? -1 : 0;
            ++end;
        } while (depth > 0);
        text.erase(begin, end - begin);
    }
    return text;
}

int registers_of(const BuildResult& built) {
    const auto found = built.resources.find(metrics::registers.name);
    return found == built.resources.end() ? 0 : static_cast<int>(found->second);
}

}  // namespace

Result<void> complete_builds(ForecastBase& base, WorkerClient& worker, const Progress& progress, std::stop_token stop) {
    for (const TimedSample& each : base.samples) {
        Builds& builds = base.round.verification.builds;
        if (builds.contains(each.binding.dtype)) continue;
        Result<BuildResult> built =
            build_for_model(base.round, base.round.candidate, each.binding, worker, progress, stop);
        if (!built) return std::unexpected(built.error());
        builds[each.binding.dtype].resources = std::move(built->resources);
    }
    return {};
}

Result<std::vector<CappedBuild>> build_capped(const ForecastBase& base, double share, WorkerClient& worker,
                                              const Progress& progress, std::stop_token stop) {
    const Implementation& whole = base.round.candidate;
    if (whole.variant.language != Language::cuda)
        return fail(
            say("the registers of `{}` cannot be capped: those of CUDA variants can, by NVRTC's "
                "--maxrregcount",
                whole.variant.name));
    constexpr int unit = 8, fewest = 16;  // registers are given in multiples of `unit`
    std::vector<CappedBuild> all;
    for (const TimedSample& each : base.samples) {
        CappedBuild& built = all.emplace_back();
        built.binding = each.binding;
        Result<BuildResult> as_is = build_for_model(base.round, whole, each.binding, worker, progress, stop);
        if (!as_is) return std::unexpected(as_is.error());
        built.whole = std::move(*as_is);
        built.cap = std::max(fewest, static_cast<int>(registers_of(built.whole) * share) / unit * unit);
        Implementation fewer = whole;
        fewer.text = without_launch_bounds(std::move(fewer.text));
        fewer.variant.flags.push_back(std::format("--maxrregcount={}", built.cap));
        Result<BuildResult> capped = build_for_model(base.round, fewer, each.binding, worker, progress, stop);
        if (!capped) return std::unexpected(capped.error());
        built.capped = std::move(*capped);
    }
    return all;
}

}  // namespace kernelgen::cli
