// SPDX-License-Identifier: Apache-2.0
#include "core/tune/space_builder.h"

#include <algorithm>
#include <format>
#include <limits>
#include <optional>
#include <random>
#include <ranges>
#include <set>
#include <utility>

#include "core/base/json_reader.h"

namespace kernelgen {

namespace {

constexpr std::size_t most_parameters = 100;
/// The most partial configurations that are tried, which takes some seconds.
constexpr std::size_t most_tried = 10'000'000;

Said too_many_configurations() {
    return say(
        "the space has more than {} configurations; give fewer values, or restrictions over the first parameters",
        TuningSpace::most_configurations);
}

}  // namespace

SpaceBuilder::SpaceBuilder(std::vector<Tunable> parameters, Sizes sizes) {
    space_.parameters_ = std::move(parameters);
    space_.sizes_ = std::move(sizes);
    values_ = space_.sizes_;
    for (const Tunable& each : space_.parameters_) parameter_values_.push_back(&values_[each.name]);
    row_.resize(space_.parameters_.size());
}

Result<void> SpaceBuilder::read(const std::vector<std::string>& restrictions,
                                const TuningSpace::Expressions& expressions) {
    if (Result<void> checked = check_parameters(); !checked) return std::unexpected(checked.error());
    std::vector<std::string> terms = expressions.terms;
    for (std::size_t i = 0; i < expressions.let.size(); ++i) {
        Validated<Let> let = parse_let(expressions.let[i], std::format("let[{}]", i));
        if (!let) return fail(to_string(let.error().front()));
        terms.push_back(let->name);
        if (Result<void> added = add_step({let->name, 0, let->expression}); !added)
            return std::unexpected(added.error());
        space_.let_.push_back(std::move(*let));
    }
    for (std::size_t i = 0; i < restrictions.size(); ++i) {
        Validated<IntegerExpression> restriction =
            IntegerExpression::parse(restrictions[i], std::format("restrictions[{}]", i));
        if (!restriction) return fail(to_string(restriction.error().front()));
        std::ranges::copy(restriction->parts(), std::back_inserter(terms));
        if (Result<void> added = add_step({"", i, *restriction}); !added) return std::unexpected(added.error());
    }
    drop_unneeded_steps();
    add_terms(terms);
    space_.forbidden_.resize(restrictions.size());
    listed_.resize(restrictions.size());
    return {};
}

Result<TuningSpace> SpaceBuilder::build(const std::vector<std::string>& restrictions,
                                        const TuningSpace::Expressions& expressions) {
    if (Result<void> done = read(restrictions, expressions); !done) return std::unexpected(done.error());
    if (Result<void> done = enumerate(0); !done) return std::unexpected(done.error());
    if (space_.positions_.empty())
        return fail("no configuration satisfies all restrictions: change them, or give the tunables other values");
    return std::move(space_);
}

/// Sets all parameters, each to the value at the position that is chosen for it. Returns the first restriction that
/// forbids it.
std::optional<std::size_t> SpaceBuilder::forbidding(const std::function<std::size_t(const Tunable&)>& value) {
    for (std::size_t depth = 0; depth < space_.parameters_.size(); ++depth) {
        const Tunable& parameter = space_.parameters_[depth];
        row_[depth] = static_cast<std::uint16_t>(value(parameter));
        *parameter_values_[depth] = parameter.values[row_[depth]];
        if (const auto restriction = forbidding_at(depth + 1)) return restriction;
    }
    return std::nullopt;
}

/// How many of all combinations each restriction forbids, by how many of `draws` at random it forbade.
std::vector<std::uint64_t> SpaceBuilder::estimate(const std::vector<std::uint64_t>& drawn, std::uint64_t draws) const {
    const auto all = static_cast<long double>(count_combinations(space_.parameters_));
    std::vector<std::uint64_t> estimates;
    for (const std::uint64_t each : drawn) {
        const long double share = static_cast<long double>(each) / std::max<std::uint64_t>(1, draws);
        estimates.push_back(static_cast<std::uint64_t>(all * share));  // never above all
    }
    return estimates;
}

Result<TuningSpace> SpaceBuilder::draw(const std::vector<std::string>& restrictions,
                                       const TuningSpace::Expressions& expressions, std::size_t count) {
    if (Result<void> done = read(restrictions, expressions); !done) return std::unexpected(done.error());
    constexpr std::size_t draws_of_each = 50;      // where restrictions forbid most, there are fewer configurations
    constexpr std::size_t most_in_vain = 500'000;  // one after the other: about a second
    std::mt19937_64 random{count};
    const auto at_random = [&](const Tunable& each) { return random() % each.values.size(); };
    const auto default_of = [](const Tunable& each) {
        const auto place = std::ranges::find(each.values, each.value) - each.values.begin();
        return static_cast<std::size_t>(place) % each.values.size();
    };
    const auto near = [&](const Tunable& each) { return random() % 2 == 0 ? default_of(each) : at_random(each); };
    std::set<std::vector<std::uint16_t>> rows;
    std::vector<std::uint64_t> forbidden(restrictions.size());
    std::uint64_t draws = 0;
    const bool is_allowed = !forbidding_at(0);
    if (is_allowed && !forbidding(default_of)) rows.insert(row_);
    for (std::size_t i = 0, last = 0; is_allowed && i < draws_of_each * count && rows.size() < count; ++i) {
        if (i - last > most_in_vain) break;
        const bool is_near = i % 2 == 0;
        const auto restriction = is_near ? forbidding(near) : forbidding(at_random);
        if (!is_near) ++draws;
        if (!is_near && restriction) ++forbidden[*restriction];
        if (!restriction && rows.insert(row_).second) last = i;
    }
    space_.forbidden_ = estimate(forbidden, draws);
    for (const auto& row : rows) space_.positions_.insert(space_.positions_.end(), row.begin(), row.end());
    if (rows.empty()) return fail("no configuration was found that satisfies all restrictions");
    return std::move(space_);
}

Result<TuningSpace> SpaceBuilder::take(const std::vector<Configuration>& configurations) {
    if (Result<void> checked = check_parameters(); !checked) return std::unexpected(checked.error());
    if (configurations.size() > TuningSpace::most_configurations) return fail(too_many_configurations());
    std::set<std::vector<std::uint16_t>> rows;
    for (const Configuration& each : configurations) {
        auto row = space_.row_of(each);
        if (!row) return fail("a configuration lacks a parameter, or has a value that is not among those allowed");
        rows.insert(std::move(*row));
    }
    for (const auto& row : rows) space_.positions_.insert(space_.positions_.end(), row.begin(), row.end());
    if (rows.empty()) return fail("there are no configurations");
    return std::move(space_);
}

Result<void> SpaceBuilder::check_parameters() const {
    const std::vector<Tunable>& parameters = space_.parameters_;
    if (parameters.empty()) return fail("the space has no parameters, so there is nothing to tune");
    if (parameters.size() > most_parameters)
        return fail(say("the space has more than {} parameters; give fewer", most_parameters));
    std::set<std::string> names;
    for (const Tunable& each : parameters) {
        const std::string name = in_backquotes(each.name);
        if (!names.insert(each.name).second) return fail(say("parameter {} is there twice", name));
        if (each.values.empty()) return fail(say("parameter {} has no values", name));
        if (each.values.size() > std::numeric_limits<std::uint16_t>::max())
            return fail(say("parameter {} has more than 65,535 values; give fewer", name));
        const std::set<std::int64_t> values(each.values.begin(), each.values.end());
        if (values.size() != each.values.size()) return fail(say("parameter {} has a value twice", name));
    }
    return {};
}

/// Finds after which parameter all names have values.
Result<void> SpaceBuilder::add_step(Step step) {
    std::vector<std::string> known;
    for (const auto& [size, value] : space_.sizes_) known.push_back(size);
    for (const Tunable& each : space_.parameters_) known.push_back(each.name);
    for (const Step& each : steps_) {
        if (!each.name.empty()) known.push_back(each.name);
    }
    if (const Diagnostics unknown = step.expression.check_names(known); !unknown.empty())
        return fail(to_string(unknown.front()));
    for (const std::string& each : step.expression.names()) {
        for (std::size_t i = 0; i < space_.parameters_.size(); ++i) {
            if (space_.parameters_[i].name == each) step.depth = std::max(step.depth, i + 1);
        }
        for (const Step& other : steps_) {
            if (other.name == each) step.depth = std::max(step.depth, other.depth);
        }
    }
    steps_.push_back(std::move(step));
    return {};
}

/// A `let` that no restriction names, also through others, need not be computed for each configuration.
void SpaceBuilder::drop_unneeded_steps() {
    std::set<std::string> needed;
    std::vector<Step> kept;
    for (Step& each : std::views::reverse(steps_)) {
        if (!each.name.empty() && !needed.contains(each.name)) continue;
        for (std::string& name : each.expression.names()) needed.insert(std::move(name));
        kept.push_back(std::move(each));
    }
    std::ranges::reverse(kept);
    steps_ = std::move(kept);
}

/// Keeps what can be read and is no single parameter, each text once.
void SpaceBuilder::add_terms(const std::vector<std::string>& texts) {
    std::set<std::string> seen;
    for (const Tunable& each : space_.parameters_) seen.insert(each.name);
    for (const std::string& text : texts) {
        if (!seen.insert(text).second) continue;
        if (auto term = IntegerExpression::parse(text, "term")) space_.terms_.push_back(std::move(*term));
    }
}

/// The first restriction, of those that can be computed since `depth` parameters are set, that does not hold.
std::optional<std::size_t> SpaceBuilder::forbidding_at(std::size_t depth) {
    for (const Step& step : steps_) {
        if (step.depth != depth) continue;
        const Result<std::int64_t> value = step.expression.evaluate(values_);
        if (!step.name.empty()) {
            values_.erase(step.name);
            if (value) values_[step.name] = *value;
        } else if (!value || *value == 0) {
            return step.restriction;
        }
    }
    return std::nullopt;
}

/// Counts, and lists as far as is asked, the configurations that begin with the first `depth` values of the row.
void SpaceBuilder::count_forbidden(std::size_t restriction, std::size_t depth) {
    const std::span<const Tunable> free = std::span(space_.parameters_).subspan(depth);
    std::uint64_t& count = space_.forbidden_[restriction];
    if (__builtin_add_overflow(count, count_combinations(free), &count)) count = UINT64_MAX;
    std::set<Configuration>& listed = listed_[restriction];
    for (Configuration& each : first_combinations(free, most_listed_ - listed.size())) {
        for (std::size_t i = 0; i < depth; ++i) each[space_.parameters_[i].name] = *parameter_values_[i];
        listed.insert(std::move(each));
    }
}

/// Lists configurations that are found at random.
void SpaceBuilder::draw_forbidden() {
    constexpr int draws = 200'000;
    std::mt19937_64 random{draws};
    const auto at_random = [&](const Tunable& each) { return random() % each.values.size(); };
    for (int i = 0; i < draws; ++i) {
        const auto restriction = forbidding(at_random);
        if (!restriction || listed_[*restriction].size() >= most_listed_) continue;
        Configuration configuration;  // of the values that were set now, and for the rest of those of an earlier draw
        for (std::size_t place = 0; place < row_.size(); ++place)
            configuration[space_.parameters_[place].name] = space_.parameters_[place].values[row_[place]];
        listed_[*restriction].insert(std::move(configuration));
    }
}

Result<std::vector<TuningSpace::Forbidden>> SpaceBuilder::list_forbidden(const std::vector<std::string>& restrictions,
                                                                         const TuningSpace::Expressions& expressions,
                                                                         std::size_t most_of_each) {
    most_listed_ = most_of_each;
    if (Result<void> done = read(restrictions, expressions); !done) return std::unexpected(done.error());
    if (!enumerate(0)) draw_forbidden();  // the space is too large
    std::vector<TuningSpace::Forbidden> forbidden;
    for (std::size_t i = 0; i < listed_.size(); ++i) {
        if (!listed_[i].empty()) forbidden.push_back({i, {listed_[i].begin(), listed_[i].end()}});
    }
    return forbidden;
}

Result<void> SpaceBuilder::enumerate(std::size_t depth) {
    if (const auto restriction = forbidding_at(depth)) {
        count_forbidden(*restriction, depth);
        return {};
    }
    if (depth == space_.parameters_.size()) {
        if (space_.size() == TuningSpace::most_configurations) return fail(too_many_configurations());
        space_.positions_.insert(space_.positions_.end(), row_.begin(), row_.end());
        return {};
    }
    const Tunable& parameter = space_.parameters_[depth];
    for (std::size_t i = 0; i < parameter.values.size(); ++i) {
        if (++tried_ > most_tried)
            return fail(say(
                "the space has more than {} combinations of values to check; give fewer values, or restrictions over "
                "the first parameters",
                most_tried));
        row_[depth] = static_cast<std::uint16_t>(i);
        *parameter_values_[depth] = parameter.values[i];
        if (Result<void> done = enumerate(depth + 1); !done) return done;
    }
    return {};
}

}  // namespace kernelgen
