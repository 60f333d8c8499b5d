// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "app/mcp/agent.h"
#include "core/engine/run.h"
#include "core/mcp/parameters.h"
#include "core/mcp/service.h"

namespace kernelgen::agent {

/// What `verify`, `run` and `tune` take in common. `Arguments` is or derives from RunOptions.
template <class Arguments>
mcp::Parameters<Arguments> run_parameters() {
    return mcp::Parameters<Arguments>()
        .optional("variant", &RunOptions::variant, "The candidate; default: the first that is not the baseline")
        .optional("device", &RunOptions::device, "Where it runs: cpu (default), cuda:0, …")
        .optional("cases", &RunOptions::cases,
                  "Names of cases, or sizes such as \"P=1000,D=333,dtype=bf16\"; default: all of the project")
        .optional("set", &RunOptions::changes, "Values of tunables for this call alone, such as {\"BLOCK_M\": 16}")
        .optional("timeout_seconds", &RunOptions::timeout_seconds, "Limit of one call of a kernel; default: 30");
}

/// Tells the seconds since the call began: a stage's steps begin again with each stage.
Progress progress_of(const mcp::Call& call);

/// Says what judges and has changed since the project was opened: to the caller, and to the person on stderr.
void tell_changed_judges(Agent& agent, mcp::Answer& answer);

/// The plan, or why there is none.
Validated<RunPlan> plan_of(const Project& project, const RunOptions& options);

}  // namespace kernelgen::agent
