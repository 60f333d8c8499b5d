// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/round/history.h"

namespace kernelgen {

inline Variant sample_variant() {
    Variant variant;
    variant.name = "host";
    variant.source = "scale.cpp";
    variant.entry = "scale";
    Launch launch;
    launch.grid = {"cdiv(N, BLOCK_N)"};
    launch.args = {"x", "out", "N"};
    variant.launches = {launch};
    variant.tunables = {{.name = "BLOCK_N", .values = {64, 128, 256}, .value = 128}};
    return variant;
}

inline Operator sample_operator() {
    Operator definition;
    definition.name = "scale";
    definition.symbols = {"N"};
    definition.inputs = {{.name = "x", .shape = {"N"}, .dtype = {}}};
    definition.outputs = {{.name = "out", .shape = {"N"}, .dtype = {}}};
    definition.body = "out = 2 * x";
    return definition;
}

inline Implementation sample_implementation() {
    return {.variant = sample_variant(), .text = "// two lines\nvoid scale();\n", .configuration = {{"BLOCK_N", 128}}};
}

/// A verified and timed round that is yet to be recorded.
inline RoundDetail sample_round(std::int64_t block = 128) {
    RoundDetail detail;
    detail.definition = sample_operator();
    detail.candidate = sample_implementation();
    detail.candidate.configuration["BLOCK_N"] = block;
    Round& round = detail.round;
    round.time = "2026-01-02T03:04:05Z";
    round.device = "cpu";
    round.variant = "host";
    round.baseline = "library";
    round.configuration = detail.candidate.configuration;
    round.environment = "00112233445566778899aabbccddeeff";
    round.source_hash = "ffeeddccbbaa99887766554433221100";
    round.case_count = 1;
    RoundCase timed{.binding = {.name = "big f32", .dtype = DType::f32, .sizes = {{"N", 1 << 20}}}, .roofline = {}};
    timed.speedup = 1.2345678901234;
    timed.speedup_lower = 1.2;
    timed.speedup_upper = 1.25;
    timed.seconds = 0.001;
    timed.baseline_seconds = 0.0012345678901234;
    round.cases = {timed};
    return detail;
}

}  // namespace kernelgen
