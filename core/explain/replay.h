// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/said.h"
#include "core/base/status.h"
#include "core/lang/operator.h"
#include "core/tensor/random.h"
#include "core/verify/element_record.h"

namespace kernelgen {

/// A tensor as rows and columns: the last axis is the columns, the other axes flatten to rows.
struct Grid {
    std::int64_t rows = 1, columns = 1;

    std::int64_t elements() const { return rows * columns; }
    std::int64_t row_of(std::int64_t element) const { return element / columns; }
    std::int64_t column_of(std::int64_t element) const { return element % columns; }
};
Grid grid_of(const std::vector<std::int64_t>& extents);

/// What one output held after the runs of a check, element by element. All lists have one entry an element.
struct OutputReplay {
    std::string name;
    DType dtype = DType::f32;
    std::vector<std::int64_t> extents;
    Grid grid;
    ElementRecord record;         ///< of a run on outputs that held the first poison (core/verify/buffers.h)
    std::vector<char> unwritten;  ///< whether each element still held the poison after runs with both
    std::vector<char> unstable;   ///< whether it differed between two runs that began alike
    std::vector<char> stale;      ///< whether it was written, and depended on what the outputs had held before

    std::vector<std::int64_t> wrong() const;  ///< elements that are wrong or were not written, in order
};

/// Marks what four runs of a check show; `runs` are the output's bytes after each. The first and the third began alike,
/// with the first poison in the output, and so did the second and the fourth with the second poison.
void mark_runs(OutputReplay& output, const std::array<std::span<const std::byte>, 4>& runs);

struct InputReplay {
    std::string name;
    std::vector<std::int64_t> extents;
    Grid grid;
    std::vector<double> values;
};

/// A check that was run again, with every element at hand. Only its status is there where a run ended otherwise.
struct Replay {
    Case binding;
    InputSet set = InputSet::normal;
    std::uint64_t seed = 1;
    Status status = Status::ok;
    Said reason;
    bool are_inputs_changed = false;
    std::vector<InputReplay> inputs;
    std::vector<std::vector<double>> computed;  ///< results of the body's contraction or attention on these inputs
    std::vector<OutputReplay> outputs;

    bool has_elements() const { return !outputs.empty() && !outputs.front().record.actual.empty(); }
};

/// What the same kernel did on other sizes, with ordinary values.
struct SizeOutcome {
    Case binding;
    Status status = Status::ok;
    double max_relative = 0;  ///< largest relative error of all elements
};

}  // namespace kernelgen
