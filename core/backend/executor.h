// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "core/backend/arena.h"
#include "core/backend/call.h"
#include "core/base/process.h"
#include "core/base/status.h"

namespace kernelgen {

struct Trial;

/// How a request to an executor ended. After crashed, timed_out and cancelled the executor is dead.
struct Outcome {
    Status status = Status::ok;
    std::string reason;

    bool ok() const { return status == Status::ok; }
};

/// Where a run's buffers are put. `shared`: in the arena itself, between their guards. `ends_guarded`,
/// `starts_guarded`: in private memory whose last (first) byte touches an unreadable page; copied in and out.
enum class Placement { shared, ends_guarded, starts_guarded };

/// Samples of pairs, in seconds a call.
struct Samples {
    std::vector<double> candidate, baseline;
    std::int64_t grown_bytes = 0;  ///< memory of the executor (on an accelerator: of the device), after less before
    int discarded = 0;             ///< pairs taken again because the device's clock had fallen
    std::map<std::string, double> conditions;  ///< of an accelerator, as in BenchResult
};

struct SampleRequest {
    std::vector<bool> candidate_first;  ///< one a pair
    int repeats = 1;                    ///< calls within a sample, over rotating buffers
    bool flush = true;                  ///< the buffers' lines, before each sample
    std::uint8_t poison = 0;            ///< outputs are filled with it before each sample
    int capture = -1;                   ///< after the last pair's candidate (0) or baseline (1): outputs to the arena
};

/// How long an executor has to greet, and what it does until then, for the message where that is too long.
struct Greeting {
    double limit_seconds = 10;
    std::string doing = "start";
    std::stop_token stop;
};

/// A worker's child in which kernels run. It speaks JSON lines through a mailbox in shared memory, and what kernels
/// print is collected apart. One request at a time; a request that outlives its limit, a stop, or an answer that no
/// executor gives kills it. Protocol: see docs/EXECUTOR_PROTOCOL.md, the same for native and Python executors.
class Executor {
public:
    /// Starts `arguments` (such as `kernelgen executor`).
    static Result<std::unique_ptr<Executor>> start(std::vector<std::string> arguments,
                                                   std::map<std::string, std::string> environment,
                                                   Greeting greeting = {});
    ~Executor();

    Arena& arena();
    bool alive() const;
    std::string printed() const;  ///< the last 4 KiB that kernels printed

    /// Of each request from now on; where a loaded artifact compiles when it is called, that has time of its own.
    void set_limit(double seconds, std::stop_token stop);

    /// Slots are small numbers; loading into one again replaces it.
    Outcome load(int slot, const Artifact& artifact, const Call& call);
    /// As `load`, and an artifact in Python is called once on zeros: `trial` says what it compiled to, or why not.
    Outcome try_out(int slot, const Artifact& artifact, const Call& call, Trial& trial);
    /// Unloads everything and gives back all buffers, the arena's too, so that it can serve somebody else.
    Outcome clear();
    /// Calls slot `slot` once on the arena's buffers.
    Outcome run(int slot, const Call& call, const Layout& layout, Placement placement = Placement::shared);
    /// Makes `rotations` sets of private, huge-page buffers for timing slots 0 and 1, filled from the arena.
    Outcome prepare(const Call& candidate, const Call& baseline, const Layout& layout, int rotations);
    /// Copies the arena's inputs into the prepared buffers, in place.
    Outcome refill();
    /// One or more pairs of timed calls; all of them together have twice the limit.
    Outcome sample(const SampleRequest& request, Samples& samples);
    /// Cache references and misses over some calls of slot 0; the reason where they cannot be counted.
    Outcome count(int calls, double& hit_rate);

private:
    struct Impl;
    explicit Executor(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace kernelgen
