// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/engine/run.h"
#include "core/tuning/rule_proposal.h"

namespace kernelgen {

/// The project as the rules make it: the variant's tunables and `configurations`, and `dispatch` before the rules that
/// are there. Nothing is written. Errors: what is then invalid.
Validated<Project> with_rules(Project project, const RuleProposal& proposal);

/// Whether the project is already as the rules make it, so that there is nothing to adopt.
bool is_in_force(const Project& project, const RuleProposal& proposal);

/// The run whose verification decides whether the rules may be adopted: the variant with its present sources and the
/// proposed rules, on all cases of the project and of the tunings. Errors: those of `with_rules` and `plan_run`.
Validated<RunPlan> run_with_rules(const Project& project, const RuleProposal& proposal);

/// Whether files state what the rules change, which must be brought in step then.
bool is_stated_in_files(const Project& project, const RuleProposal& proposal);

/// Makes rules the project's, as `with_rules`, which were verified by the run of `run_with_rules`; generated Python
/// files follow. Saves the project. Errors: project.json or the variant's sources were edited meanwhile.
Result<void> adopt_rules(Project& project, const RuleProposal& proposal, const RunPlan& verified);

}  // namespace kernelgen
