// SPDX-License-Identifier: Apache-2.0
// A program of a one-dimensional grid that walks over the columns becomes many: the walk's variable becomes the
// program's place on a second axis, and the grid of the launch gets the number of steps.
#include <algorithm>
#include <format>
#include <regex>
#include <set>

#include "core/base/text.h"
#include "core/strategy/edits.h"
#include "core/strategy/source_view.h"

namespace kernelgen {

namespace {

using Lines = std::vector<std::string>;

std::size_t indent_of(const std::string& line) { return std::min(line.find_first_not_of(' '), line.size()); }
bool is_blank(const std::string& line) { return trim(line).empty(); }

/// The lines [first, last) of a block that is deeper than `indent`.
std::size_t end_of_block(const Lines& code, std::size_t first, std::size_t indent) {
    std::size_t last = first;
    for (std::size_t i = first; i < code.size(); ++i) {
        if (is_blank(code[i])) continue;
        if (indent_of(code[i]) <= indent) break;
        last = i + 1;
    }
    return last;
}

/// A loop over columns: `for start in range(0, D, BLOCK_N):` with nothing after it in its kernel.
struct Walk {
    std::size_t line = 0, end = 0;  ///< of the `for`, and behind its block
    std::string variable, bound, step;
};

/// The names that a line assigns, and those that it reads.
std::set<std::string> names_in(const std::string& text) {
    static const std::regex name(R"([A-Za-z_]\w*)");
    std::set<std::string> names;
    for (std::sregex_iterator found(text.begin(), text.end(), name), end; found != end; ++found)
        names.insert(found->str());
    return names;
}

/// Whether a name is read before the block assigns it that the block assigns later: a sum, a running maximum.
bool carries_values(const Lines& code, const Walk& walk) {
    static const std::regex assignment(R"(^\s*([A-Za-z_]\w*)\s*(\+|-|\*|/|\||&)?=(?!=)(.*)$)");
    std::set<std::string> assigned, read_before;
    for (std::size_t i = walk.line + 1; i < walk.end; ++i) {
        std::smatch match;
        const bool assigns = std::regex_match(code[i], match, assignment);
        if (assigns && match[2].matched) return true;
        for (const std::string& each : names_in(assigns ? match[3].str() : code[i])) {
            if (!assigned.contains(each)) read_before.insert(each);
        }
        if (!assigns) continue;
        if (read_before.contains(match[1])) return true;
        assigned.insert(match[1]);
    }
    return false;
}

/// The first walk of a kernel with one axis.
std::optional<Walk> find_walk(const Lines& code) {
    static const std::regex loop(R"(^\s*for\s+(\w+)\s+in\s+range\(\s*0\s*,\s*(\w+)\s*,\s*(\w+)\s*\)\s*:\s*$)");
    for (std::size_t i = 0; i < code.size(); ++i) {
        if (!trim(code[i]).starts_with("@triton.jit")) continue;
        std::size_t head = i;
        while (head < code.size() && !trim(code[head]).starts_with("def ")) ++head;
        if (head == code.size()) return std::nullopt;
        const std::size_t indent = indent_of(code[head]);
        while (head < code.size() && !trim(code[head]).ends_with(":")) ++head;  // the signature may have several lines
        const std::size_t end = end_of_block(code, head + 1, indent);
        std::string body;
        for (std::size_t k = head + 1; k < end; ++k) body += code[k] + "\n";
        if (body.contains("program_id(1") || body.contains("program_id(axis=1")) continue;
        for (std::size_t k = head + 1; k < end; ++k) {
            std::smatch match;
            if (!std::regex_match(code[k], match, loop)) continue;
            const Walk walk{k, end_of_block(code, k + 1, indent_of(code[k])), match[1], match[2], match[3]};
            const bool is_last = walk.end == end;
            if (is_last && !carries_values(code, walk)) return walk;
        }
    }
    return std::nullopt;
}

/// The line whose grid has one axis: `grid = lambda meta: (triton.cdiv(P, meta['BLOCK_M']),)` or a tuple without
/// lambda. Code has blanks in place of texts in quotes, so the line itself is read for `meta['…']`.
std::optional<std::string> with_second_axis(const std::string& line, const Walk& walk) {
    static const std::regex grid(R"(^(\s*grid\s*=\s*(?:lambda\s+(\w+)\s*:\s*)?\()(.*),\s*\)\s*$)");
    std::smatch match;
    if (!std::regex_match(line, match, grid)) return std::nullopt;
    const std::string first = match[3];
    int depth = 0;
    for (const char c : first) {
        if (c == '(' || c == '[') ++depth;
        if (c == ')' || c == ']') --depth;
        if (c == ',' && depth == 0) return std::nullopt;  // it has two axes
    }
    const std::string step = match[2].matched && first.contains(match[2].str() + "[")
                                 ? std::format("{}['{}']", match[2].str(), walk.step)
                                 : walk.step;
    return std::format("{}{}, triton.cdiv({}, {}))", match[1].str(), first, walk.bound, step);
}

}  // namespace

std::optional<std::string> with_grid_2d(const std::string& text) {
    Lines code = split(without_comments(text, true), '\n'), lines = split(text, '\n');
    if (code.size() != lines.size()) return std::nullopt;  // very long gaps are broken
    const std::optional<Walk> walk = find_walk(code);
    if (!walk) return std::nullopt;
    bool has_grid = false;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (trim(code[i]).empty()) continue;
        const auto line = with_second_axis(lines[i], *walk);
        if (!line) continue;
        if (has_grid) return std::nullopt;  // which of two launches it is, is not known
        lines[i] = *line;
        has_grid = true;
    }
    if (!has_grid) return std::nullopt;
    const std::size_t indent = indent_of(lines[walk->line]);
    const std::size_t inner = walk->line + 1 < walk->end ? indent_of(lines[walk->line + 1]) : indent;
    lines[walk->line] =
        std::format("{}{} = tl.program_id(axis=1) * {}", std::string(indent, ' '), walk->variable, walk->step);
    for (std::size_t i = walk->line + 1; i < walk->end; ++i) {
        if (!is_blank(lines[i]) && indent_of(lines[i]) >= inner) lines[i].erase(indent, inner - indent);
    }
    return join(lines, "\n");
}

}  // namespace kernelgen
