// SPDX-License-Identifier: Apache-2.0
#include "app/cli/tune_simulate.h"

#include <algorithm>
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/print.h"
#include "core/tune/recording.h"
#include "core/tune/simulate.h"
#include "core/tune/t1.h"

namespace kernelgen::cli {

namespace {

Diagnostics in_file(const std::string& file, std::string message, std::string suggestion) {
    return {{file, "", std::move(message), std::move(suggestion)}};
}

/// The space of the T1 file; without one, that of the recording.
Validated<TuningSpace> open_space(const SimulateOptions& options, const Recording& recording) {
    if (options.space.empty()) {
        Result<TuningSpace> space = space_of(recording);
        if (!space) return std::unexpected(in_file(options.recording, space.error().message, ""));
        return std::move(*space);
    }
    const Validated<SpaceDescription> description = load_t1(options.space);
    if (!description) return std::unexpected(description.error());
    Result<TuningSpace> space = space_of(*description);
    if (!space) return std::unexpected(in_file(options.space, space.error().message, ""));
    return std::move(*space);
}

/// The recording's trials in the space. What does not fit is told on stderr.
Validated<std::vector<Trial>> fitting(const TuningSpace& space, const Recording& recording, const std::string& file) {
    std::vector<Trial> trials = trials_in(space, recording);
    if (trials.empty()) {
        return std::unexpected(in_file(file, "has no configuration of the space",
                                       "give recordings of the same parameters, and the T1 file that describes them"));
    }
    if (trials.size() < recording.trials.size()) {
        std::cerr << std::format("kernelgen: {}: {} of {} results are not in the space, or there twice\n", file,
                                 recording.trials.size() - trials.size(), recording.trials.size());
    }
    return trials;
}

/// Reads a recording, and adds what of it could not be read to `warnings`.
Validated<Recording> open_recording(const std::string& file, std::vector<Said>& warnings) {
    Validated<Recording> recording = load_recording(file);
    if (recording) warnings.insert(warnings.end(), recording->warnings.begin(), recording->warnings.end());
    return recording;
}

Validated<std::vector<std::vector<Trial>>> open_history(const TuningSpace& space, const std::vector<std::string>& files,
                                                        std::vector<Said>& warnings) {
    std::vector<std::vector<Trial>> history;
    for (const std::string& file : files) {
        const Validated<Recording> recording = open_recording(file, warnings);
        if (!recording) return std::unexpected(recording.error());
        Validated<std::vector<Trial>> trials = fitting(space, *recording, file);
        if (!trials) return std::unexpected(trials.error());
        history.push_back(std::move(*trials));
    }
    return history;
}

/// What a strategy tries first: as in a tuning, the best of each recording of the history. `model` chooses its first
/// configurations by all of the history itself.
std::vector<std::size_t> first_of(Strategy strategy, const std::vector<std::vector<Trial>>& history) {
    std::vector<std::size_t> first;
    for (const std::vector<Trial>& each : history) {
        const auto best = best_of(each);
        if (strategy != Strategy::model && best && !std::ranges::contains(first, best->index))
            first.push_back(best->index);
    }
    return first;
}

nlohmann::ordered_json trial_document(const TuningSpace& space, const Trial& trial) {
    nlohmann::ordered_json document = {{"configuration", space.at(trial.index)}, {"seconds", nullptr}};
    if (trial.objective) document["seconds"] = *trial.objective;
    return document;
}

void print_simulation(const TuningSpace& space, const std::vector<Trial>& trials, std::optional<double> optimum) {
    const auto failed = std::ranges::count_if(trials, [](const Trial& each) { return !each.objective; });
    std::cout << std::format("{} of {} configurations, {} failed\n", trials.size(), space.size(), failed);
    std::optional<double> best;
    for (std::size_t i = 0; i < trials.size(); ++i) {
        const Trial& each = trials[i];
        if (!each.objective || (best && *each.objective >= *best)) continue;
        best = each.objective;
        std::cout << std::format("{:>6}  {:>10}  {:5.3f} of the optimum  {}\n", i + 1, seconds_text(*best),
                                 *optimum / *best, configuration_text(space.at(each.index)));
    }
    if (!best) std::cout << "no configuration succeeded\n";
}

}  // namespace

void add_simulation(CLI::App& command, SimulateOptions& options) {
    command.add_option("--simulate", options.recording,
                       "Play the strategy on recorded times: a T4 file or a cache file of Kernel Tuner, also .gz");
    command.add_option("--space", options.space,
                       "T1 file of the recorded space; default: the configurations that were recorded");
    command
        .add_option(
            "--history", options.history,
            "Recording of the same tunables on another device, to start from: T4, a cache file of Kernel Tuner, "
            "or a tunings/N.jsonl; repeatable")
        ->allow_extra_args(false);
}

int simulate_command(const SimulateOptions& options, const Context& context) {
    std::vector<Said> warnings;
    const Validated<Recording> recording = open_recording(options.recording, warnings);
    if (!recording) return report(context, recording.error());
    const Validated<TuningSpace> space = open_space(options, *recording);
    if (!space) return report(context, space.error());
    const auto recorded = fitting(*space, *recording, options.recording);
    if (!recorded) return report(context, recorded.error());
    const auto history = open_history(*space, options.history, warnings);
    if (!history) return report(context, history.error());

    for (const Said& each : warnings) complain(Error{each});
    const Simulation simulation(*space, *recorded);
    const auto searcher =
        make_searcher(options.strategy, *space,
                      {.seed = options.seed, .first = first_of(options.strategy, *history), .history = *history});
    const std::vector<Trial> trials = simulation.play(*searcher, options.evaluations);
    if (!context.json) {
        print_simulation(*space, trials, simulation.optimum());
        return exit_done;
    }
    nlohmann::ordered_json document = {{"evaluations", nlohmann::ordered_json::array()}, {"best", nullptr}};
    for (const Trial& each : trials) document["evaluations"].push_back(trial_document(*space, each));
    if (const auto best = best_of(trials)) document["best"] = trial_document(*space, *best);
    if (!warnings.empty()) document["warnings"] = warnings;
    print_json(document);
    return exit_done;
}

}  // namespace kernelgen::cli
