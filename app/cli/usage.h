// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace kernelgen::cli {

/// The first argument that is no option must name a command: where it names none, what is wrong, with the nearest.
std::optional<Diagnostic> unknown_command(const CLI::App& app, const std::vector<std::string>& arguments);

/// What is wrong with the arguments that `error` refused, in this program's words, with the nearest option where one
/// is unknown. `where` is the command.
Diagnostics usage_errors(const CLI::App& app, const CLI::ParseError& error);

}  // namespace kernelgen::cli
