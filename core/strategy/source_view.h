// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace kernelgen {

/// A source of the same length in which comments and texts in quotes are blanks, so that what looks like code is code.
/// Runs of over 1000 blanks or letters are broken by a character that is neither, for std::regex.
std::string without_comments(std::string_view text, bool is_python);

/// The place of the bracket that closes the one at `open`; npos where it is not closed.
std::size_t closing(std::string_view code, std::size_t open);

/// The line of a place, from 1.
int line_at(std::string_view text, std::size_t place);

/// The first line in which two texts differ, from 1.
int first_difference(std::string_view before, std::string_view after);

}  // namespace kernelgen
