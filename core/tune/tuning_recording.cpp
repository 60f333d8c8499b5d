// SPDX-License-Identifier: Apache-2.0
#include "core/tune/tuning_recording.h"

#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/tune/tuning.h"

namespace kernelgen {

bool is_tuning_text(std::string_view text) {
    const nlohmann::json first = nlohmann::json::parse(first_line(text), nullptr, false);
    return first.is_object() && first.contains("schema") && first.contains("kind") && first["kind"] == "tuning";
}

Validated<Recording> read_tuning_recording(std::string_view text, const std::string& file) {
    Tuning tuning;
    Recording recording;
    int line_number = 0, damaged = 0, first_damaged = 0;
    for (const std::string& line : split(text, '\n')) {
        const bool is_first = ++line_number == 1;
        if (trim(line).empty() && !is_first) continue;
        const Result<void> read = read_tuning_line(line, is_first, tuning);
        if (read) continue;
        if (is_first) return std::unexpected(Diagnostics{{file, "", read.error().message, ""}});
        if (damaged++ == 0) first_damaged = line_number;
    }
    if (damaged > 0)
        recording.warnings.push_back(
            say("{}: lines that cannot be read are left out: {}; the first is line {}", file, damaged, first_damaged));
    for (const Tried& each : tuning.tried)
        recording.trials.push_back({each.configuration, each.is_ok() ? std::optional(each.seconds) : std::nullopt});
    return recording;
}

}  // namespace kernelgen
