// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <random>
#include <vector>

#include "core/bench/rotation.h"
#include "core/bench/units.h"
#include "core/verify/yardstick.h"

namespace kernelgen {

/// Holds what timed calls leave against what is known to be right. Inputs are made anew at random moments; then outputs
/// of each side are judged in full for the first content of all units (units.h), and for their second content where
/// they depend on them. From these follows the checksum that a call must leave for any mixture of contents, and each
/// call sees a mixture of its own. docs/TIMING.md says what this finds.
class OutputWatch {
public:
    /// Bytes that it needs in the arena behind the layout.
    static std::size_t arena_bytes(const Operator& definition);

    /// All arguments must outlive it.
    OutputWatch(const BenchRequest& request, Yardstick& yardstick, Rotation& rotation, std::mt19937_64& random,
                std::stop_token stop)
        : request_(request), yardstick_(yardstick), rotation_(rotation), random_(random), stop_(std::move(stop)) {}

    /// Fills all sets with new inputs and judges what each side makes of them.
    TimingFailure renew();
    /// Adds the key, a poison and the states of the inputs to a request.
    void prepare(SampleRequest& request);
    /// Whether every call of the samples has left what it must.
    TimingFailure check(const SampleRequest& request, const Samples& samples);

    /// Whether a side's calls cannot be told by checksums, for its runs may differ: then some are judged in full.
    bool must_judge(int side) const { return !states_[static_cast<std::size_t>(side)].is_known; }
    /// Samples `request` with the outputs of one call of `side`, in a turn that is drawn at random, judged in full.
    TimingFailure sample_judged(int side, SampleRequest request, Samples& samples);

    /// Samples the turns of `request` on inputs that are all new. In the last turn the outputs of a call of side
    /// `judged` are judged in full, or of none (-1). What is known of outputs holds no longer: nothing may be checked
    /// after it.
    TimingFailure sample_afresh(SampleRequest request, int judged, Samples& samples);

    int judged_calls(int side) const { return states_[static_cast<std::size_t>(side)].judged; }
    std::int64_t compared_calls(int side) const { return states_[static_cast<std::size_t>(side)].compared; }

private:
    /// What is known of a side's outputs on the present inputs.
    struct SideState {
        bool is_known = true;                 ///< by checksums
        std::uint64_t first = 0;              ///< with the first content of all units
        std::vector<std::uint64_t> of_units;  ///< what each unit's outputs add to that
        std::vector<std::uint64_t> changes;   ///< by each unit's second content
        std::vector<double> scales;           ///< of the outputs (Part)
        int judged = 0;
        int surprises = 0;  ///< right outputs with another checksum than expected
        std::int64_t compared = 0;
    };

    SideState& state(int side) { return states_[static_cast<std::size_t>(side)]; }
    std::uint64_t all_units() const { return units_.empty() ? 0 : ~std::uint64_t{0} >> (64 - units_.size()); }
    std::vector<Patch> write_patches();
    TimingFailure replace_inputs();
    TimingFailure learn_first(int side);
    TimingFailure learn_second(int side);
    Part part_of_units(const SideState& known) const;
    TimingFailure call_on(int side, std::uint64_t inputs, int turns, std::uint64_t& sum);
    CaseAccuracy judge(std::uint64_t inputs, const Part& part);
    TimingFailure verdict(int side, const CaseAccuracy& judged) const;
    std::uint64_t sum_of_arena();
    std::uint64_t sum_of_unit(const Unit& unit);
    std::uint64_t expected(int side, std::uint64_t inputs) const;
    TimingFailure confirm(int side, std::uint64_t inputs, std::uint64_t sum);

    const BenchRequest& request_;
    Yardstick& yardstick_;
    Rotation& rotation_;
    std::mt19937_64& random_;
    std::stop_token stop_;
    std::uint64_t seed_ = 0, other_seed_ = 0, key_ = 0;
    std::vector<Unit> units_;
    std::vector<SideState> states_;
};

}  // namespace kernelgen
