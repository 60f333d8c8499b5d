// SPDX-License-Identifier: Apache-2.0
#include "core/bench/output_watch.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <format>

#include "core/backend/checksum.h"
#include "core/base/verdict_sentences.h"
#include "core/verify/buffers.h"
#include "core/verify/parallel.h"

namespace kernelgen {
namespace {

constexpr int most_surprises = 3;  ///< after which a side's calls are no longer told by checksums

/// The place of a turn's first call among the states of a request, which has `sets` states for each call.
std::size_t place_of(const SampleRequest& request, std::size_t turn) {
    std::size_t place = 0;
    for (std::size_t before = 0; before < turn; ++before) place += request.turns[before].size();
    return place;
}

/// The inputs of one call of a batch.
std::uint64_t inputs_of(const SampleRequest& request, const Capture& call, std::size_t sets) {
    std::size_t place = place_of(request, call.turn);
    const std::vector<int>& sides = request.turns[call.turn];
    place += static_cast<std::size_t>(std::ranges::find(sides, call.side) - sides.begin());
    return request.states[place * sets + static_cast<std::size_t>(call.set)];
}

/// The bytes of a span, widened to whole words of 8.
struct Words {
    std::size_t begin = 0, bytes = 0;
};

Words words_of(const OutputSpan& span, std::size_t element_bytes, std::size_t output_bytes) {
    const std::size_t begin = static_cast<std::size_t>(span.first) * element_bytes / 8 * 8;
    const std::size_t end = (static_cast<std::size_t>(span.first + span.count) * element_bytes + 7) / 8 * 8;
    return {begin, std::min(end, output_bytes) - begin};
}

}  // namespace

TimingFailure failure_of(const CaseAccuracy& judged, const std::string& name, int side) {
    if (judged.status == Status::ok) return {};
    if (judged.status != Status::mismatch) return {judged.status, judged.reason};
    return {judged.status, say(sentences::wrong_when_timed, name, judged.reason), side};
}

std::size_t OutputWatch::arena_bytes(const Operator& definition, const Case& binding) {
    constexpr std::size_t widest = 8;  // bytes of an element
    const std::size_t of_places = 2 * widest * most_units * most_unit_columns * definition.inputs.size();
    const std::size_t of_mixing = 2 * widest * most_units * definition.inputs.size();
    return of_places + of_mixing + 2 * bytes_of_whole_inputs(definition, binding);
}

TimingFailure OutputWatch::make_inputs(std::uint64_t seed) {
    const Call& call = rotation_.sides()[0].call;
    const Outcome made = yardstick_.make_inputs(call, rotation_.layout(), rotation_.arena(), InputSet::normal, seed);
    return {made.status, made.reason};
}

TimingFailure OutputWatch::replace_inputs() {
    seed_ = random_() >> 16;
    other_seed_ = random_() >> 16;
    is_sparse_ = !is_sparse_;
    key_ = random_() | 1;
    if (const TimingFailure made = make_inputs(seed_); !made.ok()) return made;
    const bool is_sparse = is_sparse_ && second_ == Second::ordinary;  // few special values would be none of a kind
    units_ = choose_units(request_.definition, yardstick_.body(), request_.binding, is_sparse, random_);
    mixing_ = mixing_units(request_.definition, request_.binding, units_, random_);
    make_units_special();
    return rotation_.refill(write_patches());
}

/// Inputs without units: all calls have the same. Both cases take as long: a file, which keeps what it made last, is
/// asked for new inputs in both.
TimingFailure OutputWatch::replace_all(Inputs inputs) {
    const std::uint64_t drawn = random_() >> 16;
    if (inputs == Inputs::others) seed_ = drawn;
    key_ = random_() | 1;
    units_.clear();
    mixing_.clear();
    special_units_ = 0;
    if (has_file(request_.definition.family)) {
        if (const TimingFailure made = make_inputs(drawn); !made.ok()) return made;
    }
    if (const TimingFailure made = make_inputs(seed_); !made.ok()) return made;
    return rotation_.refill({});
}

/// Whether the outputs of a side must be right on special values.
bool OutputWatch::takes_special(int side) const {
    constexpr int baseline = 0;
    if (side == baseline) return false;
    if (has_file(request_.definition.family)) return true;
    return !is_of_others(rotation_.sides()[static_cast<std::size_t>(side)].implementation->variant.language);
}

/// The units of which a side gets both contents.
std::uint64_t OutputWatch::units_for(int side) const {
    const bool takes_all = side == SampleRequest::nobody || takes_special(side);
    return takes_all ? all_units() : all_units() & ~special_units_;
}

/// NaN or infinities, by which a `callable` operator is verified too; nothing where its reference takes neither.
std::optional<InputSet> OutputWatch::draw_planted() {
    std::array<InputSet, 2> sets = {InputSet::nan, InputSet::infinity};
    std::ranges::shuffle(sets, random_);
    for (const InputSet set : sets) {
        if (yardstick_.applies({request_.binding, set, seed_})) return set;
    }
    return std::nullopt;
}

/// The unit of a `callable` operator: other values come from its own file.
void OutputWatch::plant_in_unit() {
    std::vector<InputSpan*> takers;
    for (Unit& unit : units_) {
        for (InputSpan& span : unit.inputs) {
            const Tensor& input = request_.definition.inputs[static_cast<std::size_t>(span.input)];
            if (!input.is_linked && !is_integer(dtype_of(input, request_.binding))) takers.push_back(&span);
        }
    }
    // The reference runs only where there is something to plant.
    const std::optional<InputSet> set = takers.empty() ? std::nullopt : draw_planted();
    if (!set) return;
    for (InputSpan* span : takers) span->set = *set;
    special_units_ = all_units();
}

/// Half of the units stay ordinary, for sides that get no special values. A single unit becomes special only where all
/// candidates can have it.
void OutputWatch::make_units_special() {
    special_units_ = 0;
    if (second_ == Second::ordinary) return;
    if (has_file(request_.definition.family)) return plant_in_unit();
    const int sides = static_cast<int>(rotation_.sides().size());
    bool all_take_them = true;
    for (int side = 1; side < sides; ++side) all_take_them &= takes_special(side);
    if (units_.size() == 1 && !all_take_them) return;
    for (std::size_t unit = 0; unit < units_.size(); unit += 2) {
        special_units_ |= std::uint64_t{1} << unit;
        for (InputSpan& span : units_[unit].inputs) span.set = InputSet::special;
    }
}

TimingFailure OutputWatch::renew(Second second) {
    second_ = second;
    if (const TimingFailure replaced = replace_inputs(); !replaced.ok()) return replaced;
    states_.resize(rotation_.sides().size());
    // In this order, so that the reference of each content is made once for all sides.
    for (const auto learn : {&OutputWatch::learn_first, &OutputWatch::learn_second}) {
        for (int side = 0; side < static_cast<int>(states_.size()); ++side) {
            if (const TimingFailure learnt = (this->*learn)(side); !learnt.ok()) return learnt;
        }
    }
    return {};
}

/// Writes both contents of the units' inputs behind the layout.
std::vector<Patch> OutputWatch::write_patches() {
    std::vector<Patch> patches;
    std::size_t end = rotation_.layout().total;
    int number = 0;
    for (const Unit& unit : units_) add_patches(unit, number++, end, patches);
    for (const Unit& unit : mixing_) add_patches(unit, number++, end, patches);
    return patches;
}

void OutputWatch::add_patches(const Unit& unit, int number, std::size_t& end, std::vector<Patch>& patches) {
    const Call& call = rotation_.sides()[0].call;
    std::byte* arena = rotation_.arena();
    for (const InputSpan& span : unit.inputs) {
        const auto input = static_cast<std::size_t>(span.input);
        const DType dtype = call.inputs[input].dtype;
        const std::size_t offset = static_cast<std::size_t>(span.first) * size_of(dtype);
        const std::size_t bytes = static_cast<std::size_t>(span.count) * size_of(dtype);
        patches.push_back({number, span.input, offset, bytes, end});
        std::copy_n(arena + rotation_.layout().inputs[input].offset + offset, bytes, arena + end);
        yardstick_.write_span(call, span, other_seed_, arena + end + bytes);
        end += 2 * bytes;
    }
}

/// Bits of the mixing units, at least one of them.
std::uint64_t OutputWatch::draw_mixture() {
    const std::uint64_t count = (std::uint64_t{1} << mixing_.size()) - 1;
    return (1 + random_() % count) << units_.size();
}

void OutputWatch::prepare(SampleRequest& request) {
    request.flush = !request_.performance.warm_caches;
    request.poison = static_cast<std::uint8_t>(random_() | 1);
    request.key = key_;
    request.states.clear();
    turn_mixed_to_judge_.reset();
    for (const std::vector<int>& turn : request.turns) {
        const bool is_ordinary = has_planted_turns() && random_() % 3 != 0;
        const std::uint64_t taken = is_ordinary ? ~special_units_ : ~std::uint64_t{0};
        for (const int side : turn) {
            for (int set = 0; set < rotation_.sets(); ++set)
                request.states.push_back(random_() & units_for(side) & taken);
        }
    }
    for (std::size_t turn = 0; turn < request.turns.size() && can_mix(); ++turn) {
        if (random_() % 3 == 0) mix_turn(request, turn);
    }
}

void OutputWatch::mix_turn(SampleRequest& request, std::size_t turn) {
    const auto sets = static_cast<std::size_t>(rotation_.sets());
    const std::size_t first = place_of(request, turn) * sets, calls = request.turns[turn].size() * sets;
    for (std::uint64_t& inputs : std::span(request.states).subspan(first, calls)) inputs |= draw_mixture();
}

bool OutputWatch::has_planted_turns() const { return special_units_ != 0 && has_file(request_.definition.family); }

std::vector<bool> OutputWatch::counted_turns(const SampleRequest& request) const {
    std::vector<bool> counted;
    std::span<const std::uint64_t> states = request.states;  // those of the turns to come
    for (const std::vector<int>& turn : request.turns) {
        const std::size_t calls = turn.size() * static_cast<std::size_t>(rotation_.sets());
        const bool has_special = std::ranges::any_of(
            states.first(calls), [&](std::uint64_t inputs) { return (inputs & special_units_) != 0; });
        counted.push_back(!has_special || !has_planted_turns());
        states = states.subspan(calls);
    }
    return counted;
}

std::vector<bool> OutputWatch::mixed_turns(const SampleRequest& request) const {
    std::vector<bool> mixed;
    std::size_t place = 0;
    for (const std::vector<int>& turn : request.turns) {
        mixed.push_back(is_mixed(request.states[place * static_cast<std::size_t>(rotation_.sets())]));
        place += turn.size();
    }
    return mixed;
}

std::vector<bool> OutputWatch::compared_turns(const SampleRequest& request) const {
    std::vector<bool> compared(request.turns.size(), true);
    if (turn_mixed_to_judge_) compared[*turn_mixed_to_judge_] = false;
    return compared;
}

TimingFailure OutputWatch::sample(SampleRequest& request, Samples& samples) {
    const auto draw = [&] {
        prepare(request);
        return TimingFailure{};
    };
    draw();
    return rotation_.sample(request, samples, draw);
}

/// Times a side alone `turns` times on inputs in one state; the last call's outputs are in the arena, their checksum in
/// `sum`.
TimingFailure OutputWatch::call_on(int side, std::uint64_t inputs, int turns, std::uint64_t& sum) {
    SampleRequest request;
    request.turns.assign(static_cast<std::size_t>(turns), {side});
    prepare(request);
    std::ranges::fill(request.states, inputs);
    const int sets = rotation_.sets(), set = static_cast<int>(random_() % static_cast<std::uint64_t>(sets));
    request.capture = {side, set, request.turns.size() - 1};
    Samples samples;
    if (const TimingFailure sampled = rotation_.sample(request, samples); !sampled.ok()) return sampled;
    sum = sum_of_arena();
    const std::vector<std::uint64_t>& told = samples.checksums[static_cast<std::size_t>(side)];
    if (told[told.size() - static_cast<std::size_t>(sets - set)] == sum) return {};
    return {Status::mismatch,
            say(sentences::changed_after_call,
                rotation_.sides()[static_cast<std::size_t>(side)].implementation->variant.name),
            side};
}

CaseAccuracy OutputWatch::judge(std::uint64_t inputs, const Part& part) {
    Check check{request_.binding, InputSet::normal, seed_};
    check.variation.seed = other_seed_;
    check.is_judged_once = inputs != 0 && inputs != all_units();
    const std::size_t known = units_.size();
    for (std::size_t unit = 0; unit < known + mixing_.size(); ++unit) {
        if ((inputs >> unit & 1) == 0) continue;
        const std::vector<InputSpan>& spans = unit < known ? units_[unit].inputs : mixing_[unit - known].inputs;
        check.variation.spans.insert(check.variation.spans.end(), spans.begin(), spans.end());
    }
    const Call& call = rotation_.sides()[0].call;
    // Outputs are first compared with the reference that was kept when another side was judged. That takes a fraction
    // of the time, and most sides pass.
    const bool is_whole = part.stretches.empty();
    if (is_whole && yardstick_.is_plainly_right(check, call, rotation_.layout(), rotation_.arena(), stop_)) return {};
    return yardstick_.judge(check, call, rotation_.layout(), rotation_.arena(), stop_, part);
}

TimingFailure OutputWatch::verdict(int side, const CaseAccuracy& judged) const {
    return failure_of(judged, rotation_.sides()[static_cast<std::size_t>(side)].implementation->variant.name, side);
}

std::uint64_t OutputWatch::sum_of_arena() {
    constexpr std::size_t block = 1 << 20;
    const Layout& layout = rotation_.layout();
    std::atomic<std::uint64_t> sum = 0;
    for (std::size_t i = 0; i < layout.outputs.size(); ++i) {
        const std::byte* data = rotation_.arena() + layout.outputs[i].offset;
        const std::size_t bytes = layout.outputs[i].bytes;
        Claims claims(static_cast<std::int64_t>((bytes + block - 1) / block), 1, {});
        on_all_cores(claims, [&](Claims& mine) {
            while (const std::optional<Range> claim = mine.next()) {
                const std::size_t begin = static_cast<std::size_t>(claim->first) * block;
                sum += checksum(data + begin, std::min(block, bytes - begin), output_key(key_, i), begin / 8);
            }
        });
    }
    return sum;
}

/// The part of the checksum that comes from the words of a unit's outputs.
std::uint64_t OutputWatch::sum_of_unit(const Unit& unit) {
    const Call& call = rotation_.sides()[0].call;
    std::uint64_t sum = 0;
    for (const OutputSpan& span : unit.outputs) {
        const auto i = static_cast<std::size_t>(span.output);
        const Words words = words_of(span, size_of(call.outputs[i].dtype), call.outputs[i].bytes);
        const std::byte* first = rotation_.arena() + rotation_.layout().outputs[i].offset + words.begin;
        sum += checksum(first, words.bytes, output_key(key_, i), words.begin / 8);
    }
    return sum;
}

/// Judges a side's outputs for the first content of all units, and keeps their checksum.
TimingFailure OutputWatch::learn_first(int side) {
    SideState& known = state(side);
    if (const TimingFailure called = call_on(side, 0, 1 + static_cast<int>(random_() % 3), known.first); !called.ok())
        return called;
    known.of_units.clear();
    for (const Unit& unit : units_) known.of_units.push_back(sum_of_unit(unit));
    const CaseAccuracy judged = judge(0, {});
    known.scales = judged.scales.empty() ? states_.front().scales : judged.scales;
    ++known.judged;
    known.is_known = known.surprises < most_surprises &&
                     rotation_.sides()[static_cast<std::size_t>(side)].implementation->variant.deterministic;
    return verdict(side, judged);
}

/// The same for the second content, and what each unit changes.
TimingFailure OutputWatch::learn_second(int side) {
    SideState& known = state(side);
    known.changes.clear();
    if (units_.empty()) return {};
    std::uint64_t second = 0;
    const std::uint64_t inputs = units_for(side);
    if (const TimingFailure called = call_on(side, inputs, 1 + static_cast<int>(random_() % 3), second); !called.ok())
        return called;
    std::uint64_t change = 0;
    for (std::size_t i = 0; i < units_.size(); ++i) {
        const Unit& unit = units_[i];
        known.changes.push_back(unit.outputs.empty() ? second - known.first : sum_of_unit(unit) - known.of_units[i]);
        change += known.changes.back();
    }
    ++known.judged;
    if (known.first + change == second || !known.is_known) {
        return verdict(side, judge(inputs, part_of_units(known)));
    }
    // Other outputs have changed too. That is no fault if all outputs are right.
    if (const TimingFailure wrong = verdict(side, judge(inputs, {})); !wrong.ok()) return wrong;
    return forget_checksums(side, inputs, second);
}

/// From now on checksums tell nothing of a side: its last bits depend on other rows. Then the same inputs, in state
/// `inputs`, still give the same checksum `sum` each time.
TimingFailure OutputWatch::forget_checksums(int side, std::uint64_t inputs, std::uint64_t sum) {
    constexpr int calls = 6;
    for (int call = 0; call < calls; ++call) {
        std::uint64_t again = 0;
        if (const TimingFailure called = call_on(side, inputs, 1, again); !called.ok()) return called;
        if (again != sum) return differs(side);
    }
    state(side).is_known = false;
    return {};
}

TimingFailure OutputWatch::differs(int side) const {
    const std::string& name = rotation_.sides()[static_cast<std::size_t>(side)].implementation->variant.name;
    return {Status::nondeterministic, say(sentences::timed_runs_differ, name), side};
}

/// The part of the outputs that depends on the units: only this is judged.
Part OutputWatch::part_of_units(const SideState& known) const {
    Part part{{}, known.scales};
    for (const Unit& unit : units_)
        part.stretches.insert(part.stretches.end(), unit.stretches.begin(), unit.stretches.end());
    std::ranges::sort(part.stretches);
    part.stretches.erase(std::ranges::unique(part.stretches).begin(), part.stretches.end());
    return part;
}

std::uint64_t OutputWatch::expected(int side, std::uint64_t inputs) const {
    const SideState& known = states_[static_cast<std::size_t>(side)];
    std::uint64_t sum = known.first;
    for (std::size_t unit = 0; unit < known.changes.size(); ++unit) {
        if ((inputs >> unit & 1) != 0) sum += known.changes[unit];
    }
    return sum;
}

TimingFailure OutputWatch::check(const SampleRequest& request, const Samples& samples) {
    const auto sets = static_cast<std::size_t>(rotation_.sets());
    std::vector<std::size_t> calls(samples.checksums.size());  // of each side, so far
    std::span<const std::uint64_t> states = request.states;    // those of the places to come
    for (const std::vector<int>& turn : request.turns) {
        for (const int side : turn) {
            const std::span<const std::uint64_t> here = states.first(sets);
            states = states.subspan(sets);
            if (side == SampleRequest::nobody || must_judge(side)) continue;
            for (const std::uint64_t inputs : here) {
                const std::uint64_t sum = samples.checksums[static_cast<std::size_t>(side)][calls[side]++];
                if (is_mixed(inputs)) continue;
                ++state(side).compared;
                if (sum == expected(side, inputs)) continue;
                if (const TimingFailure wrong = confirm(side, inputs, sum); !wrong.ok()) return wrong;
                if (must_judge(side)) break;
            }
        }
    }
    return {};
}

/// A call left outputs with another checksum than expected. They were right only if the same inputs give the same
/// checksum again, with outputs that are judged to be right.
TimingFailure OutputWatch::confirm(int side, std::uint64_t inputs, std::uint64_t sum) {
    const std::string& name = rotation_.sides()[static_cast<std::size_t>(side)].implementation->variant.name;
    std::uint64_t again = 0, once_more = 0;
    if (const TimingFailure called = call_on(side, inputs, 1, again); !called.ok()) return called;
    if (const TimingFailure wrong = verdict(side, judge(inputs, {})); !wrong.ok()) return wrong;
    if (again == sum) {
        return ++state(side).surprises == most_surprises ? forget_checksums(side, inputs, sum) : TimingFailure{};
    }
    if (const TimingFailure called = call_on(side, inputs, 1, once_more); !called.ok()) return called;
    if (again != once_more) return differs(side);
    return {Status::mismatch, say(sentences::skipped_when_timed, name), side};
}

TimingFailure OutputWatch::sample_afresh(SampleRequest request, Inputs inputs, int judged, Samples& samples) {
    const auto draw = [&] {
        const TimingFailure replaced = replace_all(inputs);
        if (replaced.ok()) prepare(request);
        return replaced;
    };
    if (const TimingFailure drawn = draw(); !drawn.ok()) return drawn;
    const auto sets = static_cast<std::size_t>(rotation_.sets());
    if (judged >= 0) request.capture = {judged, static_cast<int>(random_() % sets), request.turns.size() - 1};
    if (const TimingFailure sampled = rotation_.sample(request, samples, draw); !sampled.ok()) return sampled;
    return judged < 0 ? TimingFailure{} : verdict(judged, judge(inputs_of(request, *request.capture, sets), {}));
}

TimingFailure OutputWatch::sample_judged(int side, Judged judged, SampleRequest& request, Samples& samples) {
    const auto sets = static_cast<std::size_t>(rotation_.sets());
    const auto draw = [&] {
        prepare(request);
        const std::size_t set = random_() % sets, turn = random_() % request.turns.size();
        request.capture = {side, static_cast<int>(set), turn};
        if (judged == Judged::mixed) {
            mix_turn(request, turn);
            turn_mixed_to_judge_ = turn;
        }
        return TimingFailure{};
    };
    draw();
    if (const TimingFailure sampled = rotation_.sample(request, samples, draw); !sampled.ok()) return sampled;
    const std::uint64_t inputs = inputs_of(request, *request.capture, sets);
    ++state(side).judged;
    if (is_mixed(inputs)) ++state(side).judged_mixed;
    return verdict(side, judge(inputs, {}));
}

}  // namespace kernelgen
