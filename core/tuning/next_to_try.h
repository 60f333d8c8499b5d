// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "core/tune/searcher.h"
#include "core/tune/tuning.h"

namespace kernelgen {

/// Chooses what a search tries next: what its strategy asks for, or what is near the best so far.
class NextToTry {
public:
    /// `space` must outlive it.
    NextToTry(const TuningSpace& space, Strategy strategy, const SearchOptions& options)
        : space_(space), first_(options.first), searcher_(make_searcher(strategy, space, options)) {}

    void tell(const Tried& tried);
    /// Up to `count` configurations of the space that it never chose, that `tuning` has not tried, and that are not its
    /// incumbent; none where nothing is left. `near_best`: of those that differ from the best in one tunable, as long
    /// as there are some, and all that was known was tried.
    std::vector<Configuration> choose(int count, const Tuning& tuning, bool near_best);

private:
    std::vector<std::size_t> near_the_best_of(const Tuning& tuning, int count);

    const TuningSpace& space_;
    std::vector<std::size_t> first_;  ///< places that the searcher gives out first: what is known
    std::unique_ptr<Searcher> searcher_;
    std::set<std::size_t> chosen_;  ///< places in the space
};

}  // namespace kernelgen
