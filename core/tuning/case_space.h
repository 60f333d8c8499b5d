// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <vector>

#include "core/engine/run.h"
#include "core/tune/space.h"
#include "core/tune/tuning.h"

namespace kernelgen {

/// The configurations of a plan's variant that are worth a build on its case.
struct CaseSpace {
    TuningSpace space;
    std::vector<std::string> restrictions;  ///< the variant's, and what launches may ask of the device
    Sizes sizes;                            ///< what expressions name: symbols, `device.*`
    std::vector<Pruned> pruned;
    std::vector<Tunable> chosen;  ///< with all values that may take part, before tiles were left out
    /// By place in `space`, configurations that are not tried since they did not build before
    /// (core/tuning/failed_before.h), and why.
    std::map<std::size_t, Said> failed_before;

    std::size_t count() const { return space.size() - failed_before.size(); }  ///< of configurations that may be tried
};

/// Why a value of this tunable is not tried.
Said larger_than_case(const std::string& tunable);
/// Why the configurations are not tried that the restriction at this place of `CaseSpace::restrictions` forbids.
Said forbidden_by(const CaseSpace& made, const Variant& variant, std::size_t place);

/// The plan with this case alone, and its candidate in the configuration that it has for the case.
RunPlan with_case(RunPlan plan, const Case& binding);

/// The plan with its candidate in this configuration.
RunPlan with_configuration(RunPlan plan, const Configuration& configuration);

/// The plan that is run, recorded and kept where a configuration is recommended for the plan's case: `whole`, the
/// variant with its rules by case, with this configuration for the case. `plan` has one case and the device's numbers.
RunPlan recommended(RunPlan plan, const Implementation& whole, const Configuration& configuration);

/// Leaves out configurations that the variant's restrictions forbid, launches that the device refuses, and tiles that
/// are larger than the case where a smaller one covers it already; the present configuration's own values stay. `plan`
/// has one case and the device's numbers. Where a space is too large, a part of it is kept, drawn at random and around
/// the present configuration. Only values in `chosen`, which the tunables must have, take part. Errors: nothing to
/// tune; none is allowed.
Result<CaseSpace> space_for(const RunPlan& plan, const ChosenValues& chosen = {});

}  // namespace kernelgen
