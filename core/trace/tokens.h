// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace kernelgen {

/// A token of C++ or CUDA C++.
struct CodeToken {
    enum class Kind { name, number, text, symbol, end };
    Kind kind = Kind::end;
    std::string text;
    int line = 0;  ///< from 1

    bool is(std::string_view symbol) const { return kind == Kind::symbol && text == symbol; }
};

/// The tokens of a source without comments and directives; the last one is `end`. The object-like macros of the source
/// are replaced by their tokens; both branches of a condition stay.
std::vector<CodeToken> tokens_of(std::string_view source);

}  // namespace kernelgen
