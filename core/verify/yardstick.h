// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "core/lang/body.h"
#include "core/verify/buffers.h"
#include "core/verify/kernel_runner.h"

namespace kernelgen {

/// One set of inputs of one case.
struct Check {
    Case binding;
    InputSet set = InputSet::normal;
    std::uint64_t seed = 1;
    bool own_case = false;
    bool guarded = false;  ///< with runs more between unreadable pages, where the device has them
};

/// What outputs are held against: the definition's body, or another variant.
class Yardstick {
public:
    virtual ~Yardstick() = default;

    /// Judges the outputs in `arena`; a reference that cannot be had is `unavailable`.
    virtual CaseAccuracy judge(const Check& check, const Call& call, const Layout& layout, const std::byte* arena,
                               std::stop_token stop) = 0;
    /// As too_loose of judge.h, of the check that was judged last.
    virtual std::optional<std::string> too_loose(const Check& check) = 0;
    /// Writes `<output>.expected.npy` of the check that was judged last into `folder`.
    virtual void dump_expected(const Check& check, const std::string& folder) = 0;
};

std::unique_ptr<Yardstick> body_yardstick(const Operator& definition, const Body& body, const Accuracy& accuracy);

/// Family `custom`: outputs are compared with those of a variant that runs in an executor of its own, as float64 values
/// within the tolerance alone. All arguments must outlive it.
std::unique_ptr<Yardstick> variant_yardstick(const Operator& definition, const Implementation& reference,
                                             const Accuracy& accuracy, KernelRunner& runner);

}  // namespace kernelgen
