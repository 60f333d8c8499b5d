// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "core/verify/buffers.h"
#include "core/verify/judge.h"
#include "core/verify/kernel_runner.h"
#include "core/verify/stored_values.h"
#include "core/verify/yardstick.h"

namespace kernelgen {

/// What the reference made of a check's inputs: in its arena, and copied where another run follows there.
struct Results {
    Case binding;  ///< with the dtype that it ran in
    std::vector<const std::byte*> outputs;
    std::vector<std::vector<std::byte>> copies;
};

Elements elements_of(const Results& results, const Operator& definition, std::size_t output);
StoredValues values_of(const Results& results, const Operator& definition, std::size_t output);
std::size_t elements_in(const Check& check, const Tensor& tensor);

/// Runs a variant that judges on the inputs of checks.
class ReferenceRunner {
public:
    /// `definition` and `reference` must outlive it.
    ReferenceRunner(const Operator& definition, const Implementation& reference, KernelRunner runner)
        : definition_(definition), reference_(reference), runner_(std::move(runner)) {}

    /// The results lie in the arena until the next run. In another dtype than the case's, tensors have that dtype and
    /// the case's values. Of `judging`, whether it is in float64 is not read.
    Outcome run_in(DType dtype, const Check& check, Results& results, const InputEdit& edit = {}, Judging judging = {});
    /// In float64, and copied.
    Outcome run_wide(const Check& check, Results& results, const InputEdit& edit = {});
    /// Copies what lies in the arena.
    void keep(Results& results) const;

private:
    bool rounds_to_integers(const Case& binding) const;

    const Operator& definition_;
    const Implementation& reference_;
    KernelRunner runner_;
};

}  // namespace kernelgen
