// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/files/model_part.h"
#include "core/measure/model_profile.h"

namespace kernelgen::cli {

/// A profile with all that is told of it.
struct ModelReport {
    std::string file, case_name, device;
    ModelProfile profile;
    Ceilings ceilings;
    std::vector<ModelReplacement> replacements;

    double seconds_with_replacements() const;  ///< the total's
};

nlohmann::ordered_json to_json(const ModelReport& report);
void print_model(const ModelReport& report, bool markdown);

}  // namespace kernelgen::cli
