// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/report/markdown.h"
#include "core/report/phrases.h"
#include "core/round/record.h"

namespace kernelgen {

/// What builds take, side by side: a row for each metric that one of them tells, and a last row for what limits the
/// occupancy. A row has a title and a cell for each build.
std::vector<std::vector<std::string>> build_rows(std::span<const BuildSummary> builds, const Phrases& say);

/// The builds of a round that tell what they take: the candidate's, then the baseline's. No rows where none does.
MarkdownTable build_table(const RoundDetail& detail, const Phrases& say);

/// A BuildSummary's `occupancy_limiter` in the document's language: "registers and shared memory"; "" for nothing
/// known.
std::string limiter_phrase(std::string_view limiter, const Phrases& say);

}  // namespace kernelgen
