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

#include "core/lang/body.h"
#include "core/project/project.h"
#include "core/tensor/random.h"
#include "core/verify/result.h"

namespace kernelgen {

struct Reference;

/// Fills `values` with elements [first, first + values.size()) of input `tensor`; called by several threads at once.
using Elements = std::function<void(int tensor, std::int64_t first, std::span<double> values)>;

/// The inputs of a case as its set and seed make them.
Elements generated_inputs(const Operator& definition, const Case& binding, InputSet set, std::uint64_t seed);

/// What outputs are judged by. Everything referred to must outlive the call.
struct Criteria {
    const Operator& definition;
    const Body& body;
    const Case& binding;
    const Accuracy& accuracy;
    Elements inputs;
    Elements own_inputs = {};  ///< what the evaluation in the arithmetic's precision reads instead, where it is set
    std::vector<Elements> also_right = {};     ///< other values that the only output may have; integers: or any between
    std::vector<std::int64_t> stretches = {};  ///< numbers of those to be judged (stretch.h); empty: all
    std::vector<double> scales = {};           ///< s of each output; empty: found from the reference
    std::span<const char> exempt = {};         ///< by element of the only output: what is excluded; empty: nothing
    const Reference* known = nullptr;          ///< what the reference is (reference_cache.h), where that is known
    Reference* found = nullptr;                ///< where it is written to, else; all stretches must be judged
};

/// Judges one check by the rules of docs/ACCURACY.md: status ok, mismatch or cancelled, with metrics, reason, first
/// mismatches and what the reference tells; the caller fills in set, seed and own_case. `outputs` are the operator's,
/// in their dtypes.
///
/// Runs on all cores and holds blocks only. "The row's largest error" of the studio's own evaluation has the whole row,
/// however long. s is that of each output on its own.
CaseAccuracy judge(const Criteria& criteria, std::span<const std::byte* const> outputs, std::stop_token stop);

/// Why the project's own tolerance for an output of this case would let wrong results pass, with what to do; nothing
/// where it is strict enough, or where it is the default. The inputs should be normal. Exact up to 2^20 elements, an
/// even sample of blocks and of pairs of neighbouring rows above. Of rows that differ at least half the pairs must be
/// told apart: a few may agree by chance (a bf16 `row_var`).
std::optional<std::string> too_loose(const Criteria& criteria);

}  // namespace kernelgen
