// SPDX-License-Identifier: Apache-2.0
// gate.json and the lines of gate.jsonl: any bytes are read or refused, and what was read is reported.
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/base/json_reader.h"
#include "core/gate/gate_file.h"
#include "core/gate/gate_history.h"
#include "core/gate/gate_report.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace kernelgen;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    (void)parse_gate(text, "gate.json");
    const Validated<nlohmann::json> document = parse_json(text, "gate.jsonl");
    if (!document) return 0;
    const Result<GateCheck> check = gate_check_from_json(*document);
    if (!check) return 0;
    const GateCheck checks[] = {*check};
    (void)gate_markdown(checks);
    (void)gate_junit(checks, true);
    (void)gate_annotations(*check, "folder", false);
    (void)trend_text(checks);
    return 0;
}
