// SPDX-License-Identifier: Apache-2.0
#include "core/explain/replayer.h"

#include <algorithm>

#include "core/verify/contraction_values.h"

namespace kernelgen {

Replay Replayer::run(const Check& check, std::stop_token stop) {
    Replay replay{
        .binding = check.binding, .set = check.set, .seed = check.seed, .reason = {}, .inputs = {}, .outputs = {}};
    const auto ended = [&](const Outcome& outcome) {
        replay.status = outcome.status;
        replay.reason = outcome.reason;
        return !outcome.ok();
    };
    Result<Call> call = make_call(definition_, candidate_, check.binding);
    if (!call) {
        ended({Status::launch_failed, call.error().message});
        return replay;
    }
    call_ = std::move(*call);
    layout_ = lay_out(call_);
    if (!is_small_enough() || ended(runner_.prepare(call_, check.binding.dtype, layout_.total))) return replay;
    Bytes runs[4];
    if (ended(run_once(check, poisons[0], runs[0]))) return replay;
    std::vector<ElementRecord> records(call_.outputs.size());
    const CaseAccuracy judged = yardstick_.judge(check, call_, layout_, runner_.arena(), stop,
                                                 {.stretches = {}, .scales = {}, .records = records});
    if (judged.status != Status::ok && judged.status != Status::mismatch) {
        ended({judged.status, judged.reason});
        return replay;
    }
    for (int i = 1; i < 4; ++i) {
        if (ended(run_once(check, poisons[i % 2], runs[i]))) return replay;
    }
    replay.are_inputs_changed = !yardstick_.inputs_unchanged(call_, layout_, runner_.arena(), check.set, check.seed);
    ended({judged.status, judged.reason});
    for (std::size_t i = 0; i < call_.outputs.size(); ++i) {
        const BoundTensor& output = call_.outputs[i];
        replay.outputs.push_back({.name = output.name,
                                  .dtype = output.dtype,
                                  .extents = output.extents,
                                  .grid = grid_of(output.extents),
                                  .record = std::move(records[i]),
                                  .unwritten = {},
                                  .unstable = {},
                                  .stale = {}});
    }
    for (std::size_t i = 0; i < replay.outputs.size(); ++i)
        mark_runs(replay.outputs[i], {runs[0][i], runs[1][i], runs[2][i], runs[3][i]});
    take_inputs(replay);
    return replay;
}

bool Replayer::is_small_enough() const {
    const auto is_small = [](const BoundTensor& each) {
        return static_cast<std::int64_t>(each.bytes / size_of(each.dtype)) <= most_elements;
    };
    return std::ranges::all_of(call_.inputs, is_small) && std::ranges::all_of(call_.outputs, is_small);
}

Outcome Replayer::run_once(const Check& check, std::uint8_t poison, Bytes& outputs) {
    std::byte* arena = runner_.arena();
    fill_guards(layout_, arena);
    if (Outcome made = yardstick_.make_inputs(call_, layout_, arena, check.set, check.seed); !made.ok()) return made;
    poison_outputs(layout_, arena, poison);
    if (Outcome outcome = runner_.run(call_, layout_); !outcome.ok()) return outcome;
    for (const Region& region : layout_.outputs)
        outputs.emplace_back(arena + region.offset, arena + region.offset + region.bytes);
    return {};
}

/// Takes the inputs as the kernel got them: it may have written into them, then they are made again.
void Replayer::take_inputs(Replay& replay) const {
    std::byte* arena = runner_.arena();
    if (replay.are_inputs_changed && !yardstick_.make_inputs(call_, layout_, arena, replay.set, replay.seed).ok())
        return;
    for (std::size_t i = 0; i < call_.inputs.size(); ++i) {
        const BoundTensor& input = call_.inputs[i];
        InputReplay taken{.name = input.name, .extents = input.extents, .grid = grid_of(input.extents), .values = {}};
        taken.values.resize(input.bytes / size_of(input.dtype));
        decode(input.dtype, arena + layout_.inputs[i].offset, std::span(taken.values));
        replay.inputs.push_back(std::move(taken));
    }
    take_computed(replay);
}

void Replayer::take_computed(Replay& replay) const {
    const Body* body = yardstick_.body();
    if (body == nullptr) return;
    const Elements inputs = [&](int input, std::int64_t first, std::span<double> values) {
        const std::vector<double>& all = replay.inputs[static_cast<std::size_t>(input)].values;
        std::copy_n(all.begin() + first, values.size(), values.begin());
    };
    const Elements with_results = with_contraction(definition_, *body, replay.binding, inputs).exact;
    for (const Tensor& result : computed_results(*body)) {
        std::vector<double>& values = replay.computed.emplace_back(
            static_cast<std::size_t>(element_count(result, replay.binding.sizes).value_or(0)));
        with_results(static_cast<int>(definition_.inputs.size() + replay.computed.size()) - 1, 0, values);
    }
}

}  // namespace kernelgen
