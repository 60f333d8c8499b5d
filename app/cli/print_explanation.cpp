// SPDX-License-Identifier: Apache-2.0
#include "app/cli/print_explanation.h"

#include <algorithm>
#include <format>

#include "core/base/cause_sentences.h"
#include "core/base/text.h"

namespace kernelgen::cli {

namespace {

constexpr std::int64_t most_map_lines = 24;
constexpr std::size_t most_short_causes = 2;
constexpr std::size_t most_printed_elements = 6;

std::string percent_text(double confidence) { return std::format("{:.0f} %", 100 * confidence); }

void print_cause(std::ostream& out, std::size_t number, const Cause& cause) {
    out << std::format("  {}. {} ({})\n", number, cause.text, percent_text(cause.confidence));
    for (const Said& each : cause.evidence) out << "     - " << each << "\n";
    for (const SourceLine& each : cause.places) out << std::format("     {}:{}  {}\n", each.file, each.line, each.text);
    out << "     what to do: " << cause.advice << "\n";
}

std::string shape_text(const std::vector<std::int64_t>& extents) {
    std::vector<std::string> parts;
    for (const std::int64_t each : extents) parts.push_back(std::to_string(each));
    return join(parts, " × ");
}

/// Elements of some bins of a map, one below the other, and how many of them are wrong.
struct Cell {
    std::int64_t wrong = 0, elements = 0;

    char sign() const { return wrong == 0 ? '.' : wrong * 10 >= elements * 9 ? '#' : '+'; }
};

}  // namespace

void print_map(std::ostream& out, const ErrorMap& map) {
    const Grid bins = map.bins();
    const std::int64_t merged = (bins.rows + most_map_lines - 1) / most_map_lines;
    out << std::format("  `{}` ({}), a character is {} × {} elements: # wrong, + some, . right\n", map.output,
                       shape_text(map.extents), map.bin_rows * merged, map.bin_columns);
    for (std::int64_t first = 0; first < bins.rows; first += merged) {
        std::string line;
        for (std::int64_t column = 0; column < bins.columns; ++column) {
            Cell cell;
            for (std::int64_t row = first; row < std::min(first + merged, bins.rows); ++row) {
                cell.wrong += map.wrong[static_cast<std::size_t>(row * bins.columns + column)];
                cell.elements += std::min(map.bin_rows, map.grid.rows - row * map.bin_rows) *
                                 std::min(map.bin_columns, map.grid.columns - column * map.bin_columns);
            }
            line += cell.sign();
        }
        out << "    " << line << "\n";
    }
    for (std::size_t i = 0; i < std::min(map.kept.size(), most_printed_elements); ++i) {
        const KeptElement& each = map.kept[i];
        out << std::format("    row {}, column {}: expected {:.9g}, {}\n", each.row, each.column, each.expected,
                           each.is_unwritten ? "not written" : std::format("actual {:.9g}", each.actual));
    }
}

void print_explanation(std::ostream& out, const Explanation& explanation) {
    out << std::format("why it is wrong ({}, inputs `{}`, seed {}):\n", explanation.binding.name,
                       to_string(explanation.set), explanation.seed);
    for (std::size_t i = 0; i < explanation.causes.size(); ++i) print_cause(out, i + 1, explanation.causes[i]);
    if (!explanation.smallest.empty()) out << "  " << say(sentences::smallest_failing, explanation.smallest) << "\n";
    if (explanation.sizes_tried > 0)
        out << std::format("  {} of {} other sizes fail with ordinary values\n", explanation.sizes_failed,
                           explanation.sizes_tried);
    for (const Said& each : explanation.remarks) out << "  note: " << each << "\n";
    for (const ErrorMap& each : explanation.maps) {
        if (each.wrong_elements() < each.grid.elements()) print_map(out, each);
        else out << std::format("  all {} elements of `{}` are wrong\n", each.grid.elements(), each.output);
    }
}

void print_causes_in_short(std::ostream& out, const Explanation& explanation) {
    for (std::size_t i = 0; i < std::min(explanation.causes.size(), most_short_causes); ++i) {
        const Cause& cause = explanation.causes[i];
        out << (i == 0 ? "  likely: " : "  or: ") << cause.text << " (" << percent_text(cause.confidence) << ")";
        if (!cause.places.empty()) out << std::format(", {}:{}", cause.places[0].file, cause.places[0].line);
        out << "\n";
    }
    if (!explanation.smallest.empty()) out << "  " << say(sentences::smallest_failing, explanation.smallest) << "\n";
}

}  // namespace kernelgen::cli
