// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/lang/integer_expression.h"
#include "core/project/values.h"

namespace kernelgen {

/// The number of all combinations of the parameters' values; the largest number where it is larger than that.
std::uint64_t count_combinations(std::span<const Tunable> parameters);
/// The first `most` of these combinations; the last parameter changes fastest.
std::vector<Configuration> first_combinations(std::span<const Tunable> parameters, std::size_t most);

/// All configurations of some parameters that satisfy the restrictions, each with an index.
class TuningSpace {
public:
    /// The most configurations of a space.
    static constexpr std::size_t most_configurations = 1'000'000;

    /// Names that the expressions of a space may use beside parameters and sizes, and terms that searchers learn from.
    struct Expressions {
        std::vector<std::string> let;  ///< "name = expression", as a variant's
        std::vector<std::string>
            terms;  ///< of the launch: grid, block, shared memory; one that cannot be read is left out
    };

    /// `parameters`: names with allowed values; `value` is the default. `restrictions`: integer expressions over the
    /// parameters and over `sizes` (symbols, dtype_bytes, device.*); where one cannot be computed, such as a division
    /// by zero, it does not hold. Errors: a parameter without values or with one twice, a restriction that cannot be
    /// read, an unknown name, too many configurations, no configuration that satisfies all restrictions.
    static Result<TuningSpace> make(std::vector<Tunable> parameters, std::vector<std::string> restrictions, Sizes sizes,
                                    Expressions expressions = {});

    /// A part of a space that is too large: `count` configurations at most, drawn at random. All have values that are
    /// allowed and satisfy the restrictions; half of them keep about half of the parameters' defaults, which are among
    /// them where they are allowed. The same arguments give the same space. Errors: as `make`, but none for its size.
    static Result<TuningSpace> part(std::vector<Tunable> parameters, std::vector<std::string> restrictions, Sizes sizes,
                                    Expressions expressions, std::size_t count);

    /// Configurations that a restriction is the first to forbid, as `forbidden` counts them.
    struct Forbidden {
        std::size_t restriction = 0;  ///< its place among the restrictions
        std::vector<Configuration> configurations;
    };
    /// Some of the configurations that each restriction is the first to forbid; of a space that is too large only those
    /// that are found in some seconds. Restrictions that forbid none are left out. Errors: as `make`, but none for the
    /// size, and none where no configuration is left.
    static Result<std::vector<Forbidden>> forbidden_in(std::vector<Tunable> parameters,
                                                       std::vector<std::string> restrictions, Sizes sizes,
                                                       Expressions expressions, std::size_t most_of_each);

    /// The space of exactly these configurations, such as those of a recording. Errors: one that lacks a parameter or
    /// has another value than those allowed; too many; none.
    static Result<TuningSpace> of(std::vector<Tunable> parameters, const std::vector<Configuration>& configurations);

    const std::vector<Tunable>& parameters() const { return parameters_; }
    std::size_t size() const { return parameters_.empty() ? 0 : positions_.size() / parameters_.size(); }
    Configuration at(std::size_t index) const;
    std::optional<std::size_t> find(const Configuration& configuration) const;

    /// The place of each parameter's value among its values, in the order of `parameters`.
    std::span<const std::uint16_t> positions(std::size_t index) const;
    std::optional<std::size_t> find(std::span<const std::uint16_t> positions) const;

    /// The configurations that differ in one parameter, by the nearest value up and down that the space has.
    std::vector<std::size_t> neighbours(std::size_t index) const;

    /// How many of all combinations of the parameters' values each restriction, by its place, is the first to forbid.
    /// They are checked as soon as the parameters that they name have values, in the order of the parameters. Of a part
    /// these are estimates, from what was drawn.
    const std::vector<std::uint64_t>& forbidden() const { return forbidden_; }

    /// Expressions that say something about a configuration: the terms, and every part of a restriction that is a
    /// number but no single parameter, such as the threads of a block.
    const std::vector<IntegerExpression>& terms() const { return terms_; }
    /// The values of each term for these configurations; NaN where one cannot be computed.
    std::vector<std::vector<double>> values_of_terms(std::span<const std::size_t> indices) const;

private:
    friend class SpaceBuilder;
    TuningSpace() = default;
    std::optional<std::vector<std::uint16_t>> row_of(const Configuration& configuration) const;

    std::vector<Tunable> parameters_;
    std::vector<std::uint16_t> positions_;  ///< a row for each configuration, rows ascending
    std::vector<std::uint64_t> forbidden_;  ///< by restriction
    Sizes sizes_;
    std::vector<Let> let_;
    std::vector<IntegerExpression> terms_;
};

}  // namespace kernelgen
