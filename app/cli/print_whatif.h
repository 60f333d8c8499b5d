// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "app/cli/whatif_builds.h"
#include "core/bench/hampered.h"
#include "core/engine/hamper.h"
#include "core/report/phrases.h"
#include "core/tune/tuning.h"
#include "core/whatif/forecast.h"
#include "gpu/cuda/residency.h"

namespace kernelgen::cli {

/// A kernel that was tuned anew on the hampered device.
struct TunedAgain {
    Tuning tuning;
    HamperResult
        timing;  ///< of the kernel as it was, then of the tuned one, in pairs with the former on the whole device
};

/// One case on the other device.
struct WhatifCase {
    CasePrediction asked;                       ///< of the device that was asked for
    std::optional<HeldBack> held;               ///< with --measure on a GPU
    std::optional<HamperResult> measured;       ///< with --measure
    std::optional<CasePrediction> as_measured;  ///< of what was really left of this device
    std::optional<Result<TunedAgain>> tuned;    ///< with --tune
    std::optional<CappedBuild> capped;          ///< with --measure, where a GPU has fewer registers
};

struct WhatifAnswer {
    ForecastBase base;
    OtherDevice other;
    std::vector<WhatifCase> cases;
};

std::string flag_of(Resource resource);  ///< "--shared-memory"

/// The shares of a device's bandwidth and arithmetic that were left while the neighbour took the rest.
DeviceRatios ratios_left(const HamperResult& measured);

void print_whatif(std::ostream& out, const WhatifAnswer& answer, const Phrases& say);
nlohmann::ordered_json whatif_document(const WhatifAnswer& answer);

}  // namespace kernelgen::cli
