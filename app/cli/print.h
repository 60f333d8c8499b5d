// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "core/backend/build.h"
#include "core/measure/metrics.h"
#include "core/project/configuration_text.h"
#include "core/round/history.h"

namespace kernelgen::cli {

/// A table of cells under headings. Columns are as wide as their content; columns of numbers are right-aligned.
struct Table {
    std::vector<std::string> headings;
    std::vector<std::vector<std::string>> rows;
};
void print_table(std::ostream& out, Table table);

/// `text` with blanks for control characters, which a terminal would obey.
std::string one_line(std::string text);

/// The number of columns in which a terminal shows UTF-8 text (one for each code point).
std::size_t display_width(std::string_view text);

std::string seconds_text(double seconds);  ///< "2.53 ms"

std::string name_of(const Metric& metric);                   ///< "bandwidth", as the heading of a column or in a line
std::string value_text(const Metric& metric, double value);  ///< "33.0 GB/s"

void print_build(std::ostream& out, const BuildResult& result);
void print_verification(std::ostream& out, const VerifyResult& result);
/// Prints a round with what its builds take. The first line says whether it is noisy; a round that could not be
/// recorded has no number.
void print_round(std::ostream& out, const RoundDetail& detail, bool recorded);

/// The JSON document of `run --json` and `rounds PROJECT ROUND --json`: the round's line, its checks, what its builds
/// take, and its timings without raw samples.
nlohmann::ordered_json round_document(const RoundDetail& detail, bool recorded);

/// "3 of 5 planned rounds spent"
std::string spent_text(std::size_t rounds, const Project& project);

/// Quotes a text as one word of a shell's command line, where that is needed.
std::string as_word(std::string_view text);
/// The same of a path, or of what else must not be taken for an option.
std::string in_shell(std::string_view path);

}  // namespace kernelgen::cli
