// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "core/mcp/service.h"

namespace kernelgen::mcp {

/// The protocol's versions that a client may ask for, the newest last; for any other, the newest is answered.
inline constexpr std::string_view protocol_versions[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};

/// The first version whose results have structured content; in older ones it is told as a second text.
inline constexpr std::string_view first_structured_version = "2025-06-18";

/// The longest message that is read; a longer one ends the session with an error that says so.
inline constexpr std::size_t longest_message = 16 << 20;

/// Speaks the Model Context Protocol over two descriptors, one JSON-RPC 2.0 message a line, until the input ends; then
/// stops what runs. A call that the client cancels is stopped and not answered.
/// https://modelcontextprotocol.io/specification/2025-11-25/basic
void serve(const Service& service, int input, int output);

}  // namespace kernelgen::mcp
