// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <vector>

#include "core/lang/body.h"
#include "core/verify/variation.h"

namespace kernelgen {

/// Elements [first, first + count) of an output.
struct OutputSpan {
    int output = 0;
    std::int64_t first = 0, count = 0;
};

/// A part of the inputs that has two contents, with the part of the outputs that depends on it. Each timed call sees
/// some units with their first and some with their second content, drawn at random, so that hardly two calls see the
/// same inputs; yet what a call must leave is known from the outputs for each content of each unit.
struct Unit {
    std::vector<InputSpan> inputs;
    std::vector<OutputSpan> outputs;      ///< empty: all outputs, of which nothing is known
    std::vector<std::int64_t> stretches;  ///< of the body's space, that hold the outputs; empty: all
};

inline constexpr int most_units = 32;
inline constexpr std::int64_t most_unit_columns = 64;

/// Units at random places. With a body that has row reductions a unit lies in one row, with another body in a few
/// columns of a row; no two of them share 8 bytes of an output. Without a body, or where no input has all rows, there
/// is one unit, on which all outputs depend.
std::vector<Unit> choose_units(const Operator& definition, const Body* body, const Case& binding,
                               std::mt19937_64& random);

}  // namespace kernelgen
