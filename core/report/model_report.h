// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/bench/model.h"
#include "core/files/model_part.h"
#include "core/measure/model_profile.h"
#include "core/report/markdown.h"

namespace kernelgen {

/// A model's operators with all that is told of them (docs/MODEL.md).
struct ModelReport {
    std::string file, case_name, device;
    ModelProfile profile;
    Ceilings ceilings;
    std::vector<ModelReplacement> replacements;

    double seconds_with_replacements() const;  ///< the total's
};

/// Errors: an answer that is no profile.
Result<ModelReport> model_report(const std::string& file, const ModelRequest& request, const ModelAnswer& answer,
                                 const Ceilings& ceilings);

/// Puts projects in the place of their calls, and of no others. Errors: a project whose calls the model does not make,
/// or another project has taken.
Result<void> replace_calls(ModelReport& report, const std::vector<MeasuredPart>& parts);

/// A part of a model with its share.
template <class Part>
struct Ranked {
    const Part* part;
    ModelShare share;
};

/// The rows or groups, ranked by their gain; without ceilings, by their time.
std::vector<Ranked<ModelRow>> ranked_rows(const ModelReport& report);
std::vector<Ranked<ModelGroup>> ranked_groups(const ModelReport& report);

// Numbers of a row or a group, each as every report shows it.
std::string chain_text(const ModelGroup& group);        ///< "conv > relu_"
std::string place_text(const ModelRow& row);            ///< the modules: "layer1.conv +2"
std::string bytes_text(const ModelCounts& counts);      ///< "4.2 MB"
std::string intensity_text(const ModelCounts& counts);  ///< "-" where FLOPs are not counted
std::string share_text(const ModelShare& share);        ///< "12.3 %"
std::string gain_text(const ModelShare& share);         ///< "1.234×"; "-" without ceilings

/// The whole report as text; `table` lays a table out.
std::string model_text(const ModelReport& report, const std::function<std::string(const MarkdownTable&)>& table);
nlohmann::ordered_json to_json(const ModelReport& report);

}  // namespace kernelgen
