// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/lang/operator.h"

namespace kernelgen::tests {

/// Memory whose last byte is followed by an unreadable page.
class EndGuarded {
public:
    explicit EndGuarded(std::size_t bytes);
    EndGuarded(const EndGuarded&) = delete;
    EndGuarded& operator=(const EndGuarded&) = delete;
    ~EndGuarded();
    void* data() const { return data_; }

private:
    char* memory_ = nullptr;
    char* data_ = nullptr;
    std::size_t size_ = 0;
};

/// What a kernel is called with.
struct Arguments {
    std::vector<void*> pointers;  ///< inputs, then outputs
    std::vector<std::int64_t> symbols;
    std::vector<double> attributes;
};

/// Inputs are rounded to their dtype, outputs poisoned.
class GuardedArguments : public Arguments {
public:
    GuardedArguments(const Operator& definition, DType dtype, const Sizes& sizes,
                     const std::vector<std::vector<double>>& inputs);

    std::vector<std::vector<double>> outputs() const;

private:
    const Operator& definition_;
    DType dtype_;
    const Sizes& sizes_;
    std::vector<std::unique_ptr<EndGuarded>> buffers_;
};

/// "kg_bf16": a dtype's storage type in kernels.
std::string storage_type(DType dtype);

/// The arguments of a call of the definition's kernel, out of arrays called pointers, symbols and attributes.
std::string call_arguments(const Operator& definition);

}  // namespace kernelgen::tests
