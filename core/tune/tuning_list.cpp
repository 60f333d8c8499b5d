// SPDX-License-Identifier: Apache-2.0
#include "core/tune/tuning_list.h"

#include <algorithm>

#include "core/tune/tuning_file.h"

namespace kernelgen {

namespace {

ListedTuning listed(Tuning tuning) {
    const auto failed = std::ranges::count_if(tuning.tried, [](const Tried& each) { return !each.is_ok(); });
    ListedTuning result{.head = std::move(tuning.head),
                        .tried = tuning.tried.size(),
                        .failed = static_cast<std::size_t>(failed),
                        .outcome = std::move(tuning.outcome)};
    if (!result.outcome) return result;
    result.tried = static_cast<std::size_t>(result.outcome->tried);
    result.failed = static_cast<std::size_t>(result.outcome->failed);
    return result;
}

}  // namespace

TuningList list_tunings(const std::filesystem::path& project_folder) {
    TuningList list;
    list.unread = files_without_number(project_folder);
    std::vector<Tuning> tunings;
    for (const int number : tuning_numbers(project_folder)) {
        Result<Tuning> tuning = load_tuning_untried(project_folder, number);
        if (tuning && !tuning->outcome) tuning = load_tuning(project_folder, number);  // its lines are counted
        if (tuning) tunings.push_back(std::move(*tuning));
        else list.unread.push_back(tuning.error().message);
    }
    const bool can_last_go_on = !tunings.empty() && can_go_on(project_folder, tunings.back());
    for (Tuning& each : tunings) list.tunings.push_back(listed(std::move(each)));
    if (can_last_go_on) list.tunings.back().can_go_on = true;
    return list;
}

}  // namespace kernelgen
