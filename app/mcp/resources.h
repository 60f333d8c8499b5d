// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "app/mcp/agent.h"
#include "core/mcp/service.h"

namespace kernelgen::agent {

/// What clients may read of the open project: project.json, its sources, the log as it would be exported, the rounds.
Result<std::vector<mcp::Resource>> list_resources(const Agent& agent);
std::vector<mcp::ResourceTemplate> resource_templates();
Result<mcp::ResourceText> read_resource(const Agent& agent, const std::string& uri);

}  // namespace kernelgen::agent
