// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/base/said.h"

namespace kernelgen {

/// One message of a compiler.
struct CompilerMessage {
    std::string file;
    int line = 0, column = 0;  ///< from 1; 0 where the compiler names none
    std::string severity;      ///< "error", "warning", "note"
    Said text;

    bool operator==(const CompilerMessage&) const = default;
};

/// Whether one of the messages is an error.
bool tells_error(const std::vector<CompilerMessage>& messages);

/// Reads a line or column number of a compiler's message; 0 where it does not fit in an int.
int place_number(const std::string& digits);

/// An error at a source's last line: the source ends inside an open block or declaration.
CompilerMessage open_end(const std::string& file, const std::string& text);

nlohmann::json to_json(const CompilerMessage& message);

}  // namespace kernelgen
