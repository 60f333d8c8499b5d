// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/backend/arena.h"
#include "core/backend/call.h"
#include "core/backend/foreign_threads.h"
#include "core/backend/outcome.h"
#include "core/backend/sampling.h"
#include "core/base/result.h"

namespace kernelgen {

struct TrialReport;

/// How long an executor may take until its greeting, and what it does in this time (for the message when it takes too
/// long).
struct Greeting {
    double limit_seconds = 10;
    std::string doing = "start";
    std::stop_token stop;
};

/// A child process of the worker, in which kernels run. It exchanges JSON lines with the worker through a mailbox in
/// shared memory; what kernels print is collected separately. It serves one request at a time. It is killed when a
/// request exceeds its limit, when a stop is requested, or when its answer is not valid. The protocol, the same for
/// native and Python executors, is in docs/EXECUTOR_PROTOCOL.md.
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

    /// Seconds for which the executor's first thread was ready to run and had no processor; 0 where the system does not
    /// report this.
    double waited_seconds() const;
    /// Seconds from the moment when the last request could be sent to the moment when its whole reply had arrived, by
    /// this process's clock: without what this process needs to write the one and to read the other.
    double exchange_seconds() const;

    /// Watches the threads and processes that kernels start. The executor's own threads are those that it had at its
    /// greeting.
    const ForeignThreads& foreign_threads() const;

    /// Sets the time limit of each later request. An artifact that compiles when it is called has extra time for that.
    void set_limit(double seconds, std::stop_token stop);

    /// Loads an artifact into a slot. Slots are small numbers; loading into the same slot again replaces the artifact.
    Outcome load(int slot, const Artifact& artifact, const Call& call);
    /// As `load`, and calls an artifact in Python once on zeros: `trial` then has what it compiled to, or the reason
    /// why not.
    Outcome try_out(int slot, const Artifact& artifact, const Call& call, TrialReport& trial);
    /// Unloads all artifacts and frees all buffers and the arena's memory, so that the executor can serve another
    /// caller.
    Outcome clear();
    /// Calls slot `slot` once on the arena's buffers.
    Outcome run(int slot, const Call& call, const Layout& layout, Placement placement = Placement::shared);
    /// Makes `sets` sets of private buffers in huge pages, filled from the arena, for timing the slots 0 … calls.size()
    /// - 1.
    Outcome prepare(std::span<const Call> calls, const Layout& layout, int sets);
    /// Copies the arena's inputs into the prepared buffers; patches get their first contents.
    Outcome refill(std::span<const Patch> patches = {});
    /// Times calls on the buffers of `prepare`. The time limit of all turns together is twice the limit of a request.
    Outcome sample(const SampleRequest& request, Samples& samples);
    /// Ends the process with everything that kernels left in it. No other method may be called afterwards.
    void end();
    /// Reads the cache hit rate of one call of a slot; the outcome has the reason where it cannot be counted.
    Outcome count(int slot, double& hit_rate);

private:
    struct Impl;
    explicit Executor(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace kernelgen
