// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "core/diagnose/access_evidence.h"
#include "core/diagnose/diagnose.h"
#include "core/diagnose/gather.h"
#include "core/generate/generate.h"
#include "core/lang/analysis.h"
#include "core/measure/metrics.h"
#include "core/project/by_case.h"
#include "core/project/launch_plan.h"
#include "core/round/best.h"

namespace kernelgen {

namespace {

constexpr auto timed = EvidenceSource::timing;
constexpr auto counted = EvidenceSource::counter;
constexpr auto derived = EvidenceSource::launch;

double programs_of(const PlannedLaunch& launch) {
    return std::accumulate(launch.grid.begin(), launch.grid.end(), 1.0,
                           [](double product, std::int64_t extent) { return product * static_cast<double>(extent); });
}

void put_roofline(const RoundCase& summary, Evidence& evidence) {
    constexpr auto source = EvidenceSource::roofline;
    const RooflinePoint& point = summary.roofline;
    evidence.put(metrics::seconds.name, summary.seconds, timed);
    evidence.put(metrics::speedup.name, summary.speedup, timed);
    if (std::isfinite(summary.speedup_lower)) evidence.speedup_lower = summary.speedup_lower;
    evidence.put(metrics::relative_standard_deviation.name, summary.rsd, timed);
    evidence.put(metrics::bandwidth_gbps.name, point.bandwidth_gbps, source);
    evidence.put(metrics::gflops.name, point.gflops, source);
    evidence.put(metrics::intensity.name, point.intensity, source);
    evidence.put(metrics::definition_bytes.name, point.bandwidth_gbps * 1e9 * summary.seconds, source);
    if (!point.has_ceilings) {
        evidence.missing[metrics::headroom.name] = "the device's ceilings were not measured";
        return;
    }
    evidence.put(metrics::fraction.name, point.fraction, source);
    evidence.put(metrics::headroom.name, std::max(1.0, 1 / point.fraction), source);
    evidence.put(metrics::attainable_gbps.name, point.attainable_gbps, source);
    evidence.put(metrics::bandwidth_use.name, point.bandwidth_gbps / point.bandwidth_ceiling_gbps, source);
    evidence.put(metrics::memory_bound.name, point.memory_bound ? 1 : 0, source);
    if (point.gflops_ceiling > 0) evidence.put(metrics::compute_use.name, point.gflops / point.gflops_ceiling, source);
}

/// The counters of the memory between caches and device, related to what the definition needs.
void put_traffic(const Counters& counters, Evidence& evidence) {
    const auto read = counters.values.find(metrics::dram_read_bytes.name);
    const auto written = counters.values.find(metrics::dram_write_bytes.name);
    const auto needed = evidence.values.find(metrics::definition_bytes.name);
    if (read == counters.values.end() || written == counters.values.end() || needed == evidence.values.end()) return;
    evidence.put(metrics::traffic_ratio.name, (read->second + written->second) / needed->second.value, counted);
}

void put_counters(const Counters& counters, Evidence& evidence) {
    for (const auto& [name, value] : counters.values) {
        if (const Metric* metric = find_metric(name)) evidence.put(metric->name, value, counted);
    }
    if (counters.cache_hit_rate) evidence.put(metrics::cache_hit_rate.name, *counters.cache_hit_rate, counted);
    put_traffic(counters, evidence);
    if (counters.reason.empty()) return;
    for (const Metric& metric : counter_metrics) {
        if (!evidence.has(metric.name)) evidence.missing[metric.name] = counters.reason;
    }
}

void put_timing(const BenchResult& timing, Evidence& evidence) {
    evidence.put(metrics::tail_waste.name, timing.tail_waste, derived);
    evidence.put(metrics::workspace_bytes.name, timing.workspace_bytes, derived);
    for (const auto& [name, value] : timing.conditions) {
        if (const Metric* metric = find_metric(name)) evidence.put(metric->name, value, counted);
    }
    put_counters(timing.counters, evidence);
}

void put_build(const RoundDetail& detail, DType dtype, Evidence& evidence) {
    constexpr auto source = EvidenceSource::build;
    const auto found = detail.verification.builds.find(dtype);
    if (found == detail.verification.builds.end()) {
        for (const Metric& each : build_metrics) evidence.missing[each.name] = "the round has nothing of its build";
        return;
    }
    const std::map<std::string, double>& resources = found->second.resources;
    for (const auto& [name, value] : resources) {
        if (const Metric* metric = find_metric(name)) evidence.put(metric->name, value, source);
    }
    const auto stores = resources.find(metrics::spill_store_bytes.name);
    const auto loads = resources.find(metrics::spill_load_bytes.name);
    if (stores != resources.end() && loads != resources.end())
        evidence.put(metrics::spill_bytes.name, stores->second + loads->second, source);
}

/// Notes the bytes and the arithmetic that the definition needs, where it has a body.
void put_definition(const RoundDetail& detail, Evidence& evidence) {
    constexpr auto source = EvidenceSource::definition;
    const Validated<Body> body = analyse(detail.definition);
    if (!body) return;
    evidence.needs_reuse = body->contraction != nullptr || body->attention != nullptr;
    const Analysis analysis = analyse_case(detail.definition, *body, evidence.binding);
    evidence.put(metrics::definition_bytes.name, analysis.bytes(), source);
    evidence.put(metrics::written_share.name, analysis.bytes_written / analysis.bytes(), source);
    evidence.put(metrics::arithmetic_bytes.name,
                 static_cast<double>(size_of(arithmetic_of(detail.definition, evidence.binding))), source);
}

/// Programs that run at once: threads of a CPU, resident blocks of a GPU.
std::optional<double> programs_at_once(const RoundDetail& detail, const Evidence& evidence) {
    if (detail.environment.multiprocessors == 0)
        return detail.environment.threads > 0 ? std::optional<double>(detail.environment.threads) : std::nullopt;
    const auto blocks = evidence.values.find(metrics::blocks_per_multiprocessor.name);
    if (blocks == evidence.values.end()) return std::nullopt;
    return detail.environment.multiprocessors * blocks->second.value;
}

void put_launches(const RoundDetail& detail, const LaunchPlan& plan, Evidence& evidence) {
    if (plan.launches.empty()) return;
    double programs = 0, waves = 0;
    const std::optional<double> at_once = programs_at_once(detail, evidence);
    for (const PlannedLaunch& launch : plan.launches) {
        programs += programs_of(launch);
        if (at_once) waves += programs_of(launch) / *at_once;
    }
    evidence.put(metrics::launches.name, static_cast<double>(plan.launches.size()), derived);
    evidence.put(metrics::programs.name, programs, derived);
    double workspace = 0;
    for (std::size_t i = 0; i < plan.workspace_elements.size(); ++i)
        workspace += static_cast<double>(plan.workspace_elements[i]) *
                     static_cast<double>(size_of(detail.candidate.variant.workspace[i].dtype));
    const double needed = evidence.value(metrics::definition_bytes.name).value_or(0);
    if (needed > 0) evidence.put(metrics::workspace_ratio.name, (needed + 2 * workspace) / needed, derived);
    if (needed > 0) evidence.put(metrics::program_bytes.name, needed / programs, derived);
    if (!at_once) return;
    evidence.put(metrics::programs_at_once.name, *at_once, derived);
    evidence.put(metrics::waves.name, waves, derived);
    if (const auto seconds = evidence.value(metrics::seconds.name))
        evidence.put(metrics::program_seconds.name, *seconds / std::max(1.0, waves), derived);
}

/// How much wider than the case's rows the tile of a generated CUDA kernel is: the threads beyond have no work.
void put_tile(const RoundDetail& detail, const Case& binding, Evidence& evidence) {
    const Variant& variant = detail.candidate.variant;
    if (variant.language != Language::cuda || !is_unedited(variant, detail.candidate.text)) return;
    const Configuration values = for_case(detail.candidate, binding).configuration;
    const Validated<Body> body = analyse(detail.definition);
    if (!body || !values.contains("BLOCK_M") || !values.contains("BLOCK_N")) return;
    if (const Result<Space> space = space_of(*body, binding.sizes))
        evidence.put(metrics::tile_overhang.name,
                     static_cast<double>(values.at("BLOCK_N")) / static_cast<double>(space->columns), derived);
}

/// Notes what starting the launches and programs costs, by the device's measurement of empty ones.
void put_starts(const Ceilings& ceilings, Evidence& evidence) {
    const auto seconds = evidence.value(metrics::seconds.name), programs = evidence.value(metrics::programs.name);
    const auto launches = evidence.value(metrics::launches.name);
    if (!seconds || !programs || !launches) return;
    if (ceilings.launch_seconds == 0 || ceilings.program_seconds == 0) {
        for (const Metric& each : {metrics::launch_share, metrics::programs_share})
            evidence.missing[each.name] = "the device's ceilings were measured without empty calls";
        return;
    }
    evidence.put(metrics::launch_seconds.name, ceilings.launch_seconds, EvidenceSource::roofline);
    evidence.put(metrics::launch_share.name, *launches * ceilings.launch_seconds / *seconds, EvidenceSource::roofline);
    evidence.put(metrics::programs_share.name, *programs * ceilings.program_seconds / *seconds,
                 EvidenceSource::roofline);
}

}  // namespace

Evidence evidence_of(const RoundDetail& detail, const Case& binding) {
    Evidence evidence{.binding = binding,
                      .kind = kind_of_device(detail.round.device),
                      .language = detail.candidate.variant.language,
                      .values = {},
                      .missing = {}};
    if (const RoundCase* summary = timed_case(detail.round, binding)) put_roofline(*summary, evidence);
    put_definition(detail, evidence);
    const auto timing = std::ranges::find(detail.timings, binding, &BenchResult::binding);
    if (timing != detail.timings.end()) put_timing(*timing, evidence);
    put_build(detail, binding.dtype, evidence);
    put_tile(detail, binding, evidence);
    if (const auto plan = plan_launches(detail.definition, detail.candidate, binding)) {
        put_launches(detail, *plan, evidence);
        put_starts(detail.ceilings, evidence);
        put_accesses(detail, binding, *plan, evidence);
    }
    return evidence;
}

}  // namespace kernelgen
