// SPDX-License-Identifier: Apache-2.0
// Replays made by hand: bias_add's expected output, changed as a test says.
#pragma once

#include <cmath>
#include <functional>

#include "core/explain/wrong_output.h"
#include "planted.h"

namespace kernelgen::testing {

/// The value that a wrong kernel leaves in an element, from the right one.
using Change = std::function<double(std::int64_t row, std::int64_t column, double right)>;

inline double input_value(std::int64_t i) { return std::sin(0.7 * static_cast<double>(i * i % 977 + i) + 0.4); }

/// bias_add of P × D with inputs that are all different, and an output changed by `change`.
inline Replay changed_replay(std::int64_t P, std::int64_t D, const Change& change) {
    Replay replay{.binding = {"test", DType::f32, {{"P", P}, {"D", D}}}, .reason = {}, .inputs = {}, .outputs = {}};
    InputReplay x{.name = "x", .extents = {P, D}, .grid = {P, D}, .values = {}};
    InputReplay bias{.name = "bias", .extents = {D}, .grid = {1, D}, .values = {}};
    for (std::int64_t i = 0; i < P * D; ++i) x.values.push_back(static_cast<float>(input_value(i)));
    for (std::int64_t i = 0; i < D; ++i) bias.values.push_back(static_cast<float>(input_value(5000 + i)));
    OutputReplay out{.name = "out",
                     .extents = {P, D},
                     .grid = {P, D},
                     .record = {},
                     .unwritten = std::vector<char>(static_cast<std::size_t>(P * D)),
                     .unstable = std::vector<char>(static_cast<std::size_t>(P * D)),
                     .stale = std::vector<char>(static_cast<std::size_t>(P * D))};
    for (std::int64_t i = 0; i < P * D; ++i) {
        const double right = x.values[static_cast<std::size_t>(i)] + bias.values[static_cast<std::size_t>(i % D)];
        const double actual = static_cast<float>(change(i / D, i % D, right));
        out.record.expected.push_back(right);
        out.record.actual.push_back(actual);
        const bool is_right = std::abs(actual - right) <= 1e-5 || (std::isnan(actual) && std::isnan(right));
        out.record.judged.push_back(is_right ? Judged::right : Judged::wrong);
    }
    replay.status = out.wrong().empty() ? Status::ok : Status::mismatch;
    replay.inputs = {std::move(x), std::move(bias)};
    replay.outputs = {std::move(out)};
    return replay;
}

inline Causes causes_of(const Replay& replay, const std::vector<SizeOutcome>& sizes = {}) {
    const Operator definition = planted_operator("bias_add");
    const Body body = analyse(definition).value();
    const Implementation kernel =
        planted_kernel({"test", "bias_add", {}}, "for (int64_t c = 0; c < D; ++c)\n    out[c] = x[c];\n");
    return find_causes({definition, &body, kernel, replay, replay, sizes});
}

}  // namespace kernelgen::testing
