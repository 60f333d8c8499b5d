// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <vector>

#include "core/backend/call.h"
#include "core/backend/outcome.h"
#include "core/backend/trial.h"
#include "core/python/executor_library.h"

namespace kernelgen {

/// A Python file that is loaded into this process's interpreter; the executor calls its function. The destructor
/// unloads it. Addresses are those of inputs, outputs and workspace, in order.
class CalledBack {
public:
    enum class Mode {
        timed = kernelgen_call_timed,
        judged = kernelgen_call_judged,
        replay = kernelgen_call_replay,
        forget = kernelgen_call_forget
    };

    /// Executes the file. With a `trial`, also calls it once on zeros: the trial then has what it compiled to, or where
    /// that fails, messages with file and line. `callbacks` must outlive the object; null: this process has no
    /// interpreter.
    static Outcome load(const kernelgen_python_callbacks* callbacks, const Artifact& artifact, const Call& call,
                        std::optional<TrialReport>& trial, std::unique_ptr<CalledBack>& loaded);
    CalledBack(const CalledBack&) = delete;
    ~CalledBack();

    Outcome bind(const Call& call) const;
    /// Until `forget`, the results of timed calls stay in memory, each in its own. `forget` calls no Python code of the
    /// file. `places`: all 0, one for each output of the call, or of all calls of a replay; those outputs that are not
    /// in their buffers get their addresses.
    Outcome call(std::span<const std::uint64_t> addresses, Mode mode, std::span<std::uint64_t> places = {}) const;
    /// Prepares `replay`, which makes one call on each set: on a device as a graph, or one after another where the
    /// calls cannot be captured. `capturing`: the CUDA stream that captures.
    Outcome repeat(const std::vector<std::vector<std::uint64_t>>& sets, std::uint64_t capturing) const;

    /// Whether this process can serve another caller, after everything was unloaded. `callbacks` may be null.
    static Outcome clear(const kernelgen_python_callbacks* callbacks);

private:
    CalledBack(const kernelgen_python_callbacks& callbacks, int number) : callbacks_(callbacks), number_(number) {}
    Outcome ask(nlohmann::json request, nlohmann::json& reply) const;

    const kernelgen_python_callbacks& callbacks_;
    int number_;
};

}  // namespace kernelgen
