// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace kernelgen {

/// The words in which a source writes the index of a row.
struct RowWords {
    std::string row = "i", divided_by = " / ";
    /// The text of a symbol or number; it is called only for what is then written.
    std::function<std::string(const std::string&)> dimension = [](const std::string& name) { return name; };
};

/// A product of dimensions as an expression: "1", "P", "B * H".
std::string product_text(const std::vector<std::string>& dimensions, const RowWords& words = {});

/// "i + M - N + 3": the text and a distance from it.
std::string at_distance(const std::string& text, std::int64_t distance);

/// An expression as an operand of a product: in parentheses if it has several words.
std::string as_factor(const std::string& text);

/// An expression for the row of a tensor of shape `dimensions` that row `i` of the space reads or writes: "i", "i % S",
/// "i / (H * S) * S + i % S"; "0" where the tensor has no rows. It is the symbolic form of `row_map`.
std::string row_index_text(const std::vector<std::string>& dimensions, const std::vector<std::string>& space,
                           const RowWords& words = {});

}  // namespace kernelgen
