// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>

#include "core/explain/replay.h"
#include "core/verify/yardstick.h"

namespace kernelgen {

/// Runs a check again and keeps every element: twice on outputs with each of the two poisons, so that it shows what
/// depends on chance, and what on the memory's old contents.
class Replayer {
public:
    /// All arguments must outlive it.
    Replayer(const Operator& definition, const Implementation& candidate, KernelRunner& runner, Yardstick& yardstick)
        : definition_(definition), candidate_(candidate), runner_(runner), yardstick_(yardstick) {}

    /// The replay has no elements where a run did not end `ok`, or where the check has more than `most_elements`.
    Replay run(const Check& check, std::stop_token stop);

    static constexpr std::int64_t most_elements = 1 << 25;

private:
    using Bytes = std::vector<std::vector<std::byte>>;  ///< of each output
    Outcome run_once(const Check& check, std::uint8_t poison, Bytes& outputs);
    void take_inputs(Replay& replay) const;
    void take_computed(Replay& replay) const;
    bool is_small_enough() const;

    const Operator& definition_;
    const Implementation& candidate_;
    KernelRunner& runner_;
    Yardstick& yardstick_;
    Call call_;
    Layout layout_;
};

}  // namespace kernelgen
