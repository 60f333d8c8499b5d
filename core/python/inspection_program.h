// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>

#include "core/base/result.h"

namespace kernelgen {

/// Runs one of the programs in resources/python that read a JSON document on stdin and write one to stdout. Errors,
/// with what to do: there is no interpreter, it is too old, it takes longer than `limit`, or `stop` was requested.
Result<nlohmann::json> run_inspection(const std::string& program, const nlohmann::json& request,
                                      std::chrono::seconds limit = std::chrono::minutes(1), std::stop_token stop = {});

/// The same of a program that executes the user's code: under a keeper (core/base/keeper.h), which limits its processes
/// and ends all that it has started.
Result<nlohmann::json> run_kept(const std::string& program, const nlohmann::json& request, std::chrono::seconds limit,
                                std::stop_token stop);

}  // namespace kernelgen
