// SPDX-License-Identifier: Apache-2.0
// Any bytes as what a worker or a record tells of a failure, as a call to be replayed, and as the list of known errors:
// read or refused, and an explanation is the same after being written and read again.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/json_reader.h"
#include "core/explain/compiler_errors.h"
#include "core/explain/explanation.h"
#include "core/explain/repro.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace kernelgen;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    (void)parse_known_errors(text, "errors.json");
    const Validated<nlohmann::json> document = parse_json(text, "explanation.json");
    if (!document) return 0;
    (void)repro_call_from_json(*document);
    try {
        const nlohmann::json written = to_json(explanation_from_json(*document));
        if (to_json(explanation_from_json(written)) == written) return 0;
        std::cerr << "not the same explanation after writing it:\n" << written << "\n";
        std::abort();
    } catch (const std::exception&) {
        return 0;
    }
}
