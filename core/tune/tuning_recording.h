// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/tune/recording.h"

namespace kernelgen {

/// A tuning's file, `tunings/N.jsonl`, as a recording: each configuration with its seconds.

/// Whether a text begins as such a file does.
bool is_tuning_text(std::string_view text);

/// Lines that cannot be read, as a torn one, are passed over with a warning. `file` is its name in errors. Errors: a
/// first line that cannot be read.
Validated<Recording> read_tuning_recording(std::string_view text, const std::string& file);

}  // namespace kernelgen
