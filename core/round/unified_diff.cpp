// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <format>
#include <optional>
#include <span>
#include <string_view>

#include "core/round/change.h"

namespace kernelgen {

namespace {

constexpr int context_lines = 3;
constexpr int most_edits = 1000;  ///< the search's memory grows with their square

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

/// A line of the result: ' ' kept, '-' removed, '+' added.
struct Edit {
    char kind;
    std::string_view line;
};

/// The shortest way from one text to the other, found by the greedy algorithm of Myers, "An O(ND) Difference Algorithm
/// and Its Variations", Algorithmica 1, 1986. `x` counts lines of `before`, `y` of `after`; diagonal k is x − y.
class ShortestEdit {
public:
    ShortestEdit(std::span<const std::string_view> before, std::span<const std::string_view> after)
        : before_(before), after_(after) {}

    /// The edits in order; nothing where more than `most_edits` are needed.
    std::optional<std::vector<Edit>> find() {
        const int limit = std::min(most_edits, rows() + columns());
        for (int edits = 0; edits <= limit; ++edits) {
            reached_.emplace_back(2 * static_cast<std::size_t>(edits) + 1);
            for (int k = -edits; k <= edits; k += 2) {
                const int x = follow(start(edits, k), k);
                reach(edits, k) = x;
                if (x >= rows() && x - k >= columns()) return backtrack(edits, k);
            }
        }
        return std::nullopt;
    }

private:
    int rows() const { return static_cast<int>(before_.size()); }
    int columns() const { return static_cast<int>(after_.size()); }
    int& reach(int edits, int k) {
        return reached_[static_cast<std::size_t>(edits)][static_cast<std::size_t>(k + edits)];
    }

    /// Whether diagonal k is reached best by adding a line, from diagonal k + 1.
    bool adds(int edits, int k) {
        if (k == -edits || k == edits) return k == -edits;
        return reach(edits - 1, k - 1) < reach(edits - 1, k + 1);
    }
    int start(int edits, int k) {
        if (edits == 0) return 0;
        return adds(edits, k) ? reach(edits - 1, k + 1) : reach(edits - 1, k - 1) + 1;
    }
    int follow(int x, int k) const {
        while (x < rows() && x - k < columns() && before_[at(x)] == after_[at(x - k)]) ++x;
        return x;
    }
    static std::size_t at(int line) { return static_cast<std::size_t>(line); }

    std::vector<Edit> backtrack(int edits, int k) {
        std::vector<Edit> result;
        int x = rows();
        for (; edits >= 0; --edits) {
            for (const int from = start(edits, k); x > from; --x) result.push_back({' ', before_[at(x - 1)]});
            if (edits == 0) break;
            if (adds(edits, k)) {
                result.push_back({'+', after_[at(x - k - 1)]});
                ++k;
            } else {
                result.push_back({'-', before_[at(--x)]});
                --k;
            }
        }
        std::ranges::reverse(result);
        return result;
    }

    std::span<const std::string_view> before_, after_;
    std::vector<std::vector<int>> reached_;  ///< by number of edits: the furthest x on each diagonal
};

std::vector<Edit> edits_between(const Lines& before, const Lines& after) {
    const std::size_t shorter = std::min(before.size(), after.size());
    std::size_t head = 0, tail = 0;
    while (head < shorter && before[head] == after[head]) ++head;
    while (tail < shorter - head &&
           before.rbegin()[static_cast<std::ptrdiff_t>(tail)] == after.rbegin()[static_cast<std::ptrdiff_t>(tail)]) {
        ++tail;
    }
    const std::span old_middle = std::span(before).subspan(head, before.size() - head - tail);
    const std::span new_middle = std::span(after).subspan(head, after.size() - head - tail);
    std::vector<Edit> edits;
    for (const std::string_view line : std::span(before).first(head)) edits.push_back({' ', line});
    if (const auto found = ShortestEdit(old_middle, new_middle).find()) {
        edits.insert(edits.end(), found->begin(), found->end());
    } else {
        for (const std::string_view line : old_middle) edits.push_back({'-', line});
        for (const std::string_view line : new_middle) edits.push_back({'+', line});
    }
    for (const std::string_view line : std::span(before).last(tail)) edits.push_back({' ', line});
    return edits;
}

/// "12,3", or "12" of a single line; an empty range is named by the line before it.
std::string range_text(int first, int count) {
    if (count == 1) return std::to_string(first);
    return std::format("{},{}", count == 0 ? first - 1 : first, count);
}

std::string hunk_text(std::span<const Edit> edits, int first_before, int first_after) {
    const auto count = [&](char other) {
        return static_cast<int>(std::ranges::count_if(edits, [&](const Edit& edit) { return edit.kind != other; }));
    };
    std::string text =
        std::format("@@ -{} +{} @@\n", range_text(first_before, count('+')), range_text(first_after, count('-')));
    for (const Edit& edit : edits) {
        text += edit.kind;
        text += edit.line;
        if (!edit.line.ends_with('\n')) text += "\n\\ No newline at end of file\n";
    }
    return text;
}

}  // namespace

std::string unified_diff(const std::string& before, const std::string& after) {
    const std::vector<Edit> edits = edits_between(lines_of(before), lines_of(after));
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
