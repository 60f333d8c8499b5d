// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "core/base/text.h"
#include "core/explain/wrong_output.h"
#include "core/lang/lexer.h"

namespace kernelgen {

namespace {

/// The numbers that an expression may divide by: its tunables above 1, and its literal numbers above 1.
std::vector<Tile> divisors_of(const std::string& expression, const Configuration& configuration) {
    std::vector<Tile> tiles;
    Diagnostics ignored;
    for (const Token& token : tokenise(expression, "grid", ignored)) {
        const auto tunable = configuration.find(token.text);
        long long number = 0;
        if (tunable != configuration.end() && tunable->second > 1) tiles.push_back({token.text, tunable->second});
        if (token.kind == TokenKind::number && parse_integer(token.text, number) && number > 1)
            tiles.push_back({token.text, number});
    }
    return tiles;
}

bool names(const std::string& expression, const std::string& symbol) {
    Diagnostics ignored;
    return std::ranges::contains(tokenise(expression, "grid", ignored), symbol, &Token::text);
}

std::vector<std::string> grids_of(const Variant& variant) {
    std::vector<std::string> all = variant.let;
    for (const Launch& launch : variant.launches) all.insert(all.end(), launch.grid.begin(), launch.grid.end());
    return all;
}

void add_tiles(std::vector<Tile>& tiles, const std::vector<Tile>& more) {
    for (const Tile& each : more) {
        if (!std::ranges::contains(tiles, each.size, &Tile::size)) tiles.push_back(each);
    }
}

}  // namespace

Tiles tiles_of(const Implementation& implementation, const Tensor& output) {
    Tiles tiles;
    const std::size_t rank = output.shape.size();
    const std::string column = rank > 0 ? output.shape[rank - 1] : "", row = rank > 1 ? output.shape[rank - 2] : "";
    std::vector<Tile> of_grids;
    for (const std::string& each : grids_of(implementation.variant)) {
        const std::vector<Tile> divisors = divisors_of(each, implementation.configuration);
        add_tiles(of_grids, divisors);
        if (names(each, column)) add_tiles(tiles.columns, divisors);
        if (rank > 1 && names(each, row) && !names(each, column)) add_tiles(tiles.rows, divisors);
    }
    tiles.are_columns_known = !tiles.columns.empty();
    tiles.are_rows_known = !tiles.rows.empty();
    for (const auto& [name, value] : implementation.configuration) {
        if (value < 2 || std::ranges::contains(of_grids, value, &Tile::size)) continue;
        add_tiles(tiles.columns, {{name, value}});
        if (rank > 1) add_tiles(tiles.rows, {{name, value}});
    }
    return tiles;
}

}  // namespace kernelgen
