// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/files/import.h"
#include "core/measure/model_profile.h"
#include "core/round/record.h"

namespace kernelgen {

/// Calls of a model as a project of family `callable`. `part`: the definition that the model's process wrote, with the
/// signatures of the calls that each case stands for; `model`: the file's name. The project remembers them in
/// `model.json`. Errors: an answer that is not one.
Validated<ImportedSet> project_of_part(const nlohmann::json& part, const std::string& model, const std::string& name);

/// The signatures of the calls that each case of a project stands for, by the case's name.
using CallsByCase = std::map<std::string, std::vector<std::string>>;

/// A project that was made of a model's calls, with its fastest right round on a device.
struct MeasuredPart {
    std::string folder;
    CallsByCase calls;
    Round round;
};

/// Errors: the folder is no project that was made of a model; no round is right and timed on the device.
Result<MeasuredPart> load_measured_part(const std::filesystem::path& project, const std::string& device);

/// A project in the place of the calls that it was made of.
struct ModelReplacement {
    std::string folder;
    std::string variant;
    int round = 0;
    double speedup = 0;                  ///< of these calls together
    std::vector<int> places;             ///< the numbers of the first calls
    std::vector<std::string> not_timed;  ///< cases that the round has not timed: their calls stay as they are
    double seconds_before = 0;           ///< of all these calls
    double seconds_after = 0;            ///< by the speedups that the round measured in its cases
};

/// Puts a project's round in the place of its calls; `taken`, one for each call, says which are replaced already.
/// Errors: the model makes no such calls.
Result<ModelReplacement> replace_calls(const ModelProfile& profile, const MeasuredPart& part, std::vector<bool>& taken);

}  // namespace kernelgen
