// SPDX-License-Identifier: Apache-2.0
#include "app/cli/print_rounds.h"

#include <algorithm>
#include <cctype>
#include <format>
#include <nlohmann/json.hpp>

#include "app/cli/print.h"
#include "core/round/best.h"
#include "core/round/noise.h"

namespace kernelgen::cli {

namespace {

std::string one_line(std::string text) {
    std::ranges::replace_if(text, [](unsigned char c) { return std::iscntrl(c) != 0; }, ' ');
    return text;
}

/// The note of the person, or the strategy that made the round.
std::string why_made(const Round& round) {
    if (!round.note.empty() || !round.applied) return round.note;
    return round.applied->strategy + ": " + round.applied->change;
}

std::vector<std::string> round_row(const Round& round) {
    const RoundCase* shown = deciding_case(round);
    std::string speedup = "-", bandwidth = "-", fraction = "-";
    if (shown != nullptr) {
        speedup = std::format("{:.3f} [{:.3f}, {:.3f}]", shown->speedup, shown->speedup_lower, shown->speedup_upper);
        const double gbps = shown->roofline.bandwidth_gbps;  // 0 where no one counts the bytes
        if (gbps > 0) bandwidth = value_text(metrics::bandwidth_gbps, gbps);
        if (shown->roofline.has_ceilings) fraction = value_text(metrics::fraction, shown->roofline.fraction);
    }
    return {std::to_string(round.number),
            round.parent ? std::to_string(*round.parent) : "-",
            round.device,
            round.variant,
            round.baseline.empty() ? "-" : round.baseline,
            configuration_text(round.configuration),
            std::string(to_string(round.change)),
            std::string(to_string(round.status)) + (is_noisy(round) ? ", noisy" : ""),
            speedup,
            bandwidth,
            fraction,
            round.environment.substr(0, 6),
            one_line(why_made(round))};
}

}  // namespace

void print_rounds(std::ostream& out, std::span<const Round> rounds) {
    Table table{{"round", "parent", "device", "variant", "baseline", "configuration", "change", "status",
                 name_of(metrics::speedup) + " (worst case)", name_of(metrics::bandwidth_gbps),
                 name_of(metrics::fraction), "env", "note"},
                {}};
    for (const Round& round : rounds) table.rows.push_back(round_row(round));
    print_table(out, table);
}

nlohmann::ordered_json rounds_document(const History& history, const Project& project) {
    nlohmann::ordered_json rounds = nlohmann::ordered_json::array();
    for (const Round& round : history.rounds) {
        rounds.push_back(nlohmann::ordered_json(to_json(round)));
        rounds.back()["noisy"] = is_noisy(round);
    }
    return {
        {"rounds", rounds}, {"rounds_spent", history.rounds.size()}, {"max_rounds", project.performance.max_rounds}};
}

}  // namespace kernelgen::cli
