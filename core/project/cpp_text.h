// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace kernelgen {

/// The place behind the comment, literal or directive of the preprocessor that begins at `at` of a source in C++ or
/// CUDA; `at` where none does.
std::size_t end_of_no_code(const std::string& source, std::size_t at);

/// The source with blanks for the comments from `begin` to `end`; its places and lines stay.
std::string without_comments(std::string source, std::size_t begin, std::size_t end);

/// The source with blanks for comments and literals, in which no macro is replaced; its places and lines stay.
std::string without_comments_and_literals(std::string source);

}  // namespace kernelgen
