// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/generate/generate.h"
#include "tests/core_generate/sparse_arguments.h"

namespace kernelgen::tests {

/// A shared object that g++ made of a text, with the flags that kernels are built with and `-march=machine`.
class Compiled {
public:
    Compiled(const std::string& text, const std::string& machine = "native");
    Compiled(const Compiled&) = delete;
    Compiled& operator=(const Compiled&) = delete;
    ~Compiled();

    template <class F>
    F* function(const std::string& name) const {
        return reinterpret_cast<F*>(symbol(name));
    }

private:
    void* symbol(const std::string& name) const;
    void* library_ = nullptr;
};

/// The function of a launch.
const std::string& entry_of(const Variant& variant, std::size_t launch);

enum class KernelKind { host, host_on_any_machine, naive };

/// A generated kernel for several dtypes at one configuration.
class CompiledKernel {
public:
    CompiledKernel(const Operator& definition, const GeneratedVariant& generated, const std::vector<DType>& dtypes,
                   const Configuration& configuration, const std::string& machine = "native");

    /// Runs every program of every launch's grid. `inputs` are rounded to the dtype first. Outputs are poisoned before,
    /// and every buffer ends at an unreadable page.
    std::vector<std::vector<double>> run(DType dtype, const Sizes& sizes,
                                         const std::vector<std::vector<double>>& inputs) const;

    /// Runs the last program of the grid alone.
    void run_last(SparseArguments& arguments) const;

private:
    void launch(Arguments& arguments, DType dtype, const Sizes& sizes, bool last) const;

    Operator definition_;
    Variant variant_;
    Configuration configuration_;
    Compiled compiled_;
};

}  // namespace kernelgen::tests
