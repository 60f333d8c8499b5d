// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>

#include "core/project/project.h"
#include "core/round/history.h"

namespace kernelgen {

inline Case sample_case(std::int64_t rows) {
    return {.name = std::to_string(rows) + "x512 f32", .dtype = DType::f32, .sizes = {{"P", rows}, {"D", 512}}};
}

/// bias_add with a host variant and a library as its baseline, and two cases.
inline Project sample_project() {
    Project project;
    project.definition.name = "bias_add";
    project.definition.description = "Adds one bias a column.";
    project.definition.symbols = {"P", "D"};
    project.definition.inputs = {{.name = "x", .shape = {"P", "D"}, .dtype = {}},
                                 {.name = "bias", .shape = {"D"}, .dtype = {}}};
    project.definition.outputs = {{.name = "out", .shape = {"P", "D"}, .dtype = {}}};
    project.definition.body = "out = x + bias";
    project.definition.constraints = {"P >= 1", "D >= 1"};
    project.cases = {sample_case(64), sample_case(4096)};
    project.performance.baseline = {{"", "library"}};
    Variant host{.name = "host"};
    host.source = "bias_add.cpp";
    host.entry = "bias_add";
    Launch launch;
    launch.grid = {"cdiv(P, BLOCK_M)", "cdiv(D, 256)"};
    launch.args = {"x", "bias", "out", "P", "D"};
    host.launches = {launch};
    host.tunables = {{.name = "BLOCK_M", .values = {16, 32, 64}, .value = 32}};
    host.restrictions = {"BLOCK_M <= P"};
    Variant library{.name = "library", .language = Language::library};
    library.library = "onednn";
    library.primitive = "binary_add";
    project.variants = {host, library};
    return project;
}

inline Ceilings sample_ceilings() {
    Ceilings ceilings;
    ceilings.device = "cpu";
    ceilings.measured_at = "2026-01-01T00:00:00Z";
    ceilings.all_threads = {{.bytes = 1e8, .copy_gbps = 50, .read_gbps = 60, .write_gbps = 40}};
    ceilings.gflops_all_threads = {{DType::f32, 100.0}};
    return ceilings;
}

inline CaseAccuracy sample_accuracy(const Case& binding) {
    CaseAccuracy accuracy{.binding = binding};
    accuracy.own_case = true;
    accuracy.metrics.elements = 1000;
    accuracy.metrics.exact = 600;
    accuracy.metrics.max_absolute = 2.5e-7;
    accuracy.metrics.mean_absolute = 3e-8;
    accuracy.metrics.histogram.assign(60, 0);
    accuracy.metrics.histogram[48] = 300;  // 1e-8
    accuracy.metrics.histogram[51] = 50;
    accuracy.metrics.histogram[52] = 50;  // 1e-7
    return accuracy;
}

/// Times of one case at this speedup, near two thirds of the ceiling.
inline void add_timing(RoundDetail& detail, const Case& binding, double speedup) {
    const double bytes = 4.0 * 512 * (2 * static_cast<double>(binding.sizes.at("P")) + 1);
    RoundCase timed{.binding = binding, .roofline = {}};
    timed.seconds = bytes / 33e9;
    timed.baseline_seconds = timed.seconds * speedup;
    timed.speedup = speedup;
    timed.speedup_lower = speedup - 0.01;
    timed.speedup_upper = speedup + 0.01;
    timed.rsd = 0.012;
    timed.max_absolute_error = 2.5e-7;
    timed.roofline = {.intensity = 0.12,
                      .bandwidth_gbps = 33,
                      .gflops = 4,
                      .bandwidth_ceiling_gbps = 50,
                      .gflops_ceiling = 100,
                      .attainable_gbps = 50,
                      .fraction = 0.66,
                      .memory_bound = true,
                      .implausible = false,
                      .has_ceilings = true};
    detail.round.cases.push_back(timed);
    BenchResult timing{.binding = binding};
    timing.speedup = {.median = speedup,
                      .lower = speedup - 0.01,
                      .upper = speedup + 0.01,
                      .ratio_of_medians = speedup,
                      .p_value = 1e-6,
                      .pairs = 40};
    timing.candidate.relative_standard_deviation = timed.rsd;
    timing.ended_by = "interval";
    timing.tail_waste = 0.004;
    timing.counters.reason = "perf_event_open is not permitted";
    detail.timings.push_back(timing);
    detail.verification.cases.push_back(sample_accuracy(binding));
}

/// A verified and timed round, whose speedup is that of its second and slower case.
inline RoundDetail sample_round(std::int64_t block, double speedup) {
    const Project project = sample_project();
    RoundDetail detail;
    detail.definition = project.definition;
    detail.candidate = {project.variants[0], "// " + std::to_string(block) + "\n", {{"BLOCK_M", block}}};
    detail.baseline = {project.variants[1], "", {}};
    detail.environment.hardware = "A processor";
    detail.environment.threads = 2;
    detail.ceilings = sample_ceilings();
    detail.verification.checks = 12;
    detail.verification.seconds = 1.5;
    Round& round = detail.round;
    round.time = "2026-01-02T03:04:05Z";
    round.device = "cpu";
    round.variant = "host";
    round.baseline = "library";
    round.configuration = detail.candidate.configuration;
    round.environment = "00112233445566778899aabbccddeeff";
    round.source_hash = "ffeeddccbbaa99887766554433221100";
    add_timing(detail, sample_case(64), speedup + 0.5);
    add_timing(detail, sample_case(4096), speedup);
    round.case_count = 2;
    round.target_reached = speedup - 0.01 >= round.target_speedup;
    return detail;
}

/// A round whose kernel gave a wrong result.
inline RoundDetail failed_round() {
    RoundDetail detail = sample_round(64, 1);
    detail.timings.clear();
    detail.round.target_reached = false;
    detail.round.status = detail.verification.status = Status::mismatch;
    detail.round.reason = "case `64x512 f32`, set normal, seed 1: 3 elements differ";
    detail.round.note = "tried | fewer rows";
    detail.round.cases = {{.binding = sample_case(64), .status = Status::mismatch, .roofline = {}}};
    CaseAccuracy& accuracy = detail.verification.cases[0];
    accuracy.status = Status::mismatch;
    accuracy.metrics.mismatches = 3;
    accuracy.metrics.max_relative = std::numeric_limits<double>::infinity();
    accuracy.first_mismatches = {{"out", {0, 7}, 1.5, std::numeric_limits<double>::quiet_NaN()}};
    return detail;
}

}  // namespace kernelgen
