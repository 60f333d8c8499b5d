// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/generate/generate.h"
#include "tests/core_generate/compiled.h"
#include "tests/core_generate/sparse_arguments.h"

namespace kernelgen::tests {

/// A generated CUDA kernel for one dtype at one configuration, its threads run on the CPU (cuda_emulation/processor.h).
struct EmulatedDevice {
    bool is_hopper = true;  ///< has clusters and wgmma
    std::int64_t multiprocessors = 132;
};

class EmulatedKernel {
public:
    /// `changes` hold on every case, in place of the variant's rules.
    EmulatedKernel(const Operator& definition, const GeneratedVariant& generated, DType dtype,
                   const Configuration& changes, const EmulatedDevice& device = {});

    /// Runs every launch's whole grid. As CompiledKernel::run; an access at an address of the wrong alignment aborts.
    std::vector<std::vector<double>> run(const Sizes& sizes, const std::vector<std::vector<double>>& inputs) const;

    /// Runs the last block of the grid alone, or the last cluster.
    void run_last(SparseArguments& arguments) const;

private:
    void launch(Arguments& arguments, const Sizes& sizes, bool last) const;

    Operator definition_;
    Variant variant_;
    DType dtype_;
    EmulatedDevice device_;
    Configuration configuration_;
    std::unique_ptr<Compiled> compiled_;
};

}  // namespace kernelgen::tests
