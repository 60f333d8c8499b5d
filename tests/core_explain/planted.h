// SPDX-License-Identifier: Apache-2.0
// Kernels that are wrong for one known reason each: planted/NAME.cpp.
#pragma once

#include <string>
#include <vector>

#include "core/explain/cause.h"
#include "core/project/project.h"

namespace kernelgen::testing {

struct Planted {
    std::string name;
    std::string operation;         ///< which operator it gets wrong
    std::vector<CauseKind> truth;  ///< what may stand among the first two causes
};

inline std::vector<Planted> planted_errors() {
    using enum CauseKind;
    return {{"bias_alone", "bias_add", {missing_term}},
            {"transposed", "bias_add", {transposed}},
            {"bias_shifted", "bias_add", {wrong_index}},
            {"bias_by_row", "bias_add", {wrong_index}},
            {"stored_shifted", "bias_add", {shifted}},
            {"lane_wrong", "bias_add", {every_kth}},
            {"tile_border", "bias_add", {tile_boundary}},
            {"adds_to_output", "bias_add", {old_contents}},
            {"writes_input", "bias_add", {input_written}},
            {"one_tile", "bias_add", {one_tile}},
            {"differs_from_run_to_run", "bias_add", {race}},
            {"tail_columns_left_out", "bias_add", {unwritten, tail_columns}},
            {"tail_rows_left_out", "bias_add", {tail_rows}},
            {"no_mask", "bias_add", {out_of_bounds}},
            {"sum_without_tail", "softmax", {reduction_tail}},
            {"without_maximum", "softmax", {missing_term, overflow, nan_made}},
            {"in_half_precision", "softmax", {narrow_precision}},
            {"without_eps", "rms_norm", {missing_term}},
            {"unbiased_variance", "layer_norm", {wrong_operation}},
            {"loses_nan", "relu", {nan_lost}}};
}

inline Operator planted_operator(const std::string& name) {
    Operator definition;
    definition.name = name;
    definition.symbols = {"P", "D"};
    definition.inputs = {{"x", {"P", "D"}, {}}};
    definition.outputs = {{"out", {"P", "D"}, {}}};
    if (name == "bias_add") {
        definition.inputs.push_back({"bias", {"D"}, {}});
        definition.body = "out = x + bias";
    } else if (name == "softmax") {
        definition.body = "m = row_max(x); e = exp(x - m); out = e / row_sum(e)";
    } else if (name == "rms_norm") {
        definition.inputs.push_back({"weight", {"D"}, {}});
        definition.attributes = {{"eps", 1e-6}};
        definition.body = "out = x * rsqrt(row_mean(x * x) + eps) * weight";
    } else if (name == "layer_norm") {
        definition.body = "out = (x - row_mean(x)) * rsqrt(row_var(x) + 0.00001)";
    } else {
        definition.body = "out = max(x, 0)";
    }
    return definition;
}

/// A variant of it: 4 rows and 16 columns a tile, or a row a program where rows are reduced.
inline Implementation planted_kernel(const Planted& planted, const std::string& text) {
    Implementation implementation;
    Variant& variant = implementation.variant;
    variant.name = "host";
    variant.source = planted.name + ".cpp";
    variant.entry = planted.operation;
    variant.tunables = {{"BLOCK_M", {4}, 4}, {"BLOCK_N", {16}, 16}};
    const bool by_tiles = planted.operation == "bias_add" || planted.operation == "relu";
    Launch launch;
    launch.grid =
        by_tiles ? std::vector<std::string>{"cdiv(P, BLOCK_M)", "cdiv(D, BLOCK_N)"} : std::vector<std::string>{"P"};
    for (const Tensor& input : planted_operator(planted.operation).inputs) launch.args.push_back(input.name);
    for (const char* each : {"out", "P", "D"}) launch.args.emplace_back(each);
    variant.launches = {launch};
    implementation.configuration = {{"BLOCK_M", 4}, {"BLOCK_N", 16}};
    implementation.text = text;
    return implementation;
}

}  // namespace kernelgen::testing
