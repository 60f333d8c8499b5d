// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/backend/executor.h"
#include "core/backend/trial.h"

namespace kernelgen {

/// The protocol between a worker and an executor (docs/EXECUTOR_PROTOCOL.md). Raise it when an executor or a worker of
/// another version would misread a message or not find the mailbox.
inline constexpr int executor_protocol_version = 2;
inline constexpr int executor_mailbox_descriptor = 3;  ///< only until the executor has mapped it
inline constexpr int executor_arena_descriptor = 4;    ///< as well
inline constexpr std::string_view executor_end_request = R"({"op":"end"})";

/// An executor's answers as the worker takes them. A kernel may have written any of them: every function below takes
/// any bytes and gives a value within the stated bounds, or an error that says what is wrong in a few words.

/// A greeting. Errors: no greeting, or of an executor that speaks another protocol.
Result<std::string> read_greeting(std::string_view line);  ///< the executor's name

/// What every reply has.
struct Reply {
    Outcome outcome;          ///< with a status that an executor can have
    bool ends = false;        ///< it is the last of its process
    bool misaligned = false;  ///< the kernel needs aligned buffers
    nlohmann::json fields;    ///< the whole object, for the functions below
};
Result<Reply> read_reply(std::string_view line);

/// Of a reply to `sample`: for each side one time a turn in which it was, above 0 and below a day, and where checksums
/// were asked for one a call, of the same number of calls a turn for all sides.
Result<Samples> read_samples(const nlohmann::json& fields, const SampleRequest& request);
/// Of a reply to `count`: from 0 to 1.
Result<double> read_hit_rate(const nlohmann::json& fields);
/// Of a reply to `load` with `trial`; what is not there is empty.
Result<Trial> read_trial(const nlohmann::json& fields);

}  // namespace kernelgen
