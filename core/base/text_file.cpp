// SPDX-License-Identifier: Apache-2.0
#include "core/base/text_file.h"

#include <nlohmann/json.hpp>

#include "core/base/file.h"

namespace kernelgen {

bool is_utf8(const std::string& text) {
    try {
        return !nlohmann::json(text).dump().empty();
    } catch (const nlohmann::json::type_error&) {
        return false;
    }
}

Result<std::string> read_text_file(const std::filesystem::path& path, std::uint64_t limit_bytes) {
    Result<std::string> text = read_file(path, limit_bytes);
    if (text && !is_utf8(*text))
        return fail(say("cannot read {}: it is not UTF-8 text; save it as UTF-8", path.string()));
    return text;
}

}  // namespace kernelgen
