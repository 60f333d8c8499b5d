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

/// The note of the person, or the strategy that made the round.
std::string why_made(const Round& round, const Phrases& say) {
    if (!round.note.empty() || !round.applied) return say.of_engine(round.note);
    return round.applied->strategy + ": " + round.applied->change;
}

/// The heading of a metric's column.
std::string heading(const Metric& metric, const Phrases& say) { return say.choose(name_of(metric), say(metric)); }

std::vector<std::string> round_row(const Round& round, const Phrases& say) {
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
            say.choose(std::string(to_string(round.change)), say(round.change)),
            std::string(to_string(round.status)) + (is_noisy(round) ? say(Text::list_noisy) : ""),
            speedup,
            bandwidth,
            fraction,
            round.environment.substr(0, 6),
            one_line(why_made(round, say))};
}

}  // namespace

void print_rounds(std::ostream& out, std::span<const Round> rounds, const Phrases& say) {
    Table table{say.all(Text::list_round, Text::list_parent, Text::list_device, Text::list_variant, Text::list_baseline,
                        Text::list_configuration, Text::list_change, Text::list_status,
                        say(Text::list_worst, heading(metrics::speedup, say)), heading(metrics::bandwidth_gbps, say),
                        heading(metrics::fraction, say), Text::list_environment, Text::list_note),
                {}};
    for (const Round& round : rounds) table.rows.push_back(round_row(round, say));
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
