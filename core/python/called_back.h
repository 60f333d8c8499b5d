// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "core/backend/executor.h"
#include "core/python/executor_library.h"

namespace kernelgen {

/// A Python file that is loaded into this process's interpreter, as the executor calls it; unloaded with it. Addresses
/// are those of inputs, outputs and workspace, in order; a stream is a CUDA stream, or 0 on a CPU.
class CalledBack {
public:
    enum class Mode { timed, judged, replay, forget };

    /// Executes the file. With `trial`, calls it once on zeros, and what it compiled to is added to `told` ("kernels",
    /// "texts"); where that fails, "messages" have the place. `callbacks` must outlive it; null: this process has no
    /// interpreter.
    static Outcome load(const kernelgen_python_callbacks* callbacks, const Artifact& artifact, const Call& call,
                        std::uint64_t stream, bool trial, std::unique_ptr<CalledBack>& loaded, nlohmann::json& told);
    CalledBack(const CalledBack&) = delete;
    ~CalledBack();

    Outcome bind(const Call& call) const;
    /// What timed calls return stays in memory, each in its own, until `forget`, which calls nothing.
    Outcome call(std::span<const std::uint64_t> addresses, std::uint64_t stream, Mode mode) const;
    /// Copies what call number `call` since `forget` (or in the last `replay`) returned in memory of its own into its
    /// outputs' buffers.
    Outcome deliver(std::span<const std::uint64_t> addresses, int call) const;
    /// Makes a `replay` of one call on each set ready: on a device as a graph, or where that cannot be one by one.
    Outcome repeat(const std::vector<std::vector<std::uint64_t>>& sets, std::uint64_t stream) const;

    /// Whether this process can serve somebody else, with everything unloaded. `callbacks` may be null.
    static Outcome clear(const kernelgen_python_callbacks* callbacks);

private:
    CalledBack(const kernelgen_python_callbacks& callbacks, int number) : callbacks_(callbacks), number_(number) {}
    Outcome ask(nlohmann::json request, nlohmann::json& reply) const;

    const kernelgen_python_callbacks& callbacks_;
    int number_;
};

}  // namespace kernelgen
