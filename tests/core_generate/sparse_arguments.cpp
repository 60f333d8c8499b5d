// SPDX-License-Identifier: Apache-2.0
#include "tests/core_generate/sparse_arguments.h"

#include <sys/mman.h>

#include <new>

namespace kernelgen::tests {

SparseArguments::SparseArguments(const Operator& definition, DType dtype, const Sizes& sizes)
    : definition_(definition), dtype_(dtype), sizes_(sizes) {
    const auto allocate = [&](const Tensor& tensor) {
        counts_.push_back(static_cast<std::size_t>(element_count(tensor, sizes).value()));
        void* memory = mmap(nullptr, counts_.back() * size_of(dtype), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        pointers.push_back(memory);
    };
    for (const Tensor& each : definition.inputs) allocate(each);
    for (const Tensor& each : definition.outputs) allocate(each);
    for (const std::string& each : definition.symbols) symbols.push_back(sizes.at(each));
    for (const Attribute& each : definition.attributes) attributes.push_back(each.value);
}

SparseArguments::~SparseArguments() {
    for (std::size_t i = 0; i < pointers.size(); ++i) munmap(pointers[i], counts_[i] * size_of(dtype_));
}

char* SparseArguments::end(std::size_t buffer, std::size_t values) const {
    return static_cast<char*>(pointers[buffer]) + (counts_[buffer] - values) * size_of(dtype_);
}

void SparseArguments::set_end(std::size_t input, const std::vector<double>& values) {
    encode(dtype_, values, end(input, values.size()));
}

std::vector<double> SparseArguments::end_of(std::size_t output, std::size_t count) const {
    std::vector<double> values(count);
    decode(dtype_, end(definition_.inputs.size() + output, count), values);
    return values;
}

}  // namespace kernelgen::tests
