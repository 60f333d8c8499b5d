// SPDX-License-Identifier: Apache-2.0
#include "core/engine/explain_failure.h"

#include "core/engine/device_numbers.h"
#include "core/engine/requests.h"

namespace kernelgen {

std::optional<Explanation> explain_failure(const RunPlan& plan, const VerifyResult& result, WorkerClient& worker,
                                           const Progress& progress, std::stop_token stop) {
    const CaseAccuracy* check = failing_check(result);
    if (check == nullptr || stop.stop_requested()) return std::nullopt;
    const RunPlan numbered = with_device_numbers(plan, worker, stop);
    const ExplainRequest request{.verification = verify_request(numbered, numbered.candidate),
                                 .binding = check->binding,
                                 .set = check->set,
                                 .seed = check->seed};
    Result<Explanation> found = worker.explain(request, progress, stop);
    return found ? std::optional(std::move(*found)) : std::nullopt;
}

}  // namespace kernelgen
