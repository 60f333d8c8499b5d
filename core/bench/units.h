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

/// A part of the inputs that has two contents, with the part of the outputs that depends on it. For each timed call one
/// content of each unit is drawn at random. So two calls hardly ever have the same inputs. The expected outputs of a
/// call are known nevertheless: each unit's outputs were judged with both of its contents.
struct Unit {
    std::vector<InputSpan> inputs;
    std::vector<OutputSpan> outputs;      ///< empty: all outputs may depend on it
    std::vector<std::int64_t> stretches;  ///< stretches of the body's space with these outputs; empty: all
};

inline constexpr int most_units = 32;
inline constexpr std::int64_t most_unit_columns = 64;

/// Size in bytes of the inputs that are exchanged as a whole, up to 16 MiB: of a `callable` operator those that belong
/// together, and all inputs where all are integers or belong together. 0: none, or more than that.
std::size_t bytes_of_whole_inputs(const Operator& definition, const Case& binding);

/// Chooses units at random. With a body that has row reductions, a unit lies in one row; with another body, in a
/// few columns of a row. No two units share 8 bytes of an output. Without a body, with a contraction, or where no input
/// has all rows, there is one unit, on which all outputs depend; `is_sparse`: with one element of each input, else with
/// up to 32 pieces.
std::vector<Unit> choose_units(const Operator& definition, const Body* body, const Case& binding, bool is_sparse,
                               std::mt19937_64& random);

/// Where `units` is one unit, on which all outputs depend: up to 32 units more, each of one element of each input,
/// beside those of `units`. With them a call can have inputs that no call had, but its outputs are not known. Empty
/// where the inputs have too few elements for that, or none that can be exchanged one by one.
std::vector<Unit> mixing_units(const Operator& definition, const Case& binding, const std::vector<Unit>& units,
                               std::mt19937_64& random);

}  // namespace kernelgen
