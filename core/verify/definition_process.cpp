// SPDX-License-Identifier: Apache-2.0
#include "core/verify/definition_process.h"

#include <algorithm>

#include "core/verify/buffers.h"
#include "core/verify/callable_case.h"

namespace kernelgen {
namespace {

constexpr std::size_t most_kept = 3;  ///< two contents of timed calls, and those of a check

/// The call that writes the inputs: they are its outputs.
Result<Call> call_for_inputs(const Operator& definition, InputSet set, std::uint64_t seed) {
    Operator maker;
    maker.outputs = definition.inputs;
    maker.attributes = {{"set", static_cast<double>(set), AttributeType::integer},
                        {"seed", static_cast<double>(seed), AttributeType::integer}};
    return make_call(maker, {}, {});
}

}  // namespace

Outcome DefinitionProcess::start() {
    if (executor_ && executor_->alive()) return {};
    Result<std::shared_ptr<Executor>> started = backend_.start_executor(device_, use_for_judge(judge_), stop_);
    if (!started) return {stop_.stop_requested() ? Status::cancelled : Status::unavailable, started.error().message};
    executor_ = std::move(*started);
    executor_->set_limit(timeout_seconds_, stop_);
    has_inputs_ = false;
    judges_.reset();
    return {};
}

Outcome DefinitionProcess::make(InputSet set, std::uint64_t seed, Contents& contents) {
    if (Outcome started = start(); !started.ok()) return started;
    const Result<Call> call = call_for_inputs(definition_, set, seed);
    if (!call) return {Status::over_limit, call.error().message};
    const Layout layout = lay_out(*call);
    if (Result<void> grown = executor_->arena().grow(layout.total); !grown)
        return {Status::over_limit, grown.error().message};
    if (!has_inputs_) {
        if (Outcome loaded = executor_->load(inputs_slot, artifact_of_definition(inputs_), *call); !loaded.ok())
            return loaded;
        has_inputs_ = true;
    }
    if (Outcome made = executor_->run(inputs_slot, *call, layout); !made.ok()) return made;
    for (const Region& region : layout.outputs) {
        const std::byte* const data = executor_->arena().data() + region.offset;
        contents.emplace_back(data, data + region.bytes);
    }
    return {};
}

Outcome DefinitionProcess::contents(InputSet set, std::uint64_t seed, std::shared_ptr<const Contents>& found) {
    const auto known =
        std::ranges::find_if(kept_, [&](const Kept& each) { return each.set == set && each.seed == seed; });
    if (known != kept_.end()) {
        kept_.splice(kept_.begin(), kept_, known);
    } else {
        auto made = std::make_shared<Contents>();
        if (Outcome outcome = make(set, seed, *made); !outcome.ok()) return outcome;
        kept_.push_front({set, seed, std::move(made)});
        if (kept_.size() > most_kept) kept_.pop_back();
    }
    found = kept_.front().contents;
    return {};
}

Outcome DefinitionProcess::prepare_arena(std::size_t bytes) {
    if (!judges_ || !executor_->alive()) return {Status::unavailable, "the process of the definition has ended"};
    if (Result<void> grown = executor_->arena().grow(bytes); !grown) return {Status::over_limit, grown.error().message};
    return {};
}

Outcome DefinitionProcess::prepare_judge(const Call& call, std::size_t bytes, const Judging& judging) {
    if (Outcome started = start(); !started.ok()) return started;
    if (judges_ != judging) {
        judges_.reset();
        Artifact artifact = artifact_of_definition(judge_);
        artifact.python.judges = judging;
        if (Outcome loaded = executor_->load(judge_slot, artifact, call); !loaded.ok()) return loaded;
        judges_ = judging;
    }
    return prepare_arena(bytes);
}

}  // namespace kernelgen
