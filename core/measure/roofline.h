// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/lang/analysis.h"
#include "core/measure/ceilings.h"

namespace kernelgen {

/// A result above a ceiling by more than this share is implausible.
inline constexpr double most_plausible_fraction = 1.03;

/// A case's place on the measured roofline (Williams, Waterman & Patterson 2009).
struct RooflinePoint {
    double intensity = 0;       ///< FLOP/byte
    double bandwidth_gbps = 0;  ///< effective: bytes of the definition over the median time
    double gflops = 0;
    double bandwidth_ceiling_gbps = 0;
    double gflops_ceiling = 0;
    double attainable_gbps = 0;  ///< the lower ceiling, as bandwidth; `fraction` is the same for FLOPs
    double fraction = 0;         ///< reached share of the attainable; above 1.03 is implausible
    bool memory_bound = true;
    bool implausible = false;
    bool has_ceilings = false;  ///< false: fields that need ceilings are not set
};

/// `seconds` is the median time of one call.
RooflinePoint place_on_roofline(const Analysis& analysis, DType arithmetic, double seconds, const Ceilings& ceilings);

nlohmann::json to_json(const RooflinePoint& point);
RooflinePoint roofline_point_from_json(const nlohmann::json& json);

}  // namespace kernelgen
