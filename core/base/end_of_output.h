// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace kernelgen {

/// What a failed program said last, for a message: at most 500 bytes, from the beginning of a character.
std::string end_of_output(std::string_view output);

}  // namespace kernelgen
