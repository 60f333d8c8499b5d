// SPDX-License-Identifier: Apache-2.0
#include "tests/core_generate/guarded_arguments.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

namespace kernelgen::tests {

EndGuarded::EndGuarded(std::size_t bytes) {
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    size_ = (bytes + page - 1) / page * page + page;
    memory_ = static_cast<char*>(mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    mprotect(memory_ + size_ - page, page, PROT_NONE);
    data_ = memory_ + size_ - page - bytes;
}

EndGuarded::~EndGuarded() { munmap(memory_, size_); }

GuardedArguments::GuardedArguments(const Operator& definition, DType dtype, const Sizes& sizes,
                                   const std::vector<std::vector<double>>& inputs)
    : definition_(definition), dtype_(dtype), sizes_(sizes) {
    const auto allocate = [&](const Tensor& tensor) {
        const std::size_t bytes =
            static_cast<std::size_t>(element_count(tensor, sizes).value()) * size_of(tensor.dtype.value_or(dtype));
        buffers_.push_back(std::make_unique<EndGuarded>(bytes));
        pointers.push_back(buffers_.back()->data());
        std::memset(pointers.back(), 0x5a, bytes);
    };
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        allocate(definition.inputs[i]);
        encode(definition.inputs[i].dtype.value_or(dtype), inputs[i], pointers.back());
    }
    for (const Tensor& each : definition.outputs) allocate(each);
    for (const std::string& each : definition.symbols) symbols.push_back(sizes.at(each));
    for (const Attribute& each : definition.attributes) attributes.push_back(each.value);
}

std::vector<std::vector<double>> GuardedArguments::outputs() const {
    std::vector<std::vector<double>> outputs;
    for (std::size_t i = 0; i < definition_.outputs.size(); ++i) {
        const Tensor& output = definition_.outputs[i];
        outputs.emplace_back(static_cast<std::size_t>(element_count(output, sizes_).value()));
        decode(output.dtype.value_or(dtype_), pointers[definition_.inputs.size() + i], outputs.back());
    }
    return outputs;
}

std::string storage_type(DType dtype) {
    switch (dtype) {
        case DType::f64: return "double";
        case DType::f32: return "float";
        case DType::i32: return "int32_t";
        case DType::i8: return "int8_t";
        default: return "kg_" + std::string(to_string(dtype));
    }
}

std::string call_arguments(const Operator& definition) {
    std::string values;
    std::size_t pointer = 0;
    const auto add_pointer = [&](const Tensor& tensor) {
        const std::string type = tensor.dtype ? storage_type(*tensor.dtype) : "DTYPE";
        values += "static_cast<" + type + "*>(pointers[" + std::to_string(pointer++) + "]), ";
    };
    for (const Tensor& each : definition.inputs) add_pointer(each);
    for (const Tensor& each : definition.outputs) add_pointer(each);
    for (std::size_t i = 0; i < definition.symbols.size(); ++i) values += "symbols[" + std::to_string(i) + "], ";
    for (std::size_t i = 0; i < definition.attributes.size(); ++i) values += "attributes[" + std::to_string(i) + "], ";
    return values;
}

}  // namespace kernelgen::tests
