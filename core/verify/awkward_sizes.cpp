// SPDX-License-Identifier: Apache-2.0
#include "core/verify/awkward_sizes.h"

#include <algorithm>
#include <format>
#include <optional>
#include <set>

#include "core/backend/call.h"
#include "core/base/text.h"
#include "core/lang/contraction.h"
#include "core/lang/integer_expression.h"
#include "core/lang/lexer.h"
#include "core/project/values.h"

namespace kernelgen {
namespace {

constexpr std::int64_t most_elements = 1 << 20;
constexpr std::int64_t long_sizes[] = {4096, 4097, 65537};  ///< a usual size, its tail, and what 16 bits do not count
constexpr std::int64_t primes[] = {7, 13, 31, 61, 3, 5};
constexpr std::int64_t small_tails[] = {6, 3, 1030, 2};  ///< no multiples of 4, most of them even

/// Sizes of the symbols in the operator's order.
using Combination = std::vector<std::int64_t>;

/// A combination that is about one symbol, or about all of them.
struct Wanted {
    Combination sizes;
    std::optional<std::size_t> symbol = std::nullopt;
    bool further = false;
};

/// The expressions of all launches' grids, and of the values (`let`) that they may name.
std::vector<std::string> grid_expressions(const Variant& variant) {
    std::vector<std::string> all = variant.let;
    for (const Launch& launch : variant.launches) all.insert(all.end(), launch.grid.begin(), launch.grid.end());
    return all;
}

/// The numbers that a grid's expression may divide by: values of its tunables, and its literal numbers, above 1.
std::set<std::int64_t> divisors_in(const std::string& expression, const Configuration& configuration) {
    std::set<std::int64_t> found;
    Diagnostics ignored;
    for (const Token& token : tokenise(expression, "grid", ignored)) {
        const auto tunable = configuration.find(token.text);
        long long number = 0;
        if (tunable != configuration.end() && tunable->second > 1) found.insert(tunable->second);
        if (token.kind == TokenKind::number && parse_integer(token.text, number) && number > 1) found.insert(number);
    }
    return found;
}

bool mentions(const std::string& expression, const std::string& name) {
    Diagnostics ignored;
    return std::ranges::contains(tokenise(expression, "grid", ignored), name, &Token::text);
}

/// The configuration that an implementation has where no rule holds.
Implementation without_rules(Implementation implementation) {
    implementation.variant.configurations.clear();
    return implementation;
}

/// The implementation with the values of a rule, whatever the case.
Implementation under(const ConfigurationRule& rule, const Implementation& implementation) {
    Implementation made = without_rules(implementation);
    for (const auto& [name, value] : rule.values) made.configuration[name] = value;
    return made;
}

/// Tiles by which kernels cut a symbol: those that divide it in a grid, then BLOCK_ values that no grid has. At most
/// `most`, of which the first, the last and what lies between.
std::vector<std::int64_t> tiles_of(const std::string& symbol, const Implementation& implementation, std::size_t most) {
    std::set<std::int64_t> own, others;
    const std::vector<std::string> grid = grid_expressions(implementation.variant);
    for (const std::string& expression : grid) {
        if (mentions(expression, symbol)) own.merge(divisors_in(expression, implementation.configuration));
    }
    for (const auto& [name, value] : implementation.configuration) {
        const bool in_grid = std::ranges::any_of(grid, [&](const std::string& each) { return mentions(each, name); });
        if (name.starts_with("BLOCK") && value > 1 && (!in_grid || own.empty())) others.insert(value);
    }
    std::vector<std::int64_t> tiles(own.begin(), own.end());
    while (tiles.size() > most) tiles.erase(tiles.end() - 2);
    for (const std::int64_t tile : others) {
        if (tiles.size() < most && !own.contains(tile)) tiles.push_back(tile);
    }
    if (tiles.empty()) tiles.push_back(64);
    return tiles;
}

/// The tiles of an implementation with and without its rules, and the sizes at which conditions on the symbol change.
std::vector<std::int64_t> all_tiles_of(const std::string& symbol, const Implementation& implementation,
                                       std::size_t most) {
    std::vector<std::int64_t> all = tiles_of(symbol, without_rules(implementation), most);
    const auto add = [&](const auto& tiles) {
        for (const std::int64_t tile : tiles) {
            if (!std::ranges::contains(all, tile)) all.push_back(tile);
        }
    };
    for (const ConfigurationRule& rule : implementation.variant.configurations) {
        add(tiles_of(symbol, under(rule, implementation), most));
        if (mentions(rule.when, symbol)) add(divisors_in(rule.when, {}));
    }
    return all;
}

/// Sizes of which one symbol has `size`, and the others are small: 3 for the first, 7 for the last, 2 between them.
Combination with_one(std::size_t symbols, std::size_t symbol, std::int64_t size) {
    Combination made(symbols, 2);
    made.front() = 3;
    made.back() = symbols > 1 ? 7 : 3;
    made[symbol] = size;
    return made;
}

/// Sizes of all symbols above their tiles at once: `factor` tiles and `rest`. Rows give way where there are too many
/// elements.
Combination above_all(const std::vector<std::vector<std::int64_t>>& tiles, std::int64_t factor, std::int64_t rest) {
    Combination made;
    for (const auto& each : tiles) made.push_back(factor * std::ranges::max(each) + rest);
    std::int64_t room = most_elements / 4;
    for (std::size_t i = made.size(); i-- > 0;) {
        made[i] = std::clamp<std::int64_t>(room, 1, made[i]);
        room = std::max<std::int64_t>(room / made[i], 1);
    }
    return made;
}

/// Gives the symbols the small tails, rotated by `turn` (0 to 3). In four turns every symbol has every tail, and only
/// one symbol is large at a time. The last tail is 3 and 2, with more rows, in the turns that try `large`.
Combination with_small_tails(std::size_t symbols, std::size_t turn) {
    constexpr std::size_t count = std::size(small_tails);
    Combination made(symbols, 2);
    for (std::size_t from_end = 0; from_end < std::min(symbols, count); ++from_end) {
        made[symbols - 1 - from_end] = small_tails[(turn + count - from_end) % count];
    }
    return made;
}

/// The combinations of sizes that are the same for every kernel.
std::vector<Wanted> ordinary_combinations(std::size_t symbols) {
    std::vector<Wanted> all = {{Combination(symbols, 1)}};
    Combination prime(symbols, 1);
    for (std::size_t i = 0; i < symbols; ++i) prime[i] = primes[i % std::size(primes)];
    all.push_back({prime});
    for (std::size_t i = 0; i < symbols; ++i) {
        Combination one(symbols, 1);
        one[i] = 131;
        all.push_back({one, i});
    }
    all.push_back({with_one(symbols, symbols - 1, 1031), symbols - 1});
    for (std::size_t turn = 0; turn < std::size(small_tails); ++turn) {
        all.push_back({with_small_tails(symbols, turn), symbols - 1, true});
    }
    for (std::size_t i = 0; i < symbols; ++i) {
        for (const std::int64_t size : long_sizes) {
            Combination one(symbols, 1);
            one[i] = size;
            all.push_back({one, i, true});
        }
    }
    return all;
}

std::vector<Wanted> combinations(const Operator& definition, const Implementation& implementation,
                                 std::span<const Case> own) {
    const std::size_t symbols = definition.symbols.size();
    std::vector<Wanted> all = ordinary_combinations(symbols);
    std::vector<std::vector<std::int64_t>> tiles;
    for (std::size_t i = 0; i < symbols; ++i) {
        tiles.push_back(all_tiles_of(definition.symbols[i], implementation, symbols > 2 ? 2 : 3));
        for (const std::int64_t tile : tiles.back()) {
            for (const std::int64_t size : {tile - 1, tile + 1}) all.push_back({with_one(symbols, i, size), i});
            for (const std::int64_t size : {tile, 2 * tile + 1}) all.push_back({with_one(symbols, i, size), i, true});
        }
    }
    all.push_back({above_all(tiles, 1, 1)});
    all.push_back({above_all(tiles, 2, 0), std::nullopt, true});
    for (const Case& each : own) {
        for (std::size_t i = 0; i < symbols; ++i)
            all.push_back({with_one(symbols, i, each.sizes.at(definition.symbols[i])), i, true});
    }
    return all;
}

/// The sizes of a combination; those that a convolution or attention does not take give way.
Sizes sizes_of(const Operator& definition, const Body* body, const Combination& combination) {
    Sizes sizes;
    for (std::size_t i = 0; i < combination.size(); ++i) sizes[definition.symbols[i]] = combination[i];
    if (body != nullptr) fit_sizes(*body, sizes);
    return sizes;
}

bool constraints_hold(const Operator& definition, const Sizes& sizes) {
    return std::ranges::all_of(definition.constraints, [&](const std::string& text) {
        const Validated<IntegerExpression> constraint = IntegerExpression::parse(text, "constraint");
        if (!constraint) return false;
        const Result<std::int64_t> holds = constraint->evaluate(sizes);
        return holds && *holds != 0;
    });
}

bool small_enough(const Operator& definition, const Body* body, const Sizes& sizes) {
    std::int64_t total = 0;
    for (const auto* tensors : {&definition.inputs, &definition.outputs}) {
        for (const Tensor& tensor : *tensors)
            total += std::min(element_count(tensor, sizes).value_or(most_elements), most_elements);
    }
    return total <= most_elements && (body == nullptr || space_of(*body, sizes).has_value());
}

bool allowed(const Operator& definition, const Body* body, const Implementation& implementation,
             const Restrictions& restrictions, const Case& binding) {
    return constraints_hold(definition, binding.sizes) && small_enough(definition, body, binding.sizes) &&
           !restrictions.violated(implementation, binding) && make_call(definition, implementation, binding);
}

std::string name_of(const Operator& definition, const Sizes& sizes, DType dtype) {
    std::string name;
    for (const std::string& symbol : definition.symbols) name += std::format("{}={} ", symbol, sizes.at(symbol));
    return name + std::string(to_string(dtype));
}

/// Combinations that may stand for a wished one: itself, then multiples of the columns and of all symbols, then, where
/// it is about one symbol, this symbol's size with the other sizes of an own case.
std::vector<Combination> substitutes(const Operator& definition, const Wanted& wanted, std::span<const Case> own) {
    std::vector<Combination> all;
    for (std::int64_t factor = 1; factor <= 256; factor *= 2) {
        for (const bool columns_only : {true, false}) {
            Combination changed = wanted.sizes;
            for (std::size_t i = columns_only ? changed.size() - 1 : 0; i < changed.size(); ++i) changed[i] *= factor;
            all.push_back(std::move(changed));
        }
    }
    for (const Case& each : own) {
        if (!wanted.symbol) break;
        Combination changed;
        for (const std::string& symbol : definition.symbols) changed.push_back(each.sizes.at(symbol));
        changed[*wanted.symbol] = wanted.sizes[*wanted.symbol];
        all.push_back(std::move(changed));
    }
    return all;
}

}  // namespace

AwkwardSizes awkward_sizes(const Operator& definition, const Body* body, const Implementation& implementation,
                           DType dtype, std::span<const Case> own) {
    AwkwardSizes found;
    if (definition.symbols.empty()) return found;
    const Restrictions restrictions(implementation.variant);
    std::set<Sizes> seen;
    for (const Case& each : own) seen.insert(each.sizes);
    for (const Wanted& wanted : combinations(definition, implementation, own)) {
        bool fits = false;
        for (const Combination& sizes : substitutes(definition, wanted, own)) {
            Case binding{"", dtype, sizes_of(definition, body, sizes)};
            fits = allowed(definition, body, implementation, restrictions, binding);
            if (!fits) continue;
            if (!seen.insert(binding.sizes).second) break;
            binding.name = name_of(definition, binding.sizes, dtype);
            (wanted.further ? found.further : found.cases).push_back(std::move(binding));
            break;
        }
        found.skipped += !fits && !wanted.further;
    }
    return found;
}

std::optional<Case> allowed_case(const Operator& definition, const Body* body, const Implementation& implementation,
                                 DType dtype, const Sizes& sizes) {
    Case binding{"", dtype, sizes};
    if (!allowed(definition, body, implementation, Restrictions(implementation.variant), binding)) return std::nullopt;
    binding.name = name_of(definition, sizes, dtype);
    return binding;
}

}  // namespace kernelgen
