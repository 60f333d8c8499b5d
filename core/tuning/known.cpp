// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/known.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <tuple>

#include "core/round/best.h"
#include "core/round/history.h"
#include "core/tune/objective.h"
#include "core/tune/simulate.h"
#include "core/tune/tuning_file.h"

namespace kernelgen {

namespace {

constexpr std::size_t most_tunings = 10;  ///< that are learnt from
constexpr std::size_t most_rounds = 3;    ///< whose configurations are tried first

/// How unlike another case is, in doublings: of the symbols' sizes, and of the dtype's. Another dtype of the same size
/// counts as one doubling.
double unlikeness(const Case& one, const Case& other) {
    constexpr double other_dtype = 1;
    const auto doublings = [](double a, double b) { return std::abs(std::log2(a / b)); };
    double sum = 0;
    if (one.dtype != other.dtype) {
        const auto bytes = [](const Case& each) { return static_cast<double>(size_of(each.dtype)); };
        sum += std::max(other_dtype, doublings(bytes(one), bytes(other)));
    }
    for (const auto& [name, size] : one.sizes) {
        const auto found = other.sizes.find(name);
        if (found != other.sizes.end()) sum += doublings(static_cast<double>(size), static_cast<double>(found->second));
    }
    return sum;
}

/// How unlike the conditions of another tuning were. Another device counts as four doublings, another environment under
/// the same name, such as another GPU as `cuda:0`, as two.
double unlikeness(const TuningHead& one, const TuningHead& other) {
    constexpr double other_device = 4, other_environment = 2;
    const double of_case = unlikeness(one.binding, other.binding);
    if (one.device != other.device) return of_case + other_device;
    return one.environment == other.environment ? of_case : of_case + other_environment;
}

/// The tunings of the variant before this one, the nearest first, and of those that are as near the newest.
std::vector<Tuning> like_tunings(const std::filesystem::path& project_folder, const TuningHead& head, int oldest) {
    std::vector<Tuning> like;
    for (const int number : std::views::reverse(tuning_numbers(project_folder))) {
        if (number >= head.number || number < oldest) continue;
        Result<Tuning> tuning = load_tuning(project_folder, number);
        if (tuning && tuning->head.variant == head.variant) like.push_back(std::move(*tuning));
    }
    std::ranges::stable_sort(like, {}, [&](const Tuning& each) { return unlikeness(head, each.head); });
    like.resize(std::min(like.size(), most_tunings));
    return like;
}

/// The results of a tuning as trials for this objective. A tuning for another objective is of use only where times are
/// asked for: its times are taken.
std::vector<Trial> trials_of(const Tuning& tuning, const TuningSpace& space, const std::string& objective) {
    std::vector<Trial> trials;
    const bool is_same = tuning.head.objective == objective;
    if (!is_same && objective != to_string(Objective{})) return trials;
    for (const Tried& each : tuning.tried) {
        const auto index = space.find(each.configuration);
        if (!index) continue;
        const double score = is_same ? each.objective : each.seconds;
        trials.push_back({*index, each.is_ok() ? std::optional(score) : std::nullopt, each.resources});
    }
    return trials;
}

/// The configurations of the variant's rounds on this device: those on the nearest cases first, and of these the
/// fastest.
std::vector<Configuration> best_rounds(const std::filesystem::path& project_folder, const TuningHead& head) {
    const Result<History> history = load_history(project_folder);
    std::vector<std::tuple<double, double, Configuration>> found;
    for (const Round& round : history ? history->rounds : std::vector<Round>()) {
        if (round.variant != head.variant || round.device != head.device) continue;
        for (const RoundCase* timed : timed_cases(round))
            found.emplace_back(unlikeness(head.binding, timed->binding), timed->seconds,
                               configuration_of(round, *timed));
    }
    std::ranges::sort(found);
    std::vector<Configuration> best;
    for (const auto& [unlike, seconds, configuration] : found) {
        if (best.size() < most_rounds && !std::ranges::contains(best, configuration)) best.push_back(configuration);
    }
    return best;
}

}  // namespace

SearchOptions start_of_search(const std::filesystem::path& project_folder, const TuningHead& head,
                              const TuningSpace& space, const std::vector<Recording>& history,
                              std::optional<int> oldest_learnt) {
    SearchOptions start{.seed = head.seed, .first = {}, .history = {}};
    std::vector<Configuration> first = {head.incumbent};
    if (!oldest_learnt) std::ranges::copy(best_rounds(project_folder, head), std::back_inserter(first));
    for (const Recording& each : history) {
        std::vector<Trial> trials = trials_in(space, each);
        if (const auto best = best_of(trials)) first.push_back(space.at(best->index));
        if (!trials.empty()) start.history.push_back(std::move(trials));
    }
    for (const Tuning& each : like_tunings(project_folder, head, oldest_learnt.value_or(0))) {
        const bool has_failed = each.outcome && each.outcome->kind == TuningOutcome::Kind::failed;
        if (each.outcome && !has_failed && each.head.objective == head.objective)
            first.push_back(each.outcome->configuration);
        if (std::vector<Trial> trials = trials_of(each, space, head.objective); !trials.empty())
            start.history.push_back(std::move(trials));
    }
    for (const Configuration& each : first) {
        const auto index = space.find(each);
        if (index && !std::ranges::contains(start.first, *index)) start.first.push_back(*index);
    }
    return start;
}

}  // namespace kernelgen
