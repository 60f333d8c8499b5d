// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/backend/executor_requests.h"
#include "core/backend/outcome.h"
#include "core/backend/trial.h"

namespace kernelgen {

/// What an executor answers. A kernel may have written any answer that a worker reads. So every function that reads
/// accepts any bytes, and returns a value within the stated bounds or an error that says in a few words what is wrong.

/// The first line of an executor. `executor` is its name: "native", "cuda".
std::string greeting_line(std::string_view executor);
/// Reads the executor's name from a greeting. Errors: it is no greeting, or the executor has another version of the
/// protocol.
Result<std::string> read_greeting(std::string_view line);

/// The answer to one request. Parts that the request does not ask for are left out.
struct Reply {
    Outcome outcome;                        ///< its status is one that an executor may report
    bool ends = false;                      ///< the executor's process ends after this reply
    bool misaligned = false;                ///< the kernel needs aligned buffers
    std::optional<Samples> samples = {};    ///< of a SampleRequest that succeeded
    std::optional<double> hit_rate = {};    ///< of a CountRequest that succeeded: from 0 to 1
    std::optional<TrialReport> trial = {};  ///< of a LoadRequest with `trial`, whatever its status
};

/// A reply as one line of JSON, without a newline. Bytes that are not UTF-8 become U+FFFD: a replaced byte is better
/// than a lost message.
std::string to_line(const Reply& reply);

/// Reads the reply to `request`. In samples, each side has one time for each of its turns, above 0 and below a day;
/// where checksums were requested, each side has one for each call, with the same number of calls in a turn for all
/// sides.
Result<Reply> read_reply(std::string_view line, const Request& request);

/// Reads what a Python file compiled to, from a reply; missing fields stay empty.
Result<TrialReport> read_trial(const nlohmann::json& fields);

}  // namespace kernelgen
