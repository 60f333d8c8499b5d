// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>

#include "core/tuning/rule_proposal.h"

namespace kernelgen::cli {

/// Each rule with what it costs and gains on its cases.
void print_rules(std::ostream& out, const RuleProposal& proposal);
nlohmann::ordered_json rules_document(const RuleProposal& proposal);

}  // namespace kernelgen::cli
