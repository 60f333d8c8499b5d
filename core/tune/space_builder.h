// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
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
    Result<TuningSpace> take(const std::vector<Configuration>& configurations);

private:
    /// A `let` (with a name) or a restriction (without) that can be computed once the first `depth` parameters are set.
    struct Step {
        std::string name;
        IntegerExpression expression;
        std::size_t depth = 0;
    };

    Result<void> check_parameters() const;
    Result<void> read(const std::vector<std::string>& restrictions, const TuningSpace::Expressions& expressions);
    bool choose(const std::function<std::size_t(const Tunable&)>& value);
    Result<void> add_step(const std::string& name, IntegerExpression expression);
    void drop_unneeded_steps();
    void add_terms(const std::vector<std::string>& texts);
    bool holds(std::size_t depth);
    Result<void> enumerate(std::size_t depth);

    TuningSpace space_;
    std::vector<Step> steps_;
    Sizes values_;
    std::vector<std::int64_t*> parameter_values_;  ///< in `values_`
    std::vector<std::uint16_t> row_;
    std::size_t tried_ = 0;
};

}  // namespace kernelgen
