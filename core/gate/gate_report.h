// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "core/gate/check.h"

namespace kernelgen {

/// One case in a line: "0.968x [0.962, 0.975], threshold 1.5 % (default), 2 timings".
std::string checked_text(const GatedCase& checked);

/// The p99 error now and before, and so everything else in which the case is less accurate.
std::string accuracy_text(const GatedCase& checked);

/// "slower", "slower and less accurate", "less accurate", …
std::string verdict_text(const GatedCase& checked);

/// A Markdown report: a table of the cases for each check, with its reason and hint.
std::string gate_markdown(std::span<const GateCheck> checks);

/// JUnit XML: a test suite for each check, a test case for each case. Slower and less accurate cases are failures;
/// ambiguous ones are skipped, or failures where `strict`; a variant that is wrong or does not run is an error.
std::string gate_junit(std::span<const GateCheck> checks, bool strict);

/// Workflow commands of GitHub Actions, which show a message at the variant's source: a line for each check and case
/// that is not as before. `folder` is that of the check's project.
std::string gate_annotations(const GateCheck& check, const std::string& folder, bool strict);

/// The last checks of a variant: a line for each case with a bar of the ratios in time, and the last verdicts.
std::string trend_text(std::span<const GateCheck> checks);

}  // namespace kernelgen
