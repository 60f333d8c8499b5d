// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/backend/arena.h"
#include "core/backend/artifact.h"
#include "core/backend/call.h"
#include "core/backend/sampling.h"
#include "core/base/result.h"

namespace kernelgen {

/// What a worker asks an executor for (docs/EXECUTOR_PROTOCOL.md). Each request is a struct, and its `op` is its name
/// in JSON. SampleRequest is in core/backend/sampling.h.

/// Loads an artifact into a slot. Slots are small numbers; what was in the slot is unloaded.
struct LoadRequest {
    static constexpr std::string_view op = "load";
    int slot = 0;
    Artifact artifact;
    Call call;
    bool trial = false;  ///< an artifact in Python is called once on zeros, and the reply has what it compiled to
};

/// Calls a slot once on the arena's buffers.
struct RunRequest {
    static constexpr std::string_view op = "run";
    int slot = 0;
    Call call;
    Layout layout;
    Placement placement = Placement::shared;
    std::size_t alignment = 1;  ///< of the buffers in `ends_guarded`, in bytes: a power of two up to a page
};

/// Makes private buffers, filled from the arena, for timing the slots 0 … calls.size() - 1.
struct PrepareRequest {
    static constexpr std::string_view op = "prepare";
    std::vector<Call> calls;
    Layout layout;
    int sets = 1;  ///< of buffers
};

/// Copies the arena's inputs into the prepared buffers; patches get their first contents.
struct RefillRequest {
    static constexpr std::string_view op = "refill";
    std::vector<Patch> patches;
};

/// Reads the processor's cache counters over one call of a slot.
struct CountRequest {
    static constexpr std::string_view op = "count";
    int slot = 0;
};

/// Unloads all slots and frees all buffers.
struct ClearRequest {
    static constexpr std::string_view op = "clear";
};

using Request =
    std::variant<LoadRequest, RunRequest, PrepareRequest, RefillRequest, SampleRequest, CountRequest, ClearRequest>;

/// A request as one line of JSON, without a newline.
std::string to_line(const Request& request);

/// Reads what `to_line` writes. Errors: no JSON object, an unknown `op`, a field that is missing, unknown, of another
/// type or out of its range. The message names the field.
Result<Request> read_request(std::string_view line);

}  // namespace kernelgen
