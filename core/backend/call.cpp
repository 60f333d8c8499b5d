// SPDX-License-Identifier: Apache-2.0
#include "core/backend/call.h"

#include "core/lang/free_symbols.h"
#include "core/project/by_case.h"

namespace kernelgen {

namespace {

Result<BoundTensor> bind(const Tensor& tensor, const Case& binding) {
    BoundTensor bound{
        tensor.name, dtype_of(tensor, binding), extents(tensor, binding.sizes), 0, tensor.domain, tensor.is_mutated,
        tensor.bits};
    const auto elements = element_count(tensor, binding.sizes);
    std::int64_t bytes = 0;
    if (!elements || __builtin_mul_overflow(*elements, static_cast<std::int64_t>(size_of(bound.dtype)), &bytes)) {
        return fail(say("`{}` has more than 2^63 bytes in case `{}`", tensor.name, binding.name));
    }
    if (*elements < 1) return fail(say("`{}` is empty in case `{}`", tensor.name, binding.name));
    bound.bytes = static_cast<std::size_t>(bytes);
    return bound;
}

Result<std::vector<BoundTensor>> bind_all(const std::vector<Tensor>& tensors, const Case& binding) {
    std::vector<BoundTensor> all;
    for (const Tensor& tensor : tensors) {
        Result<BoundTensor> bound = bind(tensor, binding);
        if (!bound) return std::unexpected(bound.error());
        all.push_back(std::move(*bound));
    }
    return all;
}

}  // namespace

Result<Call> make_call(const Operator& definition, const Implementation& implementation, const Case& binding) {
    Call call;
    Result<LaunchPlan> plan = plan_launches(definition, implementation, binding);
    if (!plan) return std::unexpected(plan.error());
    call.plan = std::move(*plan);
    call.configuration = for_case(implementation, binding).configuration;
    Result<std::vector<BoundTensor>> inputs = bind_all(definition.inputs, binding);
    if (!inputs) return std::unexpected(inputs.error());
    call.inputs = std::move(*inputs);
    Result<std::vector<BoundTensor>> outputs = bind_all(definition.outputs, binding);
    if (!outputs) return std::unexpected(outputs.error());
    call.outputs = std::move(*outputs);
    for (const Workspace& workspace : implementation.variant.workspace)
        call.workspace_dtypes.push_back(workspace.dtype);
    call.attributes = definition.attributes;
    for (const std::string& symbol : definition.symbols) call.symbols.push_back(binding.sizes.at(symbol));
    for (const std::string& symbol : free_symbols(definition)) call.free_symbols[symbol] = binding.sizes.at(symbol);
    return call;
}

Layout lay_out(const Call& call) {
    std::vector<std::size_t> inputs, outputs, workspace;
    for (const BoundTensor& tensor : call.inputs) inputs.push_back(tensor.bytes);
    for (const BoundTensor& tensor : call.outputs) outputs.push_back(tensor.bytes);
    for (std::size_t i = 0; i < call.workspace_dtypes.size(); ++i) {
        workspace.push_back(static_cast<std::size_t>(call.plan.workspace_elements[i]) *
                            size_of(call.workspace_dtypes[i]));
    }
    return lay_out(inputs, outputs, workspace);
}

}  // namespace kernelgen
