// SPDX-License-Identifier: Apache-2.0
#include "core/generate/row_index.h"

#include <algorithm>
#include <cstdlib>

#include "core/base/text.h"

namespace kernelgen {

namespace {

/// Neighbouring leading dimensions of the space that a tensor has.
struct Run {
    std::vector<std::string> outer, own, inner;  ///< dimensions of the space before, in and after it
};

std::vector<Run> runs_of(std::vector<std::string> own, const std::vector<std::string>& space) {
    const std::size_t leading = space.size() - 1;
    if (own.size() < space.size()) own.insert(own.begin(), space.size() - own.size(), "1");
    std::vector<Run> runs;
    bool open = false;
    for (std::size_t i = 0; i < leading; ++i) {
        if (space[i] == "1") continue;
        const bool present = own[i] != "1";
        if (present && !open) runs.push_back({{space.begin(), space.begin() + static_cast<std::ptrdiff_t>(i)}, {}, {}});
        if (present) {
            runs.back().own.push_back(space[i]);
            runs.back().inner.assign(space.begin() + static_cast<std::ptrdiff_t>(i) + 1, space.end() - 1);
        }
        open = present;
    }
    return runs;
}

bool is_one(const std::vector<std::string>& dimensions) {
    return std::ranges::all_of(dimensions, [](const std::string& each) { return each == "1"; });
}

}  // namespace

std::string at_distance(const std::string& text, std::int64_t distance) {
    if (distance == 0) return text;
    return text + (distance < 0 ? " - " : " + ") + std::to_string(std::abs(distance));
}

std::string as_factor(const std::string& text) { return text.find(' ') == std::string::npos ? text : "(" + text + ")"; }

std::string product_text(const std::vector<std::string>& dimensions, const RowWords& words) {
    std::vector<std::string> factors;
    for (const std::string& each : dimensions) {
        if (each != "1") factors.push_back(words.dimension(each));
    }
    return factors.empty() ? "1" : join(factors, " * ");
}

std::string row_index_text(const std::vector<std::string>& dimensions, const std::vector<std::string>& space,
                           const RowWords& words) {
    const std::vector<Run> runs = runs_of(dimensions, space);
    std::vector<std::string> terms;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        std::string term = words.row;
        if (!is_one(runs[r].inner)) term += words.divided_by + as_factor(product_text(runs[r].inner, words));
        if (!is_one(runs[r].outer)) term += " % " + as_factor(product_text(runs[r].own, words));
        for (std::size_t later = r + 1; later < runs.size(); ++later)
            term += " * " + product_text(runs[later].own, words);
        terms.push_back(term);
    }
    return terms.empty() ? "0" : join(terms, " + ");
}

}  // namespace kernelgen
