// SPDX-License-Identifier: Apache-2.0
#include "core/lang/shape.h"

#include "core/base/text.h"

namespace kernelgen {

std::string to_string(const Shape& shape) { return "[" + join(shape, ", ") + "]"; }

std::optional<Shape> broadcast(const Shape& a, const Shape& b, Said& problem) {
    const Shape& longer = a.size() >= b.size() ? a : b;
    const Shape& shorter = a.size() >= b.size() ? b : a;
    Shape result = longer;
    const std::size_t offset = longer.size() - shorter.size();
    for (std::size_t i = 0; i < shorter.size(); ++i) {
        std::string& dimension = result[offset + i];
        if (shorter[i] == "1" || shorter[i] == dimension) continue;
        if (dimension == "1") {
            dimension = shorter[i];
            continue;
        }
        problem = say("shapes {} and {} do not broadcast: `{}` against `{}`", to_string(a), to_string(b),
                      longer[offset + i], shorter[i]);
        return std::nullopt;
    }
    return result;
}

}  // namespace kernelgen
