// SPDX-License-Identifier: Apache-2.0
#include "core/base/line_edits.h"

#include <algorithm>
#include <optional>

namespace kernelgen {

namespace {

using Lines = std::span<const std::string_view>;

/// Found by the greedy algorithm of Myers, "An O(ND) Difference Algorithm and Its Variations", Algorithmica 1, 1986.
/// `x` counts lines of `before`, `y` of `after`; diagonal k is x − y.
class ShortestEdit {
public:
    ShortestEdit(Lines before, Lines after) : before_(before), after_(after) {}

    /// The edits in order; nothing where more than `most_edits` are needed.
    std::optional<std::vector<LineEdit>> find(int most_edits) {
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

    std::vector<LineEdit> backtrack(int edits, int k) {
        std::vector<LineEdit> result;
        int x = rows();
        for (; edits >= 0; --edits) {
            for (const int from = start(edits, k); x > from; --x) result.push_back({' ', after_[at(x - k - 1)]});
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

    Lines before_, after_;
    std::vector<std::vector<int>> reached_;  ///< by number of edits: the furthest x on each diagonal
};

}  // namespace

std::vector<LineEdit> line_edits(Lines before, Lines after, int most_edits) {
    const std::size_t shorter = std::min(before.size(), after.size());
    std::size_t head = 0, tail = 0;
    while (head < shorter && before[head] == after[head]) ++head;
    while (tail < shorter - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
    const Lines old_middle = before.subspan(head, before.size() - head - tail);
    const Lines new_middle = after.subspan(head, after.size() - head - tail);
    std::vector<LineEdit> edits;
    for (const std::string_view line : after.first(head)) edits.push_back({' ', line});
    if (const auto found = ShortestEdit(old_middle, new_middle).find(most_edits)) {
        edits.insert(edits.end(), found->begin(), found->end());
    } else {
        for (const std::string_view line : old_middle) edits.push_back({'-', line});
        for (const std::string_view line : new_middle) edits.push_back({'+', line});
    }
    for (const std::string_view line : after.last(tail)) edits.push_back({' ', line});
    return edits;
}

}  // namespace kernelgen
