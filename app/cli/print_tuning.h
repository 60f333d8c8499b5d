// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>

#include "core/report/phrases.h"
#include "core/tune/tuning_list.h"
#include "core/tuning/tune.h"

namespace kernelgen::cli {

/// Where a tuning stands, on one line.
std::string line_of(const TuneState& state);

/// One line for each reason.
void print_pruned(std::ostream& out, const std::vector<Pruned>& pruned);

/// What came of one case, as text and as `tune --json` has it.
void print_tuning(std::ostream& out, const CaseTuning& done, const Project& project);
nlohmann::ordered_json tuning_document(const CaseTuning& done);

/// A tuning in words, for the round that was recorded of it.
void print_tuning_of_round(std::ostream& out, const ListedTuning& tuning);

/// A table of a project's tunings, and as `rounds --json` has them.
void print_tunings(std::ostream& out, const std::vector<ListedTuning>& tunings, const Phrases& say);
nlohmann::ordered_json tunings_document(const std::vector<ListedTuning>& tunings);

}  // namespace kernelgen::cli
