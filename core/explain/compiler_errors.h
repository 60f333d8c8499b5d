// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace kernelgen {

/// A text in both languages of the product.
struct BothTongues {
    std::string english, chinese;

    bool operator==(const BothTongues&) const = default;
};

/// Errors of compilers, interpreters and drivers that have one explanation.
struct KnownError {
    std::string id;
    std::regex pattern;  ///< searched in a message, whatever the case of letters
    BothTongues why;     ///< `{1}` is what the pattern's first group matched, in a message's own words
    BothTongues what_to_do;
};

/// The explanation of a compiler's or a device's message.
struct ErrorExplanation {
    std::string id;
    BothTongues why, what_to_do;
};

/// Reads the list of resources/explain/compiler_errors.json. Errors, all at once: unknown keys, an id given twice, a
/// pattern that is no regular expression or longer than 200 bytes, a text that is missing or names a group that the
/// pattern does not have.
Validated<std::vector<KnownError>> parse_known_errors(std::string_view text, const std::string& file);

/// The list that is installed with the program; read once. Empty where the file is damaged, which a test would show.
const std::vector<KnownError>& known_errors();

/// The first of `errors` that fits the message, which may have several lines; nothing where none does. Only the first
/// 4,000 bytes are searched.
std::optional<ErrorExplanation> explain_error(std::string_view message, const std::vector<KnownError>& errors);

}  // namespace kernelgen
