// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace kernelgen::cli {

/// If the first argument that is not an option is not a command: an error that suggests the nearest command.
std::optional<Diagnostic> unknown_command(const CLI::App& app, const std::vector<std::string>& arguments);

/// The message for arguments that `error` refused, in this program's words; for an unknown option with the nearest one.
/// `where` is the command.
Diagnostics usage_errors(const CLI::App& app, const CLI::ParseError& error);

}  // namespace kernelgen::cli
