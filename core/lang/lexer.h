// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace kernelgen {

/// A place in a text. Line and column count from 1; columns count bytes.
struct Position {
    int line = 1;
    int column = 1;
};

enum class TokenKind { number, name, symbol, separator, end };

struct Token {
    TokenKind kind = TokenKind::end;
    std::string text;  ///< `separator`: ";" or a newline
    Position position;
};

/// "body:1:17".
std::string place_text(std::string_view place, Position position);

/// The beginning of the names of a device's numbers, such as `device.multiprocessors`: the only names with a dot.
inline constexpr std::string_view device_prefix = "device.";

/// The most errors that are reported for one text.
inline constexpr std::size_t most_errors = 100;

/// Splits a text of the operator language into tokens; the last token is `end`. Characters that the language does not
/// have are reported and skipped. A comment goes from # to the end of its line.
std::vector<Token> tokenise(std::string_view text, std::string_view place, Diagnostics& diagnostics);

}  // namespace kernelgen
