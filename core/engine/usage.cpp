// SPDX-License-Identifier: Apache-2.0
#include "core/engine/usage.h"

#include <utility>

#include "core/base/text.h"

namespace kernelgen {

Diagnostic usage(std::string where, Said message, Said suggestion) {
    return {"", std::move(where), std::move(message), std::move(suggestion)};
}

Said choice(std::string_view word, const std::vector<std::string>& known) {
    Said near = did_you_mean(word, known);
    return near.empty() ? say("there are: {}", join(known, ", ")) : near;
}

}  // namespace kernelgen
