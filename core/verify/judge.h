// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/base/said.h"
#include "core/lang/body.h"
#include "core/project/project.h"
#include "core/tensor/random.h"
#include "core/verify/element_record.h"
#include "core/verify/result.h"

namespace kernelgen {

struct Reference;

/// Fills `values` with elements [first, first + values.size()) of input `tensor`; called by several threads at once.
using Elements = std::function<void(int tensor, std::int64_t first, std::span<double> values)>;

/// The inputs of a case, made from their set and seed.
Elements generated_inputs(const Operator& definition, const Case& binding, InputSet set, std::uint64_t seed);

/// What outputs are compared with. All references must outlive the call.
struct Criteria {
    const Operator& definition;
    const Body& body;
    const Case& binding;
    const Accuracy& accuracy;
    Elements inputs;
    Elements own_inputs = {};                  ///< inputs of the rounded evaluation, where they are other ones
    std::vector<Elements> also_right = {};     ///< other values that the only output may have; integers: or any between
    std::vector<std::int64_t> stretches = {};  ///< numbers of the stretches to judge (stretch.h); empty: all
    std::vector<double> scales = {};           ///< the scale s of each output; empty: computed from the reference
    std::span<const char> exempt = {};         ///< for each element of the only output: is it excluded; empty: no
    const Reference* known = nullptr;          ///< the reference's values (reference_cache.h), where known
    Reference* found = nullptr;                ///< otherwise: where to write them; all stretches must be judged then
    std::span<ElementRecord> records = {};     ///< of each output, where every element is asked for; empty: not
};

/// Judges one check by the rules of docs/ACCURACY.md. Returns the status (ok, mismatch or cancelled), metrics, reason,
/// first mismatches and what the reference tells; the caller fills in set, seed and own_case. `outputs` are the
/// operator's, in their dtypes.
///
/// Runs on all cores, and holds only blocks in memory. The allowed error of a row is computed over the whole row, not
/// per block. Each output has a scale s of its own.
CaseAccuracy judge(const Criteria& criteria, std::span<const std::byte* const> outputs, std::stop_token stop);

/// Why the project's own tolerance for an output of this case is too loose, and what to do; nothing where it is strict
/// enough, or where the project sets none. The inputs should be normal. The result is exact up to 2^20 elements; above,
/// it is computed from an even sample of blocks and of pairs of neighbouring rows. At least half of the pairs with
/// different rows must be told apart by the tolerance: a few pairs may agree by chance (a bf16 `row_var`).
std::optional<Said> too_loose(const Criteria& criteria);

}  // namespace kernelgen
