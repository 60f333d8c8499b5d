// SPDX-License-Identifier: Apache-2.0
#include "core/files/model_part.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>

#include "core/base/text_file.h"
#include "core/files/import_callable.h"
#include "core/project/own_files.h"
#include "core/round/best.h"
#include "core/round/history.h"

namespace kernelgen {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr const char* part_schema = "kernelgen.model_part/1";
constexpr std::string_view own_calls = "reference";  ///< the variant that makes the model's calls
constexpr std::uint64_t most_bytes = 16 << 20;

Result<CallsByCase> load_calls(const fs::path& project) {
    const Result<std::string> text = read_text_file(project / own_files::model_part, most_bytes);
    if (!text)
        return fail(say(
            "{} was not made of a model's calls: it has no {}; kernelgen model MODEL.py --project makes such a project",
            project.string(), own_files::model_part));
    try {
        const json read = json::parse(*text);
        if (read.at("schema") != part_schema) throw std::invalid_argument("schema");
        return read.at("cases").get<CallsByCase>();
    } catch (const std::exception&) {
        return fail((project / own_files::model_part).string() + " cannot be read: make the project again");
    }
}

/// The right round on the device that timed most cases, and of these the one with the highest speedup; null where there
/// is none. Its speedups are over the model's own calls: rounds against another baseline say nothing of the model.
const Round* fastest(const History& history, const std::string& device) {
    const auto worth = [](const Round& round) { return std::pair(round.case_count, deciding_case(round)->speedup); };
    const Round* best = nullptr;
    for (const Round& each : history.rounds) {
        if (each.device != device || each.baseline != own_calls || deciding_case(each) == nullptr) continue;
        if (best == nullptr || worth(each) > worth(*best)) best = &each;
    }
    return best;
}

/// The first calls of the places where the model makes these calls one after another, none of which is taken.
std::vector<std::size_t> places_of(const std::vector<std::string>& calls, const std::vector<const ModelRow*>& made,
                                   std::vector<bool>& taken) {
    std::vector<std::size_t> places;
    for (std::size_t first = 0; first + calls.size() <= made.size(); ++first) {
        bool is_place = !calls.empty();
        for (std::size_t i = 0; i < calls.size() && is_place; ++i)
            is_place = !taken[first + i] && made[first + i]->signature == calls[i];
        if (!is_place) continue;
        places.push_back(first);
        std::fill_n(taken.begin() + static_cast<std::ptrdiff_t>(first), calls.size(), true);
    }
    return places;
}

/// The speedup of a case in a round; nothing where the round has not timed it.
std::optional<double> speedup_of(const Round& round, const std::string& name) {
    for (const RoundCase* each : timed_cases(round)) {
        if (each->binding.name == name) return each->speedup;
    }
    return std::nullopt;
}

}  // namespace

Validated<ImportedSet> project_of_part(const json& part, const std::string& model, const std::string& name) {
    try {
        const std::string found = name.empty() ? part.at("name").get<std::string>() : name;
        Validated<ImportedSet> set = read_definition("definition.py", part.at("text").get<std::string>(), found);
        if (!set) return set;
        const json remembered = {
            {"schema", part_schema}, {"model", model}, {"cases", part.at("cases").get<CallsByCase>()}};
        set->texts[std::string(own_files::model_part)] = remembered.dump(2) + "\n";
        return set;
    } catch (const json::exception&) {
        return std::unexpected(as_diagnostics(Error{"the model's process answered with what is no part of it"}));
    }
}

Result<MeasuredPart> load_measured_part(const fs::path& project, const std::string& device) {
    const Result<CallsByCase> calls = load_calls(project);
    if (!calls) return std::unexpected(calls.error());
    const Result<History> history = load_history(project);
    if (!history) return std::unexpected(history.error());
    const Round* const round = fastest(*history, device);
    if (round == nullptr)
        return fail(say(
            "{} has no round on {} that is right and was timed against `{}`, the model's own calls: kernelgen run {}",
            project.string(), device, own_calls, project.string()));
    const Result<RoundDetail> detail = load_round_detail(project, round->number);  // with all of its cases
    if (!detail) return std::unexpected(detail.error());
    return MeasuredPart{project.string(), *calls, detail->round};
}

Result<ModelReplacement> replace_calls(const ModelProfile& profile, const MeasuredPart& part,
                                       std::vector<bool>& taken) {
    ModelReplacement replacement{.folder = part.folder, .variant = part.round.variant, .round = part.round.number};
    const std::vector<const ModelRow*> made = profile.by_call();
    for (const auto& [name, signatures] : part.calls) {
        const std::optional<double> speedup = speedup_of(part.round, name);
        if (!speedup) {
            replacement.not_timed.push_back(name);
            continue;
        }
        for (const std::size_t first : places_of(signatures, made, taken)) {
            double seconds = 0;
            for (std::size_t i = first; i < first + signatures.size(); ++i) seconds += made[i]->seconds;
            replacement.places.push_back(static_cast<int>(first) + 1);
            replacement.seconds_before += seconds;
            replacement.seconds_after += seconds / *speedup;
        }
    }
    if (replacement.not_timed.size() == part.calls.size())
        return fail(say("round {} of {} has timed none of the model's cases: kernelgen run {}", part.round.number,
                        part.folder, part.folder));
    if (replacement.places.empty())
        return fail(
            say("the model makes none of the calls that {} was made of (or another project has taken them): it has "
                "changed, or its case has; make the project again",
                part.folder));
    std::ranges::sort(replacement.places);
    replacement.speedup = replacement.seconds_before / replacement.seconds_after;
    return replacement;
}

}  // namespace kernelgen
