// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/charts/speedup_data.h"

#include <map>

namespace kernelgen::studio {

SpeedupData speedupData(const History& history) {
    SpeedupData data;
    if (history.rounds.empty()) return data;
    data.first_round = history.rounds.front().number;
    data.last_round = history.rounds.back().number;
    std::map<std::pair<int, int>, SpeedupLine> lines;
    for (const Round& round : history.rounds) {
        if (round.status != Status::ok) data.failed.push_back(&round);
        if (data.targets.empty() || data.targets.back().speedup != round.target_speedup) {
            data.targets.push_back({round.number, round.target_speedup});
        }
        for (const Timing& timing : timingsOf(round, data.catalogue)) {
            if (!(timing.timing->speedup > 0)) continue;
            SpeedupLine& line = lines[{timing.binding, timing.group}];
            line.binding = timing.binding;
            line.group = timing.group;
            line.points.push_back(timing);
        }
    }
    for (auto& [key, line] : lines) data.lines.push_back(std::move(line));
    return data;
}

}  // namespace kernelgen::studio
