// SPDX-License-Identifier: Apache-2.0
#include "core/base/end_of_output.h"

#include "core/base/text.h"

namespace kernelgen {

std::string end_of_output(std::string_view output) {
    constexpr std::size_t most = 500;
    std::string_view end = trim(output);
    if (end.size() <= most) return std::string(end);
    end.remove_prefix(end.size() - most);
    const auto goes_on = [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; };  // UTF-8
    while (!end.empty() && goes_on(end.front())) end.remove_prefix(1);
    return "…" + std::string(end);
}

}  // namespace kernelgen
