// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "app/mcp/agent.h"
#include "core/mcp/service.h"

namespace kernelgen::agent {

/// Makes the function of a tool that only needs the open project: `work(project, arguments)`.
template <class Work>
auto on_project(const Agent& agent, Work work) {
    return [&agent, work](const auto& arguments, const mcp::Call&) -> Validated<mcp::Answer> {
        Validated<Project> project = agent.project();
        if (!project) return std::unexpected(project.error());
        return work(std::move(*project), arguments);
    };
}

/// The tools, by what they are for. `agent` must outlive them.
std::vector<mcp::Tool> project_tools(Agent& agent);   ///< open, info, devices
std::vector<mcp::Tool> source_tools(Agent& agent);    ///< read_source, edit_source, set_tunable
std::vector<mcp::Tool> run_tools(Agent& agent);       ///< verify, run
std::vector<mcp::Tool> tune_tools(Agent& agent);      ///< tune
std::vector<mcp::Tool> diagnose_tools(Agent& agent);  ///< diagnose, explain, apply
std::vector<mcp::Tool> round_tools(Agent& agent);     ///< rounds, round, keep, note, export

/// Everything that `kernelgen mcp` offers.
mcp::Service service_of(Agent& agent);

}  // namespace kernelgen::agent
