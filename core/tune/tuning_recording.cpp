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
    bool is_first = true;
    for (const std::string& line : split(text, '\n')) {
        const Result<void> read = read_tuning_line(line, is_first, tuning);
        if (is_first && !read) return std::unexpected(Diagnostics{{file, "", read.error().message, ""}});
        is_first = false;
    }
    Recording recording;
    for (const Tried& each : tuning.tried)
        recording.trials.push_back({each.configuration, each.is_ok() ? std::optional(each.seconds) : std::nullopt});
    return recording;
}

}  // namespace kernelgen
