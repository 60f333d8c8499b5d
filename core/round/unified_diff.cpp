// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <format>
#include <span>
#include <string_view>

#include "core/base/line_edits.h"
#include "core/round/change.h"

namespace kernelgen {

namespace {

constexpr int context_lines = 3;
constexpr int most_edits = 1000;

using Lines = std::vector<std::string_view>;

/// The lines of a text, each with its newline, where it has one.
Lines lines_of(std::string_view text) {
    Lines lines;
    while (!text.empty()) {
        const std::size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
        lines.push_back(text.substr(0, length));
        text.remove_prefix(length);
    }
    return lines;
}

/// "12,3", or "12" of a single line; an empty range is named by the line before it.
std::string range_text(int first, int count) {
    if (count == 1) return std::to_string(first);
    return std::format("{},{}", count == 0 ? first - 1 : first, count);
}

std::string hunk_text(std::span<const LineEdit> edits, int first_before, int first_after) {
    const auto count = [&](char other) {
        return static_cast<int>(std::ranges::count_if(edits, [&](const LineEdit& edit) { return edit.kind != other; }));
    };
    std::string text =
        std::format("@@ -{} +{} @@\n", range_text(first_before, count('+')), range_text(first_after, count('-')));
    for (const LineEdit& edit : edits) {
        text += edit.kind;
        text += edit.line;
        if (!edit.line.ends_with('\n')) text += "\n\\ No newline at end of file\n";
    }
    return text;
}

}  // namespace

std::string unified_diff(const std::string& before, const std::string& after) {
    const std::vector<LineEdit> edits = line_edits(lines_of(before), lines_of(after), most_edits);
    const int size = static_cast<int>(edits.size());
    const auto changed = [&](int i) { return edits[static_cast<std::size_t>(i)].kind != ' '; };
    std::string text;
    int line_before = 1, line_after = 1, passed = 0;
    for (int i = 0; i < size; ++i) {
        if (!changed(i)) continue;
        // A hunk ends where more lines are kept than the context of two hunks.
        int last = i;
        for (int j = i; j < size && j - last <= 2 * context_lines + 1; ++j) last = changed(j) ? j : last;
        const int begin = std::max(passed, i - context_lines), end = std::min(size, last + 1 + context_lines);
        for (; passed < end; ++passed) {
            if (passed == begin) {
                const std::span hunk =
                    std::span(edits).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
                text += hunk_text(hunk, line_before, line_after);
            }
            const char kind = edits[static_cast<std::size_t>(passed)].kind;
            line_before += kind != '+';
            line_after += kind != '-';
        }
        i = end - 1;
    }
    return text;
}

}  // namespace kernelgen
