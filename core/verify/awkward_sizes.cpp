// SPDX-License-Identifier: Apache-2.0
#include "core/verify/awkward_sizes.h"

#include <algorithm>
#include <format>
#include <set>

#include "core/backend/call.h"
#include "core/lang/integer_expression.h"

namespace kernelgen {
namespace {

constexpr std::int64_t most_elements = 1 << 20;
constexpr std::int64_t primes[] = {7, 13, 31, 61, 3, 5};
constexpr std::size_t most_tiles = 3;

/// Sizes of the symbols in the operator's order.
using Combination = std::vector<std::int64_t>;

std::vector<std::int64_t> tiles(const Configuration& configuration) {
    std::set<std::int64_t> found;
    for (const auto& [name, value] : configuration) {
        if (name.starts_with("BLOCK") && value > 1) found.insert(value);
    }
    if (found.empty()) found.insert(64);
    std::vector<std::int64_t> sorted(found.begin(), found.end());
    // Of many, the smallest, the largest and those between them that come first.
    while (sorted.size() > most_tiles) sorted.erase(sorted.end() - 2);
    return sorted;
}

std::vector<Combination> combinations(std::size_t symbols, const std::vector<std::int64_t>& tiles) {
    const auto filled = [&](std::int64_t others) { return Combination(symbols, others); };
    const auto with_ends = [&](std::int64_t first, std::int64_t last) {
        Combination made(symbols, 2);
        made.front() = first;
        made.back() = last;
        return made;
    };
    std::vector<Combination> all = {filled(1)};
    Combination prime = filled(1);
    for (std::size_t i = 0; i < symbols; ++i) prime[i] = primes[i % std::size(primes)];
    all.push_back(prime);
    for (std::size_t i = 0; i < symbols; ++i) {
        Combination one = filled(1);
        one[i] = 131;
        all.push_back(one);
    }
    all.push_back(with_ends(3, 1031));
    for (const std::int64_t tile : tiles) {
        all.push_back(with_ends(3, tile - 1));
        all.push_back(with_ends(5, tile + 1));
        all.push_back(with_ends(tile - 1, 7));
        all.push_back(with_ends(tile + 1, 11));
    }
    const auto beside = [](std::int64_t rows, std::int64_t columns) {
        return std::clamp<std::int64_t>(most_elements / 4 / columns, 1, rows);
    };
    all.push_back(with_ends(beside(tiles.front() + 1, tiles.back() + 1), tiles.back() + 1));
    all.push_back(with_ends(beside(tiles.front(), 2 * tiles.back()), 2 * tiles.back()));
    return all;
}

Sizes sizes_of(const Operator& definition, const Combination& combination) {
    Sizes sizes;
    for (std::size_t i = 0; i < combination.size(); ++i) sizes[definition.symbols[i]] = combination[i];
    return sizes;
}

bool constraints_hold(const Operator& definition, const Sizes& sizes) {
    return std::ranges::all_of(definition.constraints, [&](const std::string& text) {
        const Checked<IntegerExpression> constraint = IntegerExpression::parse(text, "constraint");
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

bool allowed(const Operator& definition, const Body* body, const Implementation& implementation, const Case& binding) {
    return constraints_hold(definition, binding.sizes) && small_enough(definition, body, binding.sizes) &&
           !violated_restriction(implementation.variant, implementation.configuration, binding.sizes) &&
           make_call(definition, implementation, binding);
}

std::string name_of(const Operator& definition, const Sizes& sizes, DType dtype) {
    std::string name;
    for (const std::string& symbol : definition.symbols) name += std::format("{}={} ", symbol, sizes.at(symbol));
    return name + std::string(to_string(dtype));
}

}  // namespace

AwkwardSizes awkward_sizes(const Operator& definition, const Body* body, const Implementation& implementation,
                           DType dtype) {
    AwkwardSizes found;
    if (definition.symbols.empty()) return found;
    std::set<Sizes> seen;
    for (const Combination& combination :
         combinations(definition.symbols.size(), tiles(implementation.configuration))) {
        bool fits = false;
        for (std::int64_t factor = 1; factor <= 256 && !fits; factor *= 2) {
            // First the columns alone are made a multiple, then all symbols.
            for (const bool columns_only : {true, false}) {
                Combination changed = combination;
                for (std::size_t i = columns_only ? changed.size() - 1 : 0; i < changed.size(); ++i)
                    changed[i] *= factor;
                const Case binding{"", dtype, sizes_of(definition, changed)};
                if (!allowed(definition, body, implementation, binding)) continue;
                fits = true;
                if (!seen.insert(binding.sizes).second) break;
                found.cases.push_back({name_of(definition, binding.sizes, dtype), dtype, binding.sizes});
                break;
            }
        }
        found.skipped += !fits;
    }
    return found;
}

}  // namespace kernelgen
