// SPDX-License-Identifier: Apache-2.0
#include "core/tune/recording.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/gzip.h"
#include "core/base/json_reader.h"
#include "core/tune/kernel_tuner_cache.h"
#include "core/tune/ktt_results.h"
#include "core/tune/t4.h"
#include "core/tune/tuning_recording.h"

namespace kernelgen {

namespace {

std::unexpected<Diagnostics> wrong_file(const std::string& file, Said message, Said suggestion) {
    return std::unexpected(Diagnostics{{file, "", std::move(message), std::move(suggestion)}});
}

}  // namespace

Validated<Recording> load_recording(const std::string& path) {
    const Result<std::string> text = read_unpacked(path);
    if (!text) return std::unexpected(as_diagnostics(text.error()));
    return read_recording(*text, path);
}

namespace {

/// The text with null in place of the NaN and Infinity that Python's json writes, and JSON does not have.
std::string without_bare_words(std::string_view text) {
    constexpr std::string_view words[] = {"NaN", "-Infinity", "Infinity"};
    std::string plain;
    bool is_in_string = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '"') is_in_string = !is_in_string;
        const std::string_view rest = text.substr(i);
        const auto* word =
            std::ranges::find_if(words, [&](std::string_view each) { return !is_in_string && rest.starts_with(each); });
        plain += word == std::end(words) ? text.substr(i, 1) : "null";
        if (word != std::end(words)) i += word->size() - 1;
        else if (is_in_string && text[i] == '\\' && i + 1 < text.size()) plain += text[++i];
    }
    return plain;
}

/// Reads a recording in JSON: a T4 file, Kernel Tuner's or KTT's.
Validated<Recording> read_json_recording(std::string_view text, const std::string& file) {
    const Validated<nlohmann::json> document = parse_json(closed_cache(without_bare_words(text)), file);
    if (!document) return std::unexpected(document.error());
    Diagnostics diagnostics;
    Recording recording;
    const JsonPlace place(*document, diagnostics);
    if (is_t4(*document)) recording = read_t4(place);
    else if (is_kernel_tuner_cache(*document)) recording = read_kernel_tuner_cache(place);
    else if (is_ktt_results(*document)) recording = read_ktt_results(place);
    else
        return wrong_file(file,
                          "is neither a T4 file (with `results`), a cache file of Kernel Tuner (with `cache`), results "
                          "of KTT (with `Results`) nor a tuning of a project (tunings/N.jsonl)",
                          "give the file that a tuning wrote, not the T1 file of its space");
    for (Diagnostic& each : diagnostics) each.file = file;
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    return recording;
}

}  // namespace

Validated<Recording> read_recording(std::string_view text, const std::string& file) {
    Validated<Recording> recording =
        is_tuning_text(text) ? read_tuning_recording(text, file) : read_json_recording(text, file);
    if (recording && recording->trials.empty())
        return wrong_file(file, "has no results", "give the file of a tuning that tried something");
    return recording;
}

Result<TuningSpace> space_of(const Recording& recording) {
    std::map<std::string, std::set<std::int64_t>> values;
    std::set<Configuration> configurations;
    for (const RecordedTrial& trial : recording.trials) {
        configurations.insert(trial.configuration);
        for (const auto& [name, value] : trial.configuration) values[name].insert(value);
    }
    std::vector<Tunable> parameters;
    for (const auto& [name, all] : values) parameters.push_back({name, {all.begin(), all.end()}, *all.begin()});
    return TuningSpace::of(std::move(parameters), {configurations.begin(), configurations.end()});
}

namespace {

std::optional<std::size_t> index_of(const TuningSpace& space, const Configuration& recorded) {
    Configuration configuration;
    for (const Tunable& parameter : space.parameters()) {
        if (const auto found = recorded.find(parameter.name); found != recorded.end()) configuration.insert(*found);
        else if (parameter.values.size() == 1) configuration[parameter.name] = parameter.values.front();
    }
    return space.find(configuration);
}

}  // namespace

std::vector<Trial> trials_in(const TuningSpace& space, const Recording& recording) {
    std::map<std::size_t, std::optional<double>> seconds;
    for (const RecordedTrial& trial : recording.trials) {
        if (const auto index = index_of(space, trial.configuration)) seconds[*index] = trial.seconds;
    }
    std::vector<Trial> trials;
    for (const auto& [index, each] : seconds) trials.push_back({.index = index, .objective = each, .resources = {}});
    return trials;
}

}  // namespace kernelgen
