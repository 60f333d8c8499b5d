// SPDX-License-Identifier: Apache-2.0
#include "core/bench/model.h"

#include "core/bench/timing_locks.h"
#include "core/verify/callable_case.h"

namespace kernelgen {

using nlohmann::json;

ModelAnswer ask_model(const ModelRequest& request, Backend& backend, const Progress& progress, std::stop_token stop) {
    std::vector<FileLock> locks;
    if (!request.part) {
        const TimingFailure locked =
            lock_for_timing(request.device, backend.traits().is_host, "model", progress, stop, locks);
        if (!locked.ok()) return {locked.status, locked.reason, {}};
    }
    progress("model", 0, 0);
    const json asked =
        request.part ? json{{"first", request.part->first}, {"last", request.part->last}} : json::object();
    TrialReport report;
    const Outcome outcome = ask_definition(request.definition, {"model", asked.dump()}, request.binding, backend,
                                           request.device, request.timeout_seconds, stop, report);
    if (!outcome.ok()) return {outcome.status, outcome.reason, {}};
    json told = json::parse(report.texts["answer"], nullptr, false);
    if (told.is_object()) return {Status::ok, "", std::move(told)};
    return {Status::crashed, "what the model's process answered is not readable", {}};
}

}  // namespace kernelgen
