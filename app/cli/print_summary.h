// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/round/summary.h"

namespace kernelgen::cli {

/// A row for each project, then the counts; `markdown`: the table in Markdown.
void print_summary(const FolderSummary& summary, bool markdown);

/// The JSON document of `summary --json`.
nlohmann::ordered_json summary_document(const FolderSummary& summary);

}  // namespace kernelgen::cli
