// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "core/tune/recording.h"
#include "core/tune/searcher.h"
#include "core/tune/tuning.h"

namespace kernelgen {

/// Start of a search: the seed and the incumbent of `head`; the best configurations of the variant's earlier rounds, of
/// the recordings in `history` and of the project's earlier tunings of the variant; and all trials of these recordings
/// and tunings, most similar case first (by the sizes of symbols, dtype and device). With `oldest_learnt` no rounds are
/// read, and only tunings from this number on.
SearchOptions start_of_search(const std::filesystem::path& project_folder, const TuningHead& head,
                              const TuningSpace& space, const std::vector<Recording>& history = {},
                              std::optional<int> oldest_learnt = {});

}  // namespace kernelgen
