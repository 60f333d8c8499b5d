// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tune/space.h"

namespace kernelgen {

enum class Strategy { model, exhaustive, random, coarse_to_fine, local };

inline constexpr Strategy all_strategies[] = {Strategy::model, Strategy::exhaustive, Strategy::random,
                                              Strategy::coarse_to_fine, Strategy::local};

std::string_view to_string(Strategy strategy);
std::optional<Strategy> parse_strategy(std::string_view name);

/// The result of a configuration. Lower objectives are better; none: it failed. An objective that is not positive and
/// finite counts as a failure.
struct Trial {
    std::size_t index = 0;
    std::optional<double> objective;
    std::map<std::string, double> resources;  ///< what its build takes, such as registers; may be empty
};

struct SearchOptions {
    std::uint64_t seed = 0;
    std::vector<std::size_t> first;  ///< tried before all others, such as the incumbent
    /// Trials of the same space elsewhere: on other devices, of other cases. Objectives are compared within a list
    /// only.
    std::vector<std::vector<Trial>> history;
};

/// Chooses what to try next. Where seed and answers are the same, so are the questions.
class Searcher {
public:
    virtual ~Searcher() = default;
    /// Up to `count` configurations that were never asked for; fewer or none where the space is exhausted.
    virtual std::vector<std::size_t> ask(int count) = 0;
    /// In any order; several may be asked for before the first is told. A configuration that was told without being
    /// asked for (by a tuning that goes on) is not asked for later.
    virtual void tell(const Trial& trial) = 0;
};

/// `space` must outlive the searcher.
std::unique_ptr<Searcher> make_searcher(Strategy strategy, const TuningSpace& space, const SearchOptions& options);

}  // namespace kernelgen
