// SPDX-License-Identifier: Apache-2.0
#include "core/backend/kernel_interface.h"

#include <algorithm>
#include <format>

#include "core/project/attribute_value.h"

namespace kernelgen {
namespace {

/// The element type of a pointer argument.
DType element_type(const BuildRequest& request, const Argument& argument) {
    const auto index = static_cast<std::size_t>(argument.index);
    if (argument.kind == Argument::Kind::workspace) return request.implementation.variant.workspace[index].dtype;
    const auto& tensors =
        argument.kind == Argument::Kind::input ? request.definition.inputs : request.definition.outputs;
    return tensors[index].dtype.value_or(request.dtype);
}

bool has_builtin_type(DType dtype) {
    return dtype == DType::f32 || dtype == DType::f64 || dtype == DType::i32 || dtype == DType::i8;
}

}  // namespace

std::string_view cpp_type(DType dtype) {
    switch (dtype) {
        case DType::f64: return "double";
        case DType::f32: return "float";
        case DType::f16: return "kg_f16";
        case DType::bf16: return "kg_bf16";
        case DType::f8e4m3: return "kg_f8e4m3";
        case DType::f8e5m2: return "kg_f8e5m2";
        case DType::i32: return "int32_t";
        case DType::i8: break;
    }
    return "int8_t";
}

std::string parameter_type(const BuildRequest& request, const Argument& argument) {
    if (argument.kind == Argument::Kind::attribute)
        return std::string(cpp_type(request.definition.attributes[static_cast<std::size_t>(argument.index)].type));
    if (argument.kind == Argument::Kind::symbol) return "int64_t";
    if (argument.kind == Argument::Kind::tensor_map) return "const __grid_constant__ CUtensorMap";
    const std::string type = std::string(cpp_type(element_type(request, argument))) + "*";
    return argument.kind == Argument::Kind::input ? "const " + type : type;
}

std::string parameter_list(const BuildRequest& request, const std::vector<Argument>& arguments) {
    std::string list;
    for (const Argument& argument : arguments) {
        list += (list.empty() ? "" : ", ") + parameter_type(request, argument) + " " + argument.name;
    }
    return list;
}

bool needs_kernel_header(const BuildRequest& request, const std::vector<Argument>& arguments) {
    return std::ranges::any_of(arguments, [&](const Argument& argument) {
        return argument.is_pointer() && !has_builtin_type(element_type(request, argument));
    });
}

const std::string& entry_of(const Variant& variant, const Launch& launch) {
    return launch.entry.empty() ? variant.entry : launch.entry;
}

std::vector<std::string> entries_of(const Variant& variant) {
    std::vector<std::string> entries;
    for (const Launch& launch : variant.launches) {
        const std::string& entry = entry_of(variant, launch);
        if (std::ranges::find(entries, entry) == entries.end()) entries.push_back(entry);
    }
    return entries;
}

std::vector<std::string> kernel_macros(const BuildRequest& request) {
    std::vector<std::string> macros = {"-DDTYPE=" + std::string(cpp_type(request.dtype))};
    for (const auto& [name, value] : request.implementation.configuration) {
        macros.push_back(std::format("-D{}={}", name, value));
    }
    return macros;
}

}  // namespace kernelgen
