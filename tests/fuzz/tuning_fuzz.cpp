// SPDX-License-Identifier: Apache-2.0
// Any bytes as a line of a tuning's file: an error, or content that is the same after being written and read again.
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/tune/t1.h"
#include "core/tune/t1_export.h"
#include "core/tune/tuning.h"

namespace {

using namespace kernelgen;

void require_same(const nlohmann::json& written, bool is_first) {
    Tuning again;
    const Result<void> read = read_tuning_line(written.dump(), is_first, again);
    nlohmann::json rewritten;
    if (read && is_first) rewritten = to_json(again.head);
    if (read && !is_first) rewritten = again.outcome ? to_json(*again.outcome) : to_json(again.tried.at(0));
    if (read && rewritten == written) return;
    std::cerr << "not the same after writing it:\n" << written << "\n" << rewritten << "\n";
    if (!read) std::cerr << read.error().message << "\n";
    std::abort();
}

/// A space that is exported can be read again, with the same number of parameters.
void require_same_space(const Tuning& tuning) {
    const auto again = read_t1(to_t1(tuning, nullptr)->dump(), "exported");
    if (!again || again->parameters.size() == tuning.head.parameters.size()) return;
    std::cerr << "another space: " << tuning.head.parameters.size() << " " << again->parameters.size() << "\n";
    std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view line(reinterpret_cast<const char*>(data), size);
    for (const bool is_first : {true, false}) {
        Tuning tuning;
        if (!read_tuning_line(line, is_first, tuning)) continue;
        if (is_first) require_same(to_json(tuning.head), true);
        if (is_first && to_t1(tuning, nullptr)) require_same_space(tuning);
        for (const Tried& each : tuning.tried) require_same(to_json(each), false);
        if (tuning.outcome) require_same(to_json(*tuning.outcome), false);
    }
    return 0;
}
