// SPDX-License-Identifier: Apache-2.0
#include "core/engine/requests.h"

#include "core/project/source_files.h"

namespace kernelgen {

namespace {

/// The reference by which outputs are judged where the operator has no body: a variant, or the Python file that defines
/// the operator.
std::optional<Implementation> reference_of(const RunPlan& plan) {
    const Operator& definition = plan.project.definition;
    const Variant of_file = definition_as_variant(definition);
    const Variant* judge = has_file(definition.family) ? &of_file : plan.project.find_variant(definition.reference);
    if (judge == nullptr) return std::nullopt;
    Result<Implementation> reference = read_implementation(plan.project, *judge);
    if (!reference) return std::nullopt;  // load_project has read this source already
    reference->device = plan.candidate.device;
    return std::move(*reference);
}

}  // namespace

VerifyRequest verify_request(const RunPlan& plan, const Implementation& implementation) {
    VerifyRequest request;
    request.definition = plan.project.definition;
    request.cases = plan.cases;
    request.accuracy = plan.project.accuracy;
    request.candidate = implementation;
    request.reference = reference_of(plan);
    request.device = plan.options.device;
    request.timeout_seconds = plan.options.timeout_seconds;
    request.dump_folder = plan.options.dump_folder;
    return request;
}

BenchRequest bench_request(const RunPlan& plan, std::vector<Implementation> candidates, Implementation baseline,
                           const Case& binding) {
    return {.definition = plan.project.definition,
            .binding = binding,
            .accuracy = plan.project.accuracy,
            .performance = plan.project.performance,
            .candidates = std::move(candidates),
            .baseline = std::move(baseline),
            .reference = reference_of(plan),
            .device = plan.options.device,
            .timeout_seconds = plan.options.timeout_seconds,
            .counters = plan.options.counters};
}

}  // namespace kernelgen
