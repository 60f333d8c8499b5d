// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/tensor/random.h"

namespace kernelgen {

/// The process that executes a `callable` operator's definition and nothing else: it makes inputs and runs the
/// reference. The last inputs are kept here, so that nobody else can have changed them.
class DefinitionProcess {
public:
    /// The bytes of each input.
    using Contents = std::vector<std::vector<std::byte>>;

    /// `inputs` and `judge`: the definition in these roles. All arguments must outlive it.
    DefinitionProcess(Backend& backend, const Operator& definition, const Implementation& inputs,
                      const Implementation& judge, std::string device, double timeout_seconds, std::stop_token stop)
        : backend_(backend),
          definition_(definition),
          inputs_(inputs),
          judge_(judge),
          device_(std::move(device)),
          timeout_seconds_(timeout_seconds),
          stop_(std::move(stop)) {}

    /// The inputs of a set and seed.
    Outcome contents(InputSet set, std::uint64_t seed, std::shared_ptr<const Contents>& found);
    /// Gives the arena `bytes`; `unavailable` where the process has ended since `prepare_judge`.
    Outcome prepare_arena(std::size_t bytes);
    /// Starts the process, gives its arena `bytes` and loads the reference.
    Outcome prepare_judge(const Call& call, std::size_t bytes, const Judging& judging);
    /// Calls the reference on the arena's inputs.
    Outcome judge(const Call& call, const Layout& layout) { return executor_->run(judge_slot, call, layout); }
    std::byte* arena() { return executor_->arena().data(); }

private:
    static constexpr int inputs_slot = 0, judge_slot = 1;

    struct Kept {
        InputSet set;
        std::uint64_t seed;
        std::shared_ptr<const Contents> contents;
    };
    Outcome start();
    Outcome make(InputSet set, std::uint64_t seed, Contents& contents);

    Backend& backend_;
    const Operator& definition_;
    const Implementation& inputs_;
    const Implementation& judge_;
    std::string device_;
    double timeout_seconds_;
    std::stop_token stop_;
    std::shared_ptr<Executor> executor_;
    bool has_inputs_ = false;
    std::optional<Judging> judges_;  ///< as it is loaded
    std::list<Kept> kept_;           ///< the last ones first
};

}  // namespace kernelgen
