// SPDX-License-Identifier: Apache-2.0
#include "core/engine/hamper.h"

#include <format>

#include "core/engine/requests.h"
#include "core/whatif/predict.h"

namespace kernelgen {

namespace {

VerifyResult verify_on_own_cases(const RunPlan& plan, const Implementation& implementation, WorkerClient& worker,
                                 const Progress& progress, std::stop_token stop) {
    VerifyRequest request = verify_request(plan, implementation);
    request.own_cases_only = true;
    return worker.verify(request, progress, std::move(stop));
}

HamperResult refused(Status status, Said reason) {
    HamperResult result;
    result.status = status;
    result.reason = std::move(reason);
    return result;
}

}  // namespace

namespace {

/// Of a GPU: either a neighbour takes bandwidth, or fewer blocks of the kernel fit.
std::optional<Error> gpu_problem(const std::string& device, const Variant& variant, const Factors& factors) {
    if (factors.contains(Resource::bandwidth)) {
        if (factors.size() == 1) return std::nullopt;
        return Error{say("the bandwidth of `{}` is taken alone: measure --bandwidth and the other factors in two calls",
                         device)};
    }
    if (variant.language != Language::cuda || variant.launches.size() != 1)
        return Error{
            say("blocks of `{}` cannot be held back on `{}`: those of CUDA variants of one launch can, by more shared "
                "memory for each",
                variant.name, device)};
    return std::nullopt;
}

}  // namespace

std::optional<Error> hampering_problem(const RunPlan& plan, const Factors& factors) {
    const std::string& device = plan.options.device;
    const Variant& variant = plan.candidate.variant;
    if (has_file(plan.project.definition.family))
        return Error{
            "a definition in a Python file has an executor for each side, which cannot be hampered: --measure "
            "is for definitions in the operator language and for family `custom`"};
    if (!runs_on_host(device)) return gpu_problem(device, variant, factors);
    if (factor_of(factors, Resource::threads) < 1 && variant.language != Language::cpp)
        return Error{
            std::format("the threads of `{}` cannot be capped: those of C++ variants can, for their launches "
                        "name them; a library and a Python process take their own",
                        variant.name)};
    return std::nullopt;
}

Implementation with_threads(Implementation implementation, int threads) {
    for (Launch& launch : implementation.variant.launches) {
        launch.threads =
            launch.threads.empty() ? std::to_string(threads) : std::format("min({}, {})", launch.threads, threads);
    }
    return implementation;
}

Implementation with_more_shared(Implementation implementation, std::int64_t bytes) {
    for (Launch& launch : implementation.variant.launches) {
        launch.shared_bytes =
            launch.shared_bytes.empty() ? std::to_string(bytes) : std::format("({}) + {}", launch.shared_bytes, bytes);
    }
    return implementation;
}

namespace {

/// Verifies the kernels on the hampered device and the plan's own on the whole one, then times them.
HamperResult verify_and_time(const RunPlan& plan, std::vector<Implementation> hampered, HamperRequest request,
                             const Case& binding, WorkerClient& worker, const Progress& progress,
                             std::stop_token stop) {
    for (const Implementation& each : hampered) {
        const VerifyResult verified = verify_on_own_cases(plan, each, worker, progress, stop);
        if (verified.status != Status::ok) return refused(verified.status, verified.reason);
    }
    const VerifyResult whole = verify_on_own_cases(plan, plan.candidate, worker, progress, stop);
    if (whole.status != Status::ok) return refused(whole.status, whole.reason);
    request.sides = bench_request(plan, std::move(hampered), plan.candidate, binding);
    return worker.hampered(request, progress, std::move(stop));
}

}  // namespace

HamperResult time_held_back(const RunPlan& plan, std::int64_t more_shared_bytes, const Case& binding,
                            WorkerClient& worker, const Progress& progress, std::stop_token stop) {
    return verify_and_time(plan, {with_more_shared(plan.candidate, more_shared_bytes)}, {}, binding, worker, progress,
                           std::move(stop));
}

HamperResult time_hampered(const RunPlan& plan, const Factors& factors, const Case& binding,
                           const std::vector<Implementation>& others, int threads, WorkerClient& worker,
                           const Progress& progress, std::stop_token stop) {
    HamperRequest request;
    request.bandwidth = factor_of(factors, Resource::bandwidth);
    std::vector<Implementation> hampered = {plan.candidate};
    hampered.insert(hampered.end(), others.begin(), others.end());
    if (factors.contains(Resource::threads)) {
        request.threads = threads_with(factors, threads);
        for (Implementation& each : hampered) each = with_threads(std::move(each), request.threads);
    }
    return verify_and_time(plan, std::move(hampered), std::move(request), binding, worker, progress, std::move(stop));
}

}  // namespace kernelgen
