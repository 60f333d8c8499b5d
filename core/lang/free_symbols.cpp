// SPDX-License-Identifier: Apache-2.0
#include "core/lang/free_symbols.h"

#include <algorithm>

namespace kernelgen {

std::vector<std::string> free_symbols(const Operator& definition) {
    std::vector<std::string> result;
    for (const std::string& symbol : definition.symbols) {
        const auto has = [&](const Tensor& input) { return std::ranges::contains(input.shape, symbol); };
        if (std::ranges::none_of(definition.inputs, has)) result.push_back(symbol);
    }
    return result;
}

}  // namespace kernelgen
