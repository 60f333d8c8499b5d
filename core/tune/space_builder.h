// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/tune/space.h"

namespace kernelgen {

/// Enumerates a space parameter by parameter. A restriction is checked as soon as all that it names has a value, so
/// that most of the configurations that it excludes are never made.
class SpaceBuilder {
public:
    SpaceBuilder(std::vector<Tunable> parameters, Sizes sizes);
    Result<TuningSpace> build(const std::vector<std::string>& restrictions,
                              const TuningSpace::Expressions& expressions);
    Result<TuningSpace> draw(const std::vector<std::string>& restrictions, const TuningSpace::Expressions& expressions,
                             std::size_t count);
    Result<std::vector<TuningSpace::Forbidden>> list_forbidden(const std::vector<std::string>& restrictions,
                                                               const TuningSpace::Expressions& expressions,
                                                               std::size_t most_of_each);
    Result<TuningSpace> take(const std::vector<Configuration>& configurations);

private:
    /// A `let` (with a name) or a restriction (without) that can be computed once the first `depth` parameters are set.
    struct Step {
        std::string name;
        std::size_t restriction = 0;  ///< its place
        IntegerExpression expression;
        std::size_t depth = 0;
    };

    Result<void> check_parameters() const;
    Result<void> read(const std::vector<std::string>& restrictions, const TuningSpace::Expressions& expressions);
    std::optional<std::size_t> forbidding(const std::function<std::size_t(const Tunable&)>& value);
    Result<void> add_step(Step step);
    void drop_unneeded_steps();
    void add_terms(const std::vector<std::string>& texts);
    std::optional<std::size_t> forbidding_at(std::size_t depth);
    Result<void> enumerate(std::size_t depth);
    void count_forbidden(std::size_t restriction, std::size_t depth);
    void draw_forbidden();
    std::vector<std::uint64_t> estimate(const std::vector<std::uint64_t>& drawn, std::uint64_t draws) const;

    TuningSpace space_;
    std::vector<Step> steps_;
    Sizes values_;
    std::vector<std::int64_t*> parameter_values_;  ///< in `values_`
    std::vector<std::uint16_t> row_;
    std::size_t tried_ = 0;
    std::vector<std::set<Configuration>> listed_;  ///< that each restriction forbids
    std::size_t most_listed_ = 0;                  ///< of each restriction
};

}  // namespace kernelgen
