// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <expected>
#include <string>
#include <utility>
#include <vector>

#include "core/base/said.h"
#include "core/base/status.h"

namespace kernelgen {

/// One error in a text or file of the user, with what to do about it.
struct Diagnostic {
    std::string file;            ///< path of the file, or empty where there is none
    std::string where;           ///< JSON path ("operator.inputs[1].shape") or "body:1:17"; may be empty
    Said message;                ///< what is wrong
    Said suggestion;             ///< what to do, or empty
    Status status = Status::ok;  ///< how the user's code ended, where it was executed and is at fault

    bool operator==(const Diagnostic&) const = default;
};

using Diagnostics = std::vector<Diagnostic>;

/// "file: where: message; suggestion", without the parts that are empty.
Said to_string(const Diagnostic& diagnostic);

/// One diagnostic a line.
Said to_string(const Diagnostics& diagnostics);

/// An error that has no place in a file: what, where and what to do in one sentence.
struct Error {
    Said message;
};

template <class T>
using Result = std::expected<T, Error>;

/// The result of reading a text or file of the user: a value, or all of its errors (at least one).
template <class T>
using Validated = std::expected<T, Diagnostics>;

/// A list with this error only.
inline Diagnostics as_diagnostics(const Error& error) { return {{"", "", error.message, ""}}; }

inline std::unexpected<Error> fail(Said message) { return std::unexpected(Error{std::move(message)}); }

}  // namespace kernelgen
