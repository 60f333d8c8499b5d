// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/verify/buffers.h"
#include "core/verify/judge.h"
#include "core/verify/kernel_runner.h"
#include "core/verify/stored_values.h"
#include "core/verify/yardstick.h"

namespace kernelgen {

/// The outputs of a reference's run. They lie in its arena until its next run; `copies` has them after `keep`.
struct Results {
    Case binding;  ///< with the dtype that it ran in
    std::vector<const std::byte*> outputs;
    std::vector<std::vector<std::byte>> copies;
};

Elements elements_of(const Results& results, const Operator& definition, std::size_t output);
StoredValues values_of(const Results& results, const Operator& definition, std::size_t output);
std::size_t elements_in(const Check& check, const Tensor& tensor);

/// Runs a reference on the inputs of checks.
class ReferenceRunner {
public:
    /// `definition` must outlive it.
    explicit ReferenceRunner(const Operator& definition) : definition_(definition) {}
    virtual ~ReferenceRunner() = default;

    /// Runs it in `dtype`: where this is not the case's dtype, the inputs have the case's values, converted. `edit`
    /// changes inputs before the run. `judging.in_float64` is ignored: `dtype` decides.
    Outcome run_in(DType dtype, const Check& check, Results& results, const InputEdit& edit = {}, Judging judging = {});
    /// As `run_in` float64; the results are copied.
    Outcome run_wide(const Check& check, Results& results, const InputEdit& edit = {});
    /// Copies what lies in the arena, where it was not copied yet.
    void keep(Results& results) const;

protected:
    const Operator& definition() const { return definition_; }

private:
    /// Runs it with the dtypes of `results.binding`, and says in `results` where its outputs are.
    virtual Outcome run(const Check& check, Results& results, const InputEdit& edit, const Judging& judging) = 0;
    bool rounds_to_integers(const Case& binding) const;

    const Operator& definition_;
};

/// A variant that judges, on inputs that are made from their set and seed. All arguments must outlive it.
std::unique_ptr<ReferenceRunner> variant_runner(const Operator& definition, const Implementation& reference,
                                                KernelRunner runner);

}  // namespace kernelgen
