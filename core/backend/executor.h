// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "core/backend/arena.h"
#include "core/backend/call.h"
#include "core/backend/foreign_threads.h"
#include "core/base/process.h"
#include "core/base/status.h"

namespace kernelgen {

struct Trial;

/// How a request to an executor ended. After the statuses crashed, timed_out and cancelled the executor is dead.
struct Outcome {
    Status status = Status::ok;
    std::string reason;

    bool ok() const { return status == Status::ok; }
};

/// Where the buffers of a run are. `shared`: in the arena, between their guards. `ends_guarded` (`starts_guarded`): in
/// private memory, where the last (first) byte of each buffer touches an unreadable page; inputs are copied in and
/// outputs are copied out.
enum class Placement { shared, ends_guarded, starts_guarded };

/// A range of bytes of an input that has two contents. All patches of one `unit` change together.
struct Patch {
    int unit = 0;
    int input = 0;
    std::size_t offset = 0, bytes = 0;  ///< within the input
    std::size_t contents = 0;           ///< position of the first content in the arena; the second content follows it
};

/// Selects one timed call, of `side` on buffer set `set` in turn `turn`, whose outputs are copied to the arena.
struct Capture {
    int side = 0, set = 0;
    std::size_t turn = 0;
};

/// A batch of turns. In a turn each of the listed sides is sampled once, in the listed order. A sample is one call on
/// each set of buffers, one after another. The side `nobody` is sampled like the others, but no kernel is called.
struct SampleRequest {
    static constexpr int nobody = -1;

    std::vector<std::vector<int>> turns;
    /// For each place of each turn, and in it for each set: a bit mask, in which bit u means that the patches of unit u
    /// have their second content. So the sides of a turn see different inputs. Empty: all have the first content.
    std::vector<std::uint64_t> states;
    bool flush = true;        ///< whether the buffers are flushed from the caches before each sample
    std::uint8_t poison = 0;  ///< the byte with which outputs are filled before each sample
    std::uint64_t key = 0;    ///< key of the outputs' checksums (core/backend/checksum.h); 0: no checksums
    std::optional<Capture> capture = {};
};

/// The measurements of a batch. Sides are numbered as in `prepare`.
struct Samples {
    std::vector<std::vector<double>> seconds;  ///< for each side: seconds of one call, one number for each of its turns
    std::vector<std::vector<std::uint64_t>> checksums;  ///< for each side: one for each call, in order
    double outside_seconds = 0;                         ///< time outside the samples: poisoning, flushing, checksums
    double idle_seconds = 0;       ///< on a CPU, where nobody is called: time of touching all buffers as a call does
    std::int64_t grown_bytes = 0;  ///< memory of the executor (accelerator: of the device), after minus before
    int discarded = 0;             ///< turns that were repeated because the device's clock had fallen
    std::map<std::string, double> conditions;  ///< of an accelerator, as in BenchResult
};

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
    Outcome try_out(int slot, const Artifact& artifact, const Call& call, Trial& trial);
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
