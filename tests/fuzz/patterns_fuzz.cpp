// SPDX-License-Identifier: Apache-2.0
// Lines of patterns: any bytes are read or refused, and what was read can be asked for advice and written again.
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/strategy/pattern_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace kernelgen;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const Patterns read = parse_patterns(text, "patterns.jsonl", (size & 1) == 0);
    for (const Pattern& each : read.all) {
        (void)each.id();
        (void)each.interval();
        (void)advice_of(read.all, each.key);
    }
    const Patterns again = parse_patterns(pattern_lines(read.all), "patterns.jsonl", true);
    if (again.all.size() != read.all.size()) std::abort();
    return 0;
}
