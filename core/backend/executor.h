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

/// How a request to an executor ended. After crashed, timed_out and cancelled the executor is dead.
struct Outcome {
    Status status = Status::ok;
    std::string reason;

    bool ok() const { return status == Status::ok; }
};

/// Where a run's buffers are put. `shared`: in the arena itself, between their guards. `ends_guarded`,
/// `starts_guarded`: in private memory whose last (first) byte touches an unreadable page; copied in and out.
enum class Placement { shared, ends_guarded, starts_guarded };

/// Bytes of an input that have two contents. Patches of one `unit` change together.
struct Patch {
    int unit = 0;
    int input = 0;
    std::size_t offset = 0, bytes = 0;  ///< within the input
    std::size_t contents = 0;           ///< where the first content lies in the arena; the second follows it
};

/// One call whose outputs are copied to the arena: that of `side` on buffer set `set` in a turn.
struct Capture {
    int side = 0, set = 0;
    std::size_t turn = 0;
};

/// Turns of timed calls. In a turn each of its sides is sampled once, in the order given; a sample is one call on each
/// set of buffers, one after another. No side (`nobody`) is sampled as the others are, but nothing is called.
struct SampleRequest {
    static constexpr int nobody = -1;

    std::vector<std::vector<int>> turns;
    /// For each turn and set, one after another: bit u set where unit u's patches have their second content. Empty: the
    /// first everywhere.
    std::vector<std::uint64_t> states;
    bool flush = true;        ///< the buffers' lines leave the caches before each sample
    std::uint8_t poison = 0;  ///< outputs are filled with it before each sample
    std::uint64_t key = 0;    ///< of the outputs' checksums (core/backend/checksum.h); 0: none are made
    std::optional<Capture> capture = {};
};

/// What was measured. Sides are numbered as in `prepare`.
struct Samples {
    std::vector<std::vector<double>> seconds;  ///< of each side: seconds a call, one number a turn in which it was
    std::vector<std::vector<std::uint64_t>> checksums;  ///< of each side: one a call, in order
    double outside_seconds = 0;    ///< what surrounds the samples took: poisoning, flushing, checksums
    std::int64_t grown_bytes = 0;  ///< memory of the executor (on an accelerator: of the device), after less before
    int discarded = 0;             ///< turns taken again because the device's clock had fallen
    std::map<std::string, double> conditions;  ///< of an accelerator, as in BenchResult
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

    /// Seconds for which its first thread was ready to run and had no processor; 0 where the system does not tell.
    double waited_seconds() const;

    /// Its own threads are those that it had when it greeted.
    const ForeignThreads& foreign_threads() const;

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
    /// Makes `sets` sets of private, huge-page buffers, filled from the arena, for timing the slots 0 …
    /// calls.size() - 1.
    Outcome prepare(std::span<const Call> calls, const Layout& layout, int sets);
    /// Copies the arena's inputs into the prepared buffers, in place, with the first contents of `patches`.
    Outcome refill(std::span<const Patch> patches = {});
    /// Times what `prepare` made ready; all turns together have twice the limit.
    Outcome sample(const SampleRequest& request, Samples& samples);
    /// Ends the process, with what kernels have left in it. Nothing can be asked of it afterwards.
    void end();
    /// Cache references and misses over one call of a slot; the reason where they cannot be counted.
    Outcome count(int slot, double& hit_rate);

private:
    struct Impl;
    explicit Executor(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace kernelgen
