// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/backend/executor.h"
#include "core/backend/trial.h"

namespace kernelgen {

/// The version of the protocol between a worker and an executor (docs/EXECUTOR_PROTOCOL.md). Raise it when an executor
/// or a worker of another version would misread a message or not find the mailbox.
inline constexpr int executor_protocol_version = 4;
inline constexpr int executor_mailbox_descriptor = 3;  ///< open only until the executor has mapped the mailbox
inline constexpr int executor_arena_descriptor = 4;    ///< open only until the executor has mapped the arena
inline constexpr std::string_view executor_end_request = R"({"op":"end"})";

/// Reads the answers of an executor. A kernel may have written any of them. So every function below accepts any bytes,
/// and returns a value within the stated bounds or an error that says in a few words what is wrong.

/// Reads a greeting. Errors: it is no greeting, or the executor has another version of the protocol.
Result<std::string> read_greeting(std::string_view line);  ///< the executor's name

/// The part that all replies have.
struct Reply {
    Outcome outcome;          ///< its status is one that an executor may report
    bool ends = false;        ///< the executor's process ends after this reply
    bool misaligned = false;  ///< the kernel needs aligned buffers
    nlohmann::json fields;    ///< the whole object, for the functions below
};
Result<Reply> read_reply(std::string_view line);

/// Reads a reply to `sample`. Each side has one time for each of its turns, above 0 and below a day. Where checksums
/// were requested, each side has one for each call, with the same number of calls in a turn for all sides.
Result<Samples> read_samples(const nlohmann::json& fields, const SampleRequest& request);
/// Reads a reply to `count`: a rate from 0 to 1.
Result<double> read_hit_rate(const nlohmann::json& fields);
/// Reads a reply to `load` with `trial`; missing fields stay empty.
Result<Trial> read_trial(const nlohmann::json& fields);

}  // namespace kernelgen
