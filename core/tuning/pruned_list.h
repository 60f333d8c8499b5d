// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/tuning/case_space.h"
#include "core/tuning/tune.h"
#include "core/tuning/worker_pool.h"

namespace kernelgen {

/// A configuration that is never tried, and why.
struct PrunedConfiguration {
    Configuration configuration;
    Said reason;
};

/// What a tuning never tries of a case.
struct PrunedCase {
    Case binding;
    std::size_t configurations = 0;  ///< that may be tried
    std::vector<Pruned> counts;
    std::vector<PrunedConfiguration> listed;

    std::uint64_t count_unlisted() const;  ///< those that `counts` has and `listed` lacks
};

/// The configurations that `made.pruned` counts, up to `most_of_each` for each reason. Of a space that is too large to
/// be enumerated, only those that are found in some seconds, and none that were left out at random. `made` is the space
/// of a case of this variant.
std::vector<PrunedConfiguration> list_pruned(const Variant& variant, const CaseSpace& made, std::size_t most_of_each);

/// The same for all cases of a plan, as a tuning that begins now on the worker's device would leave them out. Errors:
/// no configuration is allowed for a case.
Result<std::vector<PrunedCase>> pruned_by_case(const TunePlan& plan, const TuningWorker& worker,
                                               std::size_t most_of_each, std::stop_token stop);

/// The same of a recorded tuning of the project, as it left them out. Errors: the variant or the definition was changed
/// since; a source that cannot be read.
Result<PrunedCase> pruned_by_tuning(const Project& project, const TuningHead& head, std::size_t most_of_each);

}  // namespace kernelgen
