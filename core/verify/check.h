// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stop_token>
#include <string>

#include "core/verify/yardstick.h"

namespace kernelgen {

/// Runs one check. The kernel runs twice, on outputs with two different poisons, between guards; then the outputs are
/// judged. Where the check is `guarded` (and has at most 1 GiB), the kernel also runs once with the buffers' ends and
/// once with their starts at unreadable pages. Where several faults are found, the status is the first of them in the
/// order of core/base/status.h.
class Checker {
public:
    /// All arguments must outlive it. `dump_folder`: the folder for tensors of failing checks; empty: they are not
    /// written.
    Checker(const Operator& definition, const Implementation& candidate, KernelRunner& runner, Yardstick& yardstick,
            std::string dump_folder);

    CaseAccuracy run(const Check& check, std::stop_token stop);

private:
    Outcome fill(const Check& check);
    Outcome restore(const Check& check);
    Outcome run_poisoned(std::uint8_t poison);
    Layout first_run() const;
    Outcome run_twice(const Check& check, std::string& difference);
    Outcome compare_runs(std::string& difference);
    void run_guarded(const Check& check, CaseAccuracy& accuracy);
    void dump(const Check& check, CaseAccuracy& accuracy);

    const Operator& definition_;
    const Implementation& candidate_;
    KernelRunner& runner_;
    Yardstick& yardstick_;
    std::string dump_folder_;
    Call call_;
    Layout layout_;
};

}  // namespace kernelgen
