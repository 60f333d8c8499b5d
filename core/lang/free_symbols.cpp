// SPDX-License-Identifier: Apache-2.0
#include "core/lang/free_symbols.h"

#include <algorithm>

#include "core/lang/contraction.h"

namespace kernelgen {

std::vector<std::string> free_symbols(const Operator& definition) {
    std::vector<std::string> result;
    const std::vector<DerivedSize> derived = derived_sizes(definition);
    for (const std::string& symbol : definition.symbols) {
        const auto has = [&](const Tensor& input) { return std::ranges::contains(input.shape, symbol); };
        const bool is_derived = std::ranges::contains(derived, symbol, &DerivedSize::symbol);
        if (!is_derived && std::ranges::none_of(definition.inputs, has)) result.push_back(symbol);
    }
    return result;
}

}  // namespace kernelgen
