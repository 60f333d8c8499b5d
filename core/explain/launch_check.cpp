// SPDX-License-Identifier: Apache-2.0
#include "core/explain/launch_check.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>

#include "core/backend/kernel_interface.h"
#include "core/base/cause_sentences.h"
#include "core/base/mend_sentences.h"
#include "core/explain/finders.h"
#include "core/explain/launch_stages.h"
#include "core/project/by_case.h"
#include "core/verify/check.h"

namespace kernelgen {
namespace {

constexpr double stage_confidence = 0.75;  ///< the buffer may be meant to hold something else

CaseAccuracy judge_stage(const LaunchStage& stage, const ExplainRequest& request, Backend& backend,
                         const Progress& progress, std::stop_token stop) {
    const VerifyRequest& asked = request.verification;
    const std::optional<Implementation> no_reference;
    std::unique_ptr<Yardstick> yardstick;
    CaseAccuracy none;
    const Outcome made =
        make_yardstick({stage.definition, asked.accuracy, no_reference, asked.device, asked.timeout_seconds}, backend,
                       progress, stop, yardstick);
    none.status = made.status;
    none.reason = made.reason;
    if (!made.ok()) return none;
    KernelRunner runner(backend, stage.definition, stage.candidate, asked.device, asked.timeout_seconds, progress,
                        stop);
    Checker checker(stage.definition, stage.candidate, runner, *yardstick, "");
    return checker.run({request.binding, request.set, request.seed, false, false}, stop);
}

bool is_wrong(Status status) { return status == Status::mismatch || status == Status::unwritten; }

/// Lets others have the device between two stages.
bool may_go_on(const ExplainRequest& request) {
    return !request.verification.give_way || request.verification.give_way().ok();
}

const std::string& function_of(const Implementation& candidate, const LaunchStage& stage) {
    return entry_of(candidate.variant, candidate.variant.launches[stage.launch]);
}

Cause cause_of(const LaunchStage& stage, const Implementation& candidate, const CaseAccuracy& found) {
    return {.kind = CauseKind::wrong_workspace,
            .confidence = stage_confidence,
            .text = say(sentences::cause_wrong_workspace, stage.launch + 1, function_of(candidate, stage),
                        stage.workspace, stage.workspace),
            .evidence = {found.reason},
            .advice = say(sentences::mend_wrong_workspace, stage.workspace),
            .places = places_of(candidate, CauseKind::wrong_workspace, stage.workspace)};
}

}  // namespace

void check_launches(const ExplainRequest& request, Backend& backend, const Progress& progress, std::stop_token stop,
                    Explanation& explanation) {
    if (!is_wrong(explanation.status)) return;
    const Implementation candidate = for_case(request.verification.candidate, request.binding);
    const std::vector<LaunchStage> stages =
        launch_stages(request.verification.definition, candidate, request.binding.dtype);
    const LaunchStage* last_right = nullptr;
    std::optional<Cause> wrong;  // of the buffer that is looked at
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const LaunchStage& stage = stages[i];
        const bool is_first = i == 0 || stages[i - 1].workspace != stage.workspace;
        if (is_first && wrong) break;
        if (!is_first && !wrong) continue;  // it was right, or could not be judged
        if (stop.stop_requested() || !may_go_on(request)) return;
        const CaseAccuracy found = judge_stage(stage, request, backend, progress, stop);
        if (is_wrong(found.status) && is_first) wrong = cause_of(stage, candidate, found);
        if (!is_wrong(found.status)) wrong.reset();
        if (found.status == Status::ok && size_of(stage.definition.outputs[0].dtype.value()) >= 4) last_right = &stage;
    }
    if (wrong) {
        explanation.causes.push_back(std::move(*wrong));
        std::ranges::stable_sort(explanation.causes, std::greater(), &Cause::confidence);
    } else if (last_right != nullptr) {
        explanation.remarks.push_back(say(sentences::workspace_is_right, last_right->workspace, last_right->launch + 1,
                                          function_of(candidate, *last_right)));
    }
}

}  // namespace kernelgen
