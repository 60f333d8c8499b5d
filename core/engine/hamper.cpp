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

std::optional<Error> hampering_problem(const RunPlan& plan, const Factors& factors) {
    const std::string& device = plan.options.device;
    const Variant& variant = plan.candidate.variant;
    if (!runs_on_host(device))
        return Error{
            std::format("`{}` cannot be hampered: --measure times on the CPU; for a GPU a kernel on another "
                        "stream of its executor is missing, which takes bandwidth, and launches that hold "
                        "blocks back; of a CUDA variant --registers alone builds it with fewer",
                        device)};
    if (has_file(plan.project.definition.family))
        return Error{
            "a definition in a Python file has an executor for each side, which cannot be hampered: --measure "
            "is for definitions in the operator language and for family `custom`"};
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
    for (const Implementation& each : hampered) {
        const VerifyResult verified = verify_on_own_cases(plan, each, worker, progress, stop);
        if (verified.status != Status::ok) return refused(verified.status, verified.reason);
    }
    const VerifyResult whole = verify_on_own_cases(plan, plan.candidate, worker, progress, stop);
    if (whole.status != Status::ok) return refused(whole.status, whole.reason);
    request.sides = bench_request(plan, std::move(hampered), plan.candidate, binding);
    return worker.hampered(request, progress, std::move(stop));
}

}  // namespace kernelgen
