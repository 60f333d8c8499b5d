// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/case_space.h"

#include <algorithm>
#include <format>
#include <set>

#include "core/base/text.h"
#include "core/lang/integer_expression.h"
#include "core/lang/lexer.h"
#include "core/project/by_case.h"
#include "core/project/values.h"

namespace kernelgen {

namespace {

constexpr int threads_of_a_block = 1024;         ///< of every GPU that CUDA 12 knows
constexpr std::size_t most_kept = 100'000;       ///< configurations of a space that is too large
constexpr std::uint64_t most_counted = 200'000;  ///< combinations for which each restriction is counted apart

std::uint64_t combinations(const std::vector<Tunable>& parameters) {
    std::uint64_t count = 1;
    for (const Tunable& each : parameters) {
        if (__builtin_mul_overflow(count, each.values.size(), &count)) return UINT64_MAX;
    }
    return count;
}

/// The tunables on which an expression depends, also through `let`.
std::set<std::string> tunables_in(const IntegerExpression& expression, const Variant& variant) {
    std::set<std::string> names;
    for (const std::string& name : expression.names()) names.insert(name);
    for (auto line = variant.let.rbegin(); line != variant.let.rend(); ++line) {
        const Validated<Let> let = parse_let(*line, "let");
        if (!let || !names.contains(let->name)) continue;
        for (const std::string& name : let->expression.names()) names.insert(name);
    }
    std::set<std::string> tunables;
    for (const Tunable& each : variant.tunables) {
        if (names.contains(each.name)) tunables.insert(each.name);
    }
    return tunables;
}

/// The smallest value with which a grid axis that depends on this tunable alone has one program, as with all larger
/// values; nothing where there is none.
std::optional<std::int64_t> covering_value(const RunPlan& plan, const Tunable& tunable, const std::string& axis) {
    const Validated<IntegerExpression> expression = IntegerExpression::parse(axis, "grid");
    const Variant& variant = plan.candidate.variant;
    if (!expression || tunables_in(*expression, variant) != std::set<std::string>{tunable.name}) return std::nullopt;
    std::optional<std::int64_t> covering;
    Implementation tried = plan.candidate;
    for (auto value = tunable.values.rbegin(); value != tunable.values.rend(); ++value) {
        tried.configuration[tunable.name] = *value;
        const Result<std::int64_t> programs = expression->evaluate(values_of(tried, plan.cases.front().sizes).known);
        if (!programs || *programs != 1) break;
        covering = *value;
    }
    return covering;
}

/// The tunable without the values that are larger than one that covers the case.
Tunable without_larger_tiles(const RunPlan& plan, const Tunable& tunable) {
    Tunable kept = tunable;
    for (const Launch& launch : plan.candidate.variant.launches) {
        for (const std::string& axis : launch.grid) {
            const auto covering = covering_value(plan, tunable, axis);
            const std::int64_t own = plan.candidate.configuration.at(tunable.name);
            if (covering)
                std::erase_if(kept.values, [&](std::int64_t value) { return value > *covering && value != own; });
        }
    }
    return kept;
}

/// What a launch may ask of a GPU, as restrictions.
std::vector<std::string> launch_limits(const RunPlan& plan) {
    std::vector<std::string> limits;
    for (const Launch& launch : plan.candidate.variant.launches) {
        if (!launch.block.empty())
            limits.push_back(std::format("({}) <= {}", join(launch.block, ") * ("), threads_of_a_block));
        if (!launch.shared_bytes.empty() && plan.candidate.device.contains("shared_per_block"))
            limits.push_back(std::format("({}) <= {}shared_per_block", launch.shared_bytes, device_prefix));
    }
    return limits;
}

/// The grids, blocks and shared memory of the launches: what a searcher may learn from.
std::vector<std::string> terms_of(const Variant& variant) {
    std::vector<std::string> terms;
    for (const Launch& launch : variant.launches) {
        terms.insert(terms.end(), launch.grid.begin(), launch.grid.end());
        if (!launch.block.empty()) terms.push_back("(" + join(launch.block, ") * (") + ")");
        if (!launch.shared_bytes.empty()) terms.push_back(launch.shared_bytes);
    }
    return terms;
}

/// The tunables with the values that take part, at the present configuration where it is among them.
std::vector<Tunable> parameters_of(const RunPlan& plan, const ChosenValues& chosen) {
    std::vector<Tunable> parameters = plan.candidate.variant.tunables;
    for (Tunable& each : parameters) {
        if (const auto values = chosen.find(each.name); values != chosen.end()) each.values = values->second;
        const std::int64_t present = plan.candidate.configuration.at(each.name);
        each.value = std::ranges::contains(each.values, present) ? present : each.values.front();
    }
    return parameters;
}

void note(std::vector<Pruned>& pruned, Said reason, std::uint64_t count) {
    if (count > 0) pruned.push_back({std::move(reason), count});
}

/// Counts the configurations that each restriction forbids and those before it do not; together where there are many.
void count_restricted(const std::vector<Tunable>& parameters, const CaseSpace& made, bool is_part,
                      const TuningSpace::Expressions& expressions, std::vector<Pruned>& pruned) {
    std::uint64_t left = combinations(parameters);
    if (left > most_counted) {
        const std::string more = is_part ? ", and at random what is more than can be searched" : "";
        return note(pruned, "restrictions and the device's limits" + more, left - made.space.size());
    }
    std::vector<std::string> so_far;
    for (const std::string& restriction : made.restrictions) {
        so_far.push_back(restriction);
        const Result<TuningSpace> space = TuningSpace::make(parameters, so_far, made.sizes, expressions);
        const std::uint64_t size = space ? space->size() : 0;
        note(pruned, say("restriction `{}`", restriction), left - size);
        left = size;
    }
}

}  // namespace

RunPlan with_configuration(RunPlan plan, const Configuration& configuration) {
    plan.candidate.configuration = configuration;
    return plan;
}

RunPlan recommended(RunPlan plan, const Implementation& whole, const Configuration& configuration) {
    if (whole.variant.configurations.empty()) return with_configuration(std::move(plan), configuration);
    Implementation ruled = whole;
    ruled.device = plan.candidate.device;
    adopt_on(ruled.configuration, ruled.variant.configurations, plan.cases.front(), ruled.device, configuration);
    plan.candidate = std::move(ruled);
    return plan;
}

Result<CaseSpace> space_for(const RunPlan& plan, const ChosenValues& chosen) {
    const Variant& variant = plan.candidate.variant;
    std::vector<Pruned> pruned;
    std::vector<Tunable> parameters = parameters_of(plan, chosen);
    for (Tunable& each : parameters) {
        const std::uint64_t before = combinations(parameters);
        each = without_larger_tiles(plan, each);
        note(pruned, say("`{}` is larger than the case", each.name), before - combinations(parameters));
    }
    Sizes sizes = plan.cases.front().sizes;
    for (const auto& [name, value] : plan.candidate.device) sizes[std::string(device_prefix) + name] = value;
    std::vector<std::string> restrictions = variant.restrictions;
    for (std::string& limit : launch_limits(plan)) restrictions.push_back(std::move(limit));
    const TuningSpace::Expressions expressions{variant.let, terms_of(variant)};
    Result<TuningSpace> space = TuningSpace::make(parameters, restrictions, sizes, expressions);
    const bool is_part = !space && combinations(parameters) > TuningSpace::most_configurations;
    if (is_part) space = TuningSpace::part(parameters, restrictions, sizes, expressions, most_kept);
    if (!space) return std::unexpected(space.error());
    CaseSpace made{std::move(*space), std::move(restrictions), std::move(sizes), {}};
    count_restricted(parameters, made, is_part, expressions, pruned);
    made.pruned = std::move(pruned);
    return made;
}

}  // namespace kernelgen
