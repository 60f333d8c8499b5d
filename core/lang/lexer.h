// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace kernelgen {

/// A place in a text, both from 1; columns count bytes.
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

/// Of very many errors in a text, the first ones are reported.
inline constexpr std::size_t most_errors = 100;

/// Splits a text of the operator language into tokens; the last is `end`. Characters that the language does not have
/// are reported and passed over. Comments run from # to the end of their line.
std::vector<Token> tokenise(std::string_view text, std::string_view place, Diagnostics& diagnostics);

}  // namespace kernelgen
