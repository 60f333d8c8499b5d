// SPDX-License-Identifier: Apache-2.0
// A rule file of the diagnosis: any bytes are read or refused, and what was read judges evidence.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/diagnose/diagnose.h"
#include "core/measure/metrics.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace kernelgen;
    const Validated<RuleBook> book = parse_rules({reinterpret_cast<const char*>(data), size}, "rules.json");
    if (!book) return 0;
    Evidence evidence;
    evidence.kind = "cpu";
    for (const Metric& each : all_metrics) evidence.put(each.name, 0.5, EvidenceSource::timing);
    (void)to_json(diagnose(evidence, book->rules)).dump();
    return 0;
}
