// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/said.h"
#include "core/base/status.h"
#include "core/measure/roofline.h"

namespace kernelgen {

/// The work of a call: FLOPs and bytes.
struct ModelCounts {
    std::optional<double> flops;  ///< nothing: no formula counts them
    double bytes_read = 0, bytes_written = 0;
    std::optional<DType> dtype;   ///< of the arithmetic
    bool is_contraction = false;  ///< a product of matrices or a convolution, for which GPUs have tensor cores
};

/// Calls of one operator with the same arguments but for the tensors' values.
struct ModelRow {
    std::vector<int> calls;  ///< their numbers in the order of execution, from 1
    std::string operation;   ///< "aten.addmm"
    std::string signature;   ///< the operator with its arguments: what makes two calls the same
    std::vector<std::string> modules, inputs, outputs;
    ModelCounts counts;  ///< of one call
    double seconds = 0;  ///< median of one call, alone
    int runs = 0;
    bool is_random = false;
};

/// A sequence of calls, each of which uses the result of the one before; `counts` is the work of one kernel for all.
struct ModelGroup {
    std::vector<int> places;  ///< where the sequence occurs: the number of its first call, for each time
    int length = 0;           ///< calls in the sequence
    std::vector<std::string> operations;
    ModelCounts counts;
};

/// A model's operators as they were measured (docs/MODEL.md).
struct ModelProfile {
    double seconds = 0;  ///< median of the whole
    int runs = 0;
    int views = 0;  ///< calls that only make a view of a tensor; they are in no row
    std::vector<ModelRow> rows;
    std::vector<ModelGroup> groups;
    std::vector<Said> notes;

    int calls() const;
    double seconds_of_calls() const;
    /// The time to which shares refer: that of the whole model, or the sum of its calls where that is longer.
    double total() const;
    /// The row of each call, in order.
    std::vector<const ModelRow*> by_call() const;
};

/// The share of a model's time that some calls take, and the most that making them faster could gain.
struct ModelShare {
    double seconds = 0;  ///< of all these calls
    double share = 0;    ///< of the total
    RooflinePoint point;
    /// The model's speedup if these calls ran at the roofline's ceiling (Amdahl 1967); nothing without ceilings.
    std::optional<double> gain;
};

ModelShare share_of(const ModelProfile& profile, const ModelRow& row, const Ceilings& ceilings);
ModelShare share_of(const ModelProfile& profile, const ModelGroup& group, const Ceilings& ceilings);

/// Throws std::exception where `json` is not what the Python side answers.
ModelProfile model_profile_from_json(const nlohmann::json& json);

}  // namespace kernelgen
