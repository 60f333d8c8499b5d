// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace kernelgen {

/// Whether a text can be stored in JSON, and so in a worker's request or a round's record, without changes.
bool is_utf8(const std::string& text);

/// As `read_file`, for a text. Refuses a file that is not UTF-8, since JSON cannot store it unchanged.
Result<std::string> read_text_file(const std::filesystem::path& path, std::uint64_t limit_bytes);

}  // namespace kernelgen
