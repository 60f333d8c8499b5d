// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <span>

#include "core/project/project.h"
#include "core/report/phrases.h"
#include "core/round/history.h"

namespace kernelgen::cli {

/// A table of rounds.
void print_rounds(std::ostream& out, std::span<const Round> rounds, const Phrases& say);

/// The JSON document of `rounds --json`.
nlohmann::ordered_json rounds_document(const History& history, const Project& project);

}  // namespace kernelgen::cli
