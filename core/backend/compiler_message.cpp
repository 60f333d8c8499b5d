// SPDX-License-Identifier: Apache-2.0
#include "core/backend/compiler_message.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/said/said.h"

namespace kernelgen {

using nlohmann::json;

int place_number(const std::string& digits) {
    long long number = 0;
    return parse_integer(digits, number) && number <= std::numeric_limits<int>::max() ? static_cast<int>(number) : 0;
}

CompilerMessage open_end(const std::string& file, const std::string& text) {
    const auto last = text.begin() + static_cast<std::ptrdiff_t>(text.find_last_not_of(" \t\r\n") + 1);
    return {file, 1 + static_cast<int>(std::count(text.begin(), last, '\n')), 0, "error",
            "the source ends inside an open block or declaration: close it with the missing `}` or `;`"};
}

bool tells_error(const std::vector<CompilerMessage>& messages) {
    return std::ranges::contains(messages, "error", &CompilerMessage::severity);
}

json to_json(const CompilerMessage& message) {
    json object = {
        {"file", message.file}, {"line", message.line}, {"column", message.column}, {"severity", message.severity}};
    put_said(object, "text", message.text);
    return object;
}

}  // namespace kernelgen
