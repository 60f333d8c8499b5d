// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "core/base/said.h"

namespace kernelgen {

/// The version of the protocol between a worker and an executor (docs/EXECUTOR_PROTOCOL.md): of their messages, of the
/// mailbox's layout and of the library's callbacks. Raise it when an executor or a worker of another version would
/// misread any of them, here and in resources/python/kernelgen_executor.py.
inline constexpr int executor_protocol_version = 9;

inline constexpr int executor_mailbox_descriptor = 3;  ///< open only until the executor has mapped the mailbox
inline constexpr int executor_arena_descriptor = 4;    ///< open only until the executor has mapped the arena

/// The line that ends an executor. There is no reply to it.
inline constexpr std::string_view executor_end_request = R"({"op":"end"})";

/// What is said of a peer ("it") with another version of the protocol: both versions, and what to do.
Said other_protocol(std::string_view peer, std::string_view version);

}  // namespace kernelgen
