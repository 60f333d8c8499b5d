// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <tuple>
#include <utility>

#include "core/report/log_sections.h"
#include "core/report/markdown.h"
#include "core/tune/tuning_file.h"

namespace kernelgen {

namespace {

/// The newest tuning of each variant, device and case, in the order of their numbers.
std::vector<Tuning> newest_tunings(const std::filesystem::path& folder) {
    std::map<std::tuple<std::string, std::string, std::string>, int> newest;
    std::map<int, Tuning> tunings;
    for (const int number : tuning_numbers(folder)) {
        Result<Tuning> tuning = load_tuning(folder, number);
        if (!tuning) continue;
        const TuningHead& head = tuning->head;
        const auto [place, is_first] = newest.try_emplace({head.variant, head.device, head.binding.name}, number);
        if (!is_first) tunings.erase(std::exchange(place->second, number));
        tunings.emplace(number, std::move(*tuning));
    }
    std::vector<Tuning> found;
    for (auto& [number, tuning] : tunings) found.push_back(std::move(tuning));
    return found;
}

std::string decision_phrase(const Tuning& tuning, const Phrases& say) {
    const TuningHead& head = tuning.head;
    const std::uint64_t pruned = count_of(head.pruned);
    if (!tuning.outcome)
        return say(Text::tuning_without_outcome, tuning.tried.size(), head.configurations, pruned, head.strategy,
                   head.seed);
    const TuningOutcome& outcome = *tuning.outcome;
    std::string text = in_code(to_string(outcome.kind));
    if (!outcome.is_decided) text += say(Text::tuning_not_decided);
    if (outcome.kind != TuningOutcome::Kind::failed) text += " " + configuration_phrase(outcome.configuration, say);
    text += say(Text::tuning_outcome, as_prose(say.of_engine(outcome.reason)), outcome.tried, head.configurations,
                outcome.failed, pruned, say.measure(outcome.seconds, "s"), head.strategy, head.seed);
    if (outcome.runner_up) text += say(Text::tuning_runner_up, configuration_phrase(*outcome.runner_up, say));
    if (outcome.round) text += say(Text::tuning_round, *outcome.round);
    for (const Said& each : outcome.left_out) text += say(Text::tuning_left_out, as_prose(say.of_engine(each)));
    return text;
}

std::string tuning_bullet(const Tuning& tuning, const Phrases& say) {
    const TuningHead& head = tuning.head;
    return bullet(say(Text::tuning_line, head.number, in_code(head.variant), as_prose(head.device),
                      as_prose(head.binding.name), decision_phrase(tuning, say)));
}

}  // namespace

std::map<int, std::string> tunings_by_round(const std::filesystem::path& folder, const Phrases& say) {
    std::map<int, std::string> lines;
    for (const int number : tuning_numbers(folder)) {
        const Result<Tuning> tuning = load_tuning_untried(folder, number);
        if (tuning && tuning->outcome && tuning->outcome->round)
            lines[*tuning->outcome->round] = tuning_bullet(*tuning, say);
    }
    return lines;
}

std::string tunings_section(const std::filesystem::path& folder, const Phrases& say) {
    const std::vector<Tuning> tunings = newest_tunings(folder);
    if (tunings.empty()) return {};
    std::string text = heading(2, say(Text::tunings));
    for (const Tuning& each : tunings) text += tuning_bullet(each, say);
    return text + "\n";
}

}  // namespace kernelgen
