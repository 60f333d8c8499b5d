// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace kernelgen {

/// Whether JSON, and so a worker or a round's record, can carry a text as it is.
bool is_utf8(const std::string& text);

/// As `read_file`, of a text: one that is not UTF-8 is refused, since it would not come back as it was.
Result<std::string> read_text_file(const std::filesystem::path& path, std::uint64_t limit_bytes);

}  // namespace kernelgen
