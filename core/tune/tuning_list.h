// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "core/tune/tuning.h"

namespace kernelgen {

/// One of a project's tunings in short.
struct ListedTuning {
    TuningHead head;
    std::size_t tried = 0, failed = 0;
    std::optional<TuningOutcome> outcome;  ///< nothing where it was stopped
    bool can_go_on = false;                ///< its command, with `kernelgen tune PROJECT --resume`
};

struct TuningList {
    std::vector<ListedTuning> tunings;  ///< ascending by number
    std::vector<Said> unread;           ///< why others cannot be read
};

/// Of a tuning that was decided only the first and the last lines are read, so that long files take little time.
TuningList list_tunings(const std::filesystem::path& project_folder);

}  // namespace kernelgen
