// SPDX-License-Identifier: Apache-2.0
#include "core/strategy/moves.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/project/by_case.h"
#include "core/project/values.h"

namespace kernelgen {

namespace {

/// Names that people give to tunables, by what they decide.
struct NamedRole {
    std::string_view name, role;
};
constexpr NamedRole named_roles[] = {
    {"BLOCK_M", "rows"},
    {"BLOCK_SIZE_M", "rows"},
    {"TILE_M", "rows"},
    {"BLOCK_ROWS", "rows"},
    {"BLOCK_N", "columns"},
    {"BLOCK_SIZE_N", "columns"},
    {"TILE_N", "columns"},
    {"BLOCK_COLS", "columns"},
    {"BLOCK_SIZE", "columns"},
    {"BLOCK", "columns"},
    {"num_warps", "warps"},
    {"num_stages", "stages"},
    {"VEC", "vector"},
    {"UNROLL", "unroll"},
    {"PREFETCH", "prefetch"},
    {"STREAM", "stream"},
    {"LOAD_CACHE", "load_cache"},
    {"STORE_CACHE", "store_cache"},
    {"PERSISTENT", "persistent"},
    {"HOLD", "hold"},
    {"CLUSTER", "cluster"},
};

/// A step of one tunable among its values, or to a value.
struct TunableStep {
    std::string_view role;
    int places = 0;  ///< among its values: 1 is the next larger one
    enum class To { places, value, dtype_bytes } to = To::places;
    std::int64_t value = 0;
};
constexpr TunableStep by(std::string_view role, int places) { return {.role = role, .places = places}; }
constexpr TunableStep to(std::string_view role, std::int64_t value) {
    return {.role = role, .to = TunableStep::To::value, .value = value};
}

struct Move {
    std::string_view strategy;
    std::array<TunableStep, 2> steps;  ///< an empty role: no step
};

constexpr Move moves[] = {
    {"larger_tile", {by("columns", 1)}},
    {"larger_tile", {by("rows", 1)}},
    {"larger_tile", {by("rows", 1), by("columns", 1)}},
    {"larger_tile", {by("columns", 2)}},
    {"smaller_tile", {by("rows", -1)}},
    {"smaller_tile", {by("columns", -1)}},
    {"smaller_tile", {by("columns", -1), by("warps", -1)}},
    {"smaller_tile", {by("rows", -2)}},
    {"smaller_tile", {by("rows", -1), by("columns", -1)}},
    {"smaller_tile", {by("columns", -2)}},
    {"grid_shape", {by("rows", -1), by("columns", 1)}},
    {"grid_shape", {by("rows", 1), by("columns", -1)}},
    {"more_warps", {by("warps", 1)}},
    {"fewer_warps", {by("warps", -1)}},
    {"more_stages", {by("stages", 1)}},
    {"fewer_stages", {by("stages", -1)}},
    {"vector_width", {by("vector", 1)}},
    {"narrower_vectors", {by("vector", -1)}},
    {"unroll", {by("unroll", 1)}},
    {"several_accumulators", {by("unroll", 1)}},
    {"less_unrolling", {by("unroll", -1)}},
    {"prefetching", {by("prefetch", 1)}},
    {"no_prefetching", {to("prefetch", 0)}},
    {"streaming_stores", {to("stream", 1)}},
    {"streaming_stores", {to("store_cache", 1)}},
    {"cached_stores", {to("stream", 0)}},
    {"cached_stores", {to("store_cache", 0)}},
    {"cache_policy", {to("load_cache", 1)}},
    {"cache_policy", {to("load_cache", 2)}},
    {"cache_policy", {to("load_cache", 0)}},
    {"persistent", {by("persistent", 1)}},
    {"persistent", {by("persistent", 2)}},
    {"one_tile_a_program", {to("persistent", 0)}},
    {"hold_row", {TunableStep{.role = "hold", .to = TunableStep::To::dtype_bytes}, to("persistent", 1)}},
    {"hold_row", {TunableStep{.role = "hold", .to = TunableStep::To::dtype_bytes}}},
    {"less_shared_memory", {to("hold", 0)}},
    {"less_shared_memory", {by("stages", -1)}},
    {"split_reduction", {by("cluster", 1)}},
    {"whole_rows", {to("cluster", 1)}},
};

const Tunable* with_role(const Variant& variant, std::string_view role) {
    const auto found =
        std::ranges::find_if(variant.tunables, [&](const Tunable& each) { return role_of_tunable(each.name) == role; });
    return found == variant.tunables.end() ? nullptr : &*found;
}

/// The value to which a step leads; nothing where the tunable has none there.
std::optional<std::int64_t> after_step(const TunableStep& step, const Tunable& tunable, std::int64_t present,
                                       DType dtype) {
    std::int64_t value = step.value;
    if (step.to == TunableStep::To::dtype_bytes) value = static_cast<std::int64_t>(size_of(dtype));
    if (step.to == TunableStep::To::places) {
        const auto at = std::ranges::lower_bound(tunable.values, present) - tunable.values.begin() + step.places;
        if (at < 0 || at >= std::ssize(tunable.values)) return std::nullopt;
        value = tunable.values[static_cast<std::size_t>(at)];
    }
    const bool is_allowed = std::ranges::contains(tunable.values, value) && value != present;
    return is_allowed ? std::optional(value) : std::nullopt;
}

/// The tunables' new values; empty where a step leads nowhere.
Configuration after_move(const Move& move, const Implementation& implementation, DType dtype) {
    Configuration values;
    for (const TunableStep& step : move.steps) {
        if (step.role.empty()) continue;
        const Tunable* tunable = with_role(implementation.variant, step.role);
        if (tunable == nullptr) return {};
        const auto value = after_step(step, *tunable, implementation.configuration.at(tunable->name), dtype);
        if (!value) return {};
        values[tunable->name] = *value;
    }
    return values;
}

bool is_allowed(const Restrictions& restrictions, const Implementation& implementation, const Configuration& values,
                std::span<const Case> cases) {
    const Result<Implementation> moved = with_fixed(implementation, values);
    return moved && std::ranges::none_of(
                        cases, [&](const Case& each) { return restrictions.violated(*moved, each).has_value(); });
}

/// Whether a move leads from one configuration to the other: it changes just these tunables, each in the direction of
/// its step. Of a strategy with several moves the first that fits counts.
bool fits(const Move& move, const Configuration& before, const Configuration& after) {
    std::size_t differing = 0;
    for (const auto& [name, value] : after) {
        const auto old = before.find(name);
        if (old == before.end() || old->second == value) continue;
        const auto step = std::ranges::find(move.steps, role_of_tunable(name), &TunableStep::role);
        if (step == move.steps.end() || step->role.empty()) return false;
        const bool is_upward = value > old->second;
        const bool has_direction = step->to == TunableStep::To::places
                                       ? is_upward == (step->places > 0)
                                       : step->to == TunableStep::To::dtype_bytes || step->value == value;
        if (!has_direction) return false;
        ++differing;
    }
    const auto steps = std::ranges::count_if(move.steps, [](const TunableStep& step) { return !step.role.empty(); });
    return differing == static_cast<std::size_t>(steps);
}

}  // namespace

std::string_view role_of_tunable(std::string_view name) {
    const auto found = std::ranges::find(named_roles, name, &NamedRole::name);
    return found == std::end(named_roles) ? std::string_view() : found->role;
}

std::vector<Configuration> moves_of(std::string_view strategy, const Implementation& implementation,
                                    std::span<const Case> cases) {
    std::vector<Configuration> found;
    const DType dtype = cases.empty() ? DType::f32 : cases.front().dtype;
    const Restrictions restrictions(implementation.variant);
    for (const Move& move : moves) {
        if (move.strategy != strategy) continue;
        Configuration values = after_move(move, implementation, dtype);
        if (!values.empty() && is_allowed(restrictions, implementation, values, cases))
            found.push_back(std::move(values));
    }
    return found;
}

std::vector<std::string_view> moving_strategies() {
    std::vector<std::string_view> strategies;
    for (const Move& move : moves) {
        if (strategies.empty() || strategies.back() != move.strategy) strategies.push_back(move.strategy);
    }
    return strategies;
}

std::string_view strategy_of_move(const Configuration& before, const Configuration& after) {
    const auto found = std::ranges::find_if(moves, [&](const Move& each) { return fits(each, before, after); });
    return found == std::end(moves) ? std::string_view() : found->strategy;
}

}  // namespace kernelgen
