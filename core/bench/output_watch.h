// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <random>
#include <vector>

#include "core/bench/rotation.h"
#include "core/bench/units.h"
#include "core/verify/yardstick.h"

namespace kernelgen {

/// What the judgement of a timed call's outputs means for the timing. Outputs that could not be judged, since the user
/// has cancelled or memory was refused, are not called wrong, and are no side's fault.
TimingFailure failure_of(const CaseAccuracy& judged, const std::string& name, int side);

/// Checks the outputs of timed calls. All inputs are replaced at random moments. Then the outputs of each side are
/// judged: in full with the first content of all units (units.h), and where they depend on units, with the second
/// content. From these outputs it computes the checksum that a call must have for any mixture of contents. Each timed
/// call gets a mixture of its own. Where there is one unit only, the calls of every third turn are *mixed* by further
/// units (mixing_units): no call had their inputs before, and their outputs are not compared, but some are judged.
/// docs/TIMING.md says which cheats this finds.
class OutputWatch {
public:
    /// The bytes of the arena that it needs after the layout.
    static std::size_t arena_bytes(const Operator& definition, const Case& binding);

    /// All arguments must outlive it.
    OutputWatch(const BenchRequest& request, Yardstick& yardstick, Rotation& rotation, std::mt19937_64& random,
                std::stop_token stop)
        : request_(request), yardstick_(yardstick), rotation_(rotation), random_(random), stop_(std::move(stop)) {}

    /// What the second content of units holds. `special`: in every second unit NaN, infinities, zeros and values beyond
    /// the ordinary ones (family `callable`: NaN or infinities), so that no kernel can leave them out when it has
    /// counted enough calls. Sides that need not be right on such values (the baseline, and but for family `callable`
    /// is_of_others) never get them.
    enum class Second { ordinary, special };
    /// Fills all sets of buffers with new inputs, and judges the outputs of each side on them.
    TimingFailure renew(Second second);
    /// How many units the inputs have.
    std::size_t units() const { return units_.size(); }
    /// Gives a request the key of checksums, a poison and states of the inputs, all drawn anew.
    void prepare(SampleRequest& request);
    /// Samples a request that it prepares.
    TimingFailure sample(SampleRequest& request, Samples& samples);
    /// Checks the checksums of all calls in the samples.
    TimingFailure check(const SampleRequest& request, const Samples& samples);

    /// Whether the calls of a side cannot be checked by checksums, because two runs may give different bits. Then some
    /// of its calls are judged in full.
    bool must_judge(int side) const { return !states_[static_cast<std::size_t>(side)].is_known; }
    enum class Judged { any, mixed };
    /// As `sample`, and judges in full the outputs of one call of `side`, in a turn drawn at random; `mixed`: on inputs
    /// that no call had.
    TimingFailure sample_judged(int side, Judged judged, SampleRequest& request, Samples& samples);
    /// Of each turn whether its times count. Where a candidate of a `callable` operator has NaN or infinities, they do
    /// not: it may end early there, and the baseline has none.
    std::vector<bool> counted_turns(const SampleRequest& request) const;
    /// For each turn, whether its calls are mixed.
    std::vector<bool> mixed_turns(const SampleRequest& request) const;
    /// Of each turn whether mixed calls are compared with others in it: not where it is mixed because a mixed call of
    /// it is judged. Most of such turns come early, when a machine may be slower. Of the request that was drawn last.
    std::vector<bool> compared_turns(const SampleRequest& request) const;
    /// Whether calls can be mixed.
    bool can_mix() const { return !mixing_.empty(); }
    int judged_mixed_calls(int side) const { return states_[static_cast<std::size_t>(side)].judged_mixed; }

    enum class Inputs { others, same };
    /// Samples the turns of `request` on inputs that are all new, or `same`: as they were, made and written again. In
    /// the last turn the outputs of one call of side `judged` are judged in full; -1: of no side. Afterwards the
    /// expected checksums are no longer valid: `check` must not be called.
    TimingFailure sample_afresh(SampleRequest request, Inputs inputs, int judged, Samples& samples);

    int judged_calls(int side) const { return states_[static_cast<std::size_t>(side)].judged; }
    std::int64_t compared_calls(int side) const { return states_[static_cast<std::size_t>(side)].compared; }

private:
    /// What is known of a side's outputs on the present inputs.
    struct SideState {
        bool is_known = true;                 ///< the expected checksums are known
        std::uint64_t first = 0;              ///< checksum with the first content of all units
        std::vector<std::uint64_t> of_units;  ///< for each unit: the part of `first` that its outputs contribute
        std::vector<std::uint64_t> changes;   ///< for each unit: how its second content changes the checksum
        std::vector<double> scales;           ///< scales of the outputs (Part)
        int judged = 0;
        int judged_mixed = 0;  ///< of those, mixed calls
        int surprises = 0;     ///< right outputs with another checksum than expected
        std::int64_t compared = 0;
    };

    SideState& state(int side) { return states_[static_cast<std::size_t>(side)]; }
    std::uint64_t all_units() const { return units_.empty() ? 0 : ~std::uint64_t{0} >> (64 - units_.size()); }
    bool takes_special(int side) const;
    std::uint64_t units_for(int side) const;
    bool has_planted_turns() const;
    std::optional<InputSet> draw_planted();
    void plant_in_unit();
    void make_units_special();
    std::vector<Patch> write_patches();
    void add_patches(const Unit& unit, int number, std::size_t& end, std::vector<Patch>& patches);
    std::uint64_t draw_mixture();
    bool is_mixed(std::uint64_t inputs) const { return (inputs & ~all_units()) != 0; }
    void mix_turn(SampleRequest& request, std::size_t turn);
    TimingFailure make_inputs(std::uint64_t seed);
    TimingFailure replace_inputs();
    TimingFailure replace_all(Inputs inputs);
    TimingFailure learn_first(int side);
    TimingFailure learn_second(int side);
    Part part_of_units(const SideState& known) const;
    TimingFailure call_on(int side, std::uint64_t inputs, int turns, std::uint64_t& sum);
    CaseAccuracy judge(std::uint64_t inputs, const Part& part);
    TimingFailure verdict(int side, const CaseAccuracy& judged) const;
    TimingFailure forget_checksums(int side, std::uint64_t inputs, std::uint64_t sum);
    TimingFailure differs(int side) const;
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
    bool is_sparse_ = random_() % 2 == 0;  ///< as choose_units; in turns
    Second second_ = Second::ordinary;
    std::vector<Unit> units_;
    std::vector<Unit> mixing_;                        ///< their bits in a mixture follow those of `units_`
    std::optional<std::size_t> turn_mixed_to_judge_;  ///< of the request that was drawn last
    std::uint64_t special_units_ = 0;  ///< of a mixture of contents: the units whose second content is special
    std::vector<SideState> states_;
};

}  // namespace kernelgen
