// SPDX-License-Identifier: Apache-2.0
#include "core/round/best.h"

#include <algorithm>
#include <ranges>

namespace kernelgen {

namespace {

bool has_case(const Round& round, const Case& binding) {
    return std::ranges::any_of(round.cases, [&](const RoundCase& each) { return is_same_case(each.binding, binding); });
}

/// A line of `history.jsonl` may hold some of the cases only.
bool has_all_cases(const Round& round) { return static_cast<int>(round.cases.size()) >= round.case_count; }

int case_count(const Round& round) { return std::max(round.case_count, static_cast<int>(round.cases.size())); }

/// Whether the cases that are known of `part` are among those of `whole`.
bool holds_cases(const Round& whole, const Round& part) {
    return std::ranges::all_of(part.cases, [&](const RoundCase& each) { return has_case(whole, each.binding); });
}

/// Whether two rounds have the same first cases. Used where the records of both hold only some cases: the first ones,
/// and at the end perhaps the worst one.
bool same_first_cases(const Round& a, const Round& b) {
    const std::size_t common = std::max<std::size_t>(std::min(a.cases.size(), b.cases.size()), 1) - 1;
    for (std::size_t i = 0; i < common; ++i) {
        if (!is_same_case(a.cases[i].binding, b.cases[i].binding)) return false;
    }
    return true;
}

/// A round of a project's cases, to be held against recorded ones.
Round with_cases(const Project& project) {
    Round round;
    for (const Case& each : project.cases) round.cases.push_back({.binding = each, .roofline = {}});
    round.case_count = static_cast<int>(round.cases.size());
    return round;
}

}  // namespace

std::vector<const RoundCase*> timed_cases(const Round& round) {
    std::vector<const RoundCase*> timed;
    for (const RoundCase& each : round.cases) {
        if (round.status == Status::ok && each.seconds > 0) timed.push_back(&each);
    }
    return timed;
}

const RoundCase* deciding_case(const Round& round) {
    const auto timed = timed_cases(round);
    const auto slowest = std::ranges::min_element(timed, {}, &RoundCase::speedup);
    return slowest == timed.end() ? nullptr : *slowest;
}

const RoundCase* timed_case(const Round& round, const Case& binding) {
    const auto timed = timed_cases(round);
    const auto found = std::ranges::find(timed, binding, &RoundCase::binding);
    return found == timed.end() ? nullptr : *found;
}

const Configuration& configuration_of(const Round& round, const RoundCase& timed) {
    return timed.configuration.empty() ? round.configuration : timed.configuration;
}

bool comparable(const Round& a, const Round& b) {
    return a.device == b.device && a.baseline == b.baseline && a.environment == b.environment;
}

bool same_cases(const Round& a, const Round& b) {
    if (case_count(a) != case_count(b)) return false;
    if (has_all_cases(a)) return holds_cases(a, b) && (!has_all_cases(b) || holds_cases(b, a));
    return has_all_cases(b) ? holds_cases(b, a) : same_first_cases(a, b);
}

bool same_conditions(const Round& a, const Round& b) { return comparable(a, b) && same_cases(a, b); }

std::vector<RoundGroup> groups_of(const History& history) {
    std::vector<RoundGroup> groups;
    for (const Round& round : history.rounds) {
        if (deciding_case(round) == nullptr) continue;
        const auto group =
            std::ranges::find_if(groups, [&](const RoundGroup& each) { return same_conditions(*each.front(), round); });
        if (group == groups.end()) groups.push_back({&round});
        else group->push_back(&round);
    }
    return groups;
}

const Round& best_of(const RoundGroup& group) {
    return **std::ranges::max_element(group, {}, [](const Round* each) { return deciding_case(*each)->speedup; });
}

bool is_of_project(const Round& round, const Project& project) {
    const Variant* const baseline = baseline_for(project, round.device);
    return baseline != nullptr && round.baseline == baseline->name && same_cases(round, with_cases(project));
}

bool compute_the_same(Operator one, Operator other) {
    for (Operator* each : {&one, &other}) each->name = each->description = "";
    return one == other;
}

bool has_present_definition(const Round& round, const Project& project) {
    const Result<RoundDetail> detail = load_round_detail(project.folder, round.number);
    return !detail || compute_the_same(detail->definition, project.definition);
}

const Round* best_round(const History& history, const Project& project, std::string_view variant,
                        std::string_view device) {
    RoundGroup group;
    for (const Round& round : history.rounds | std::views::reverse) {
        if (round.variant != variant || round.device != device) continue;
        if (deciding_case(round) == nullptr || !is_of_project(round, project)) continue;
        if (group.empty() || same_conditions(*group.front(), round)) group.push_back(&round);
    }
    return group.empty() ? nullptr : &best_of(group);
}

}  // namespace kernelgen
