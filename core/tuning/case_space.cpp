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

// Of every GPU that CUDA 12 knows:
constexpr int threads_of_a_block = 1024, threads_along_z = 64;
constexpr int blocks_along_y_or_z = 65535;
constexpr int threads_of_a_warp = 32;

constexpr std::size_t most_kept = 100'000;  ///< configurations of a space that is too large

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
        const Result<std::int64_t> programs = expression->evaluate(values_of(tried, plan.cases.front()).known);
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

/// What Triton's launches may ask of a GPU; it chooses all else itself. Where no value of `num_warps` is too large,
/// there is nothing to restrict.
std::vector<std::string> triton_limits(const Variant& variant) {
    const auto warps = std::ranges::find(variant.tunables, "num_warps", &Tunable::name);
    if (warps == variant.tunables.end()) return {};
    if (std::ranges::max(warps->values) * threads_of_a_warp <= threads_of_a_block) return {};
    return {std::format("{} * num_warps <= {}", threads_of_a_warp, threads_of_a_block)};
}

/// What launches may ask of a GPU, as restrictions.
std::vector<std::string> launch_limits(const RunPlan& plan) {
    const Variant& variant = plan.candidate.variant;
    if (variant.language == Language::triton) return triton_limits(variant);
    std::vector<std::string> limits;
    for (const Launch& launch : variant.launches) {
        if (!launch.block.empty())
            limits.push_back(std::format("({}) <= {}", join(launch.block, ") * ("), threads_of_a_block));
        if (launch.block.size() > 2) limits.push_back(std::format("({}) <= {}", launch.block[2], threads_along_z));
        for (std::size_t axis = 1; variant.language == Language::cuda && axis < launch.grid.size(); ++axis)
            limits.push_back(std::format("({}) <= {}", launch.grid[axis], blocks_along_y_or_z));
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

/// The largest number stands for all that are larger.
void note(CaseSpace& made, Said reason, std::uint64_t count, bool is_estimate = false) {
    if (count > 0) made.pruned.push_back({std::move(reason), count, is_estimate || count == UINT64_MAX});
}

/// Counts the configurations without tiles that are larger than the case, which `made.space` does not have.
void count_larger_tiles(CaseSpace& made) {
    std::vector<Tunable> parameters = made.chosen;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const Tunable& kept = made.space.parameters()[i];
        std::erase_if(parameters[i].values,
                      [&](std::int64_t each) { return std::ranges::contains(kept.values, each); });
        note(made, larger_than_case(kept.name), count_combinations(parameters));
        parameters[i] = kept;
    }
}

/// Counts the configurations that each restriction forbids, and of a part those that were not drawn.
void count_forbidden(const Variant& variant, bool is_part, CaseSpace& made) {
    const std::vector<std::uint64_t>& forbidden = made.space.forbidden();
    const std::uint64_t all = count_combinations(made.space.parameters());
    const bool is_beyond = all == UINT64_MAX;
    std::uint64_t rest = all - made.space.size();
    for (std::size_t i = 0; i < forbidden.size(); ++i) {
        const std::uint64_t count = std::min(rest, forbidden[i]);
        note(made, forbidden_by(made, variant, i), count, is_part);
        rest -= count;
    }
    if (is_part)
        note(made, "more than can be searched: a part was drawn at random", rest,
             is_beyond || !made.restrictions.empty());
}

}  // namespace

RunPlan with_case(RunPlan plan, const Case& binding) {
    plan.cases = {binding};
    plan.candidate = for_case(plan.candidate, binding);
    return plan;
}

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

Said larger_than_case(const std::string& tunable) { return say("`{}` is larger than the case", tunable); }

Said forbidden_by(const CaseSpace& made, const Variant& variant, std::size_t place) {
    const std::string& restriction = made.restrictions[place];
    if (place < variant.restrictions.size()) return say("restriction `{}`", restriction);
    return say("the device's limit `{}`", restriction);
}

Result<CaseSpace> space_for(const RunPlan& plan, const ChosenValues& chosen) {
    const Variant& variant = plan.candidate.variant;
    std::vector<Tunable> all = parameters_of(plan, chosen), parameters;
    for (const Tunable& each : all) parameters.push_back(without_larger_tiles(plan, each));
    const Case& binding = plan.cases.front();
    Sizes sizes = binding.sizes;
    sizes.try_emplace(std::string(dtype_bytes), static_cast<std::int64_t>(size_of(binding.dtype)));
    for (const auto& [name, value] : plan.candidate.device) sizes[std::string(device_prefix) + name] = value;
    std::vector<std::string> restrictions = variant.restrictions;
    for (std::string& limit : launch_limits(plan)) restrictions.push_back(std::move(limit));
    const TuningSpace::Expressions expressions{variant.let, terms_of(variant)};
    Result<TuningSpace> space = TuningSpace::make(parameters, restrictions, sizes, expressions);
    const bool is_part = !space && count_combinations(parameters) > TuningSpace::most_configurations;
    if (is_part) space = TuningSpace::part(parameters, restrictions, sizes, expressions, most_kept);
    if (!space) return std::unexpected(space.error());
    CaseSpace made{std::move(*space), std::move(restrictions), std::move(sizes), {}, std::move(all), {}};
    count_larger_tiles(made);
    count_forbidden(variant, is_part, made);
    return made;
}

}  // namespace kernelgen
