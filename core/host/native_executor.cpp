// SPDX-License-Identifier: Apache-2.0
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <thread>
#include <utility>
#include <variant>

#include "core/backend/executor_service.h"
#include "core/base/signal_handlers.h"
#include "core/host/cache_counters.h"
#include "core/host/fault_handler.h"
#include "core/host/host_backend.h"
#include "core/host/loaded_kernel.h"
#include "core/host/timing_buffers.h"
#include "core/python/called_back.h"

namespace kernelgen {

using Clock = std::chrono::steady_clock;

namespace {

/// Pages of this process in one of the fields of /proc/self/statm.
std::int64_t memory_pages(int field) {
    std::ifstream file("/proc/self/statm");
    std::int64_t pages = 0;
    for (int i = 0; i <= field; ++i) file >> pages;
    return pages;
}

std::int64_t page_bytes() { return ::sysconf(_SC_PAGESIZE); }

/// Threads of this process.
std::ptrdiff_t thread_count() {
    std::error_code error;
    return std::distance(std::filesystem::directory_iterator("/proc/self/task", error), {});
}

/// Private memory in use: resident less shared.
std::int64_t resident_bytes() { return (memory_pages(1) - memory_pages(2)) * page_bytes(); }

/// While it lives, kernels can allocate 2 GiB more than the process has; what is beyond is refused, so that a leak ends
/// in its own process and not in the system's out-of-memory killer.
class MemoryAllowance {
public:
    /// `more`: bytes beyond.
    explicit MemoryAllowance(std::size_t more) {
        constexpr std::int64_t allowance = 2ll << 30;
        const std::int64_t data_pages = memory_pages(5);
        set(static_cast<rlim_t>(data_pages * page_bytes() + allowance) + more);
    }
    MemoryAllowance(const MemoryAllowance&) = delete;
    ~MemoryAllowance() { set(RLIM_INFINITY); }

private:
    static void set([[maybe_unused]] rlim_t limit) {
#if !defined(KERNELGEN_SANITIZED)  // whose shadow memory would count
        rlimit limits{};
        ::getrlimit(RLIMIT_DATA, &limits);
        limits.rlim_cur = std::min(limit, limits.rlim_max);
        ::setrlimit(RLIMIT_DATA, &limits);
#endif
    }
};

/// While it lives, this thread may run on all CPUs. A library that sets up its threads when it is loaded looks at that.
class AllCpus {
public:
    AllCpus() {
        ::sched_getaffinity(0, sizeof before_, &before_);
        ::sched_setaffinity(0, sizeof all, &all);
    }
    AllCpus(const AllCpus&) = delete;
    ~AllCpus() { ::sched_setaffinity(0, sizeof before_, &before_); }

    static inline const cpu_set_t all = [] {
        cpu_set_t set;
        ::sched_getaffinity(0, sizeof set, &set);
        return set;
    }();

private:
    cpu_set_t before_;
};

class NativeExecutor {
public:
    /// `python`: null in a process without an interpreter.
    NativeExecutor(ExecutorConnection& connection, const kernelgen_python_callbacks* python)
        : connection_(connection), python_(python) {}
    Reply handle(const Request& request);

private:
    Outcome perform(const LoadRequest& request, Reply& reply);
    Outcome perform(const RunRequest& request, Reply& reply);
    Outcome perform(const PrepareRequest& request, Reply& reply);
    Outcome perform(const RefillRequest& request, Reply& reply);
    Outcome perform(const SampleRequest& request, Reply& reply);
    Outcome perform(const CountRequest& request, Reply& reply);
    Outcome perform(const ClearRequest& request, Reply& reply);

    Outcome load_kernel(const LoadRequest& request, std::unique_ptr<LoadedKernel>& kernel, Reply& reply);
    Outcome run_guarded(LoadedKernel& kernel, const CallBuffers& shared, const RunRequest& request);
    Outcome fill(std::span<const Patch> patches);
    void prepare_sample(std::span<const std::uint64_t> states, const SampleRequest& request);
    double time_side(int side);
    void sample_side(int side, std::span<const std::uint64_t> states, const SampleRequest& request, Samples& samples);
    void let_threads_rest() const;
    void take_outputs(int side);
    void capture(const Capture& wanted);

    ExecutorConnection& connection_;
    const kernelgen_python_callbacks* python_;
    SharedArena& arena_ = connection_.arena();
    ThreadPool pool_{allowed_cpus()};
    const std::ptrdiff_t own_threads_ = thread_count();
    bool has_library_ = false;  ///< in a slot
    std::map<int, std::unique_ptr<LoadedKernel>> slots_;
    Layout timed_layout_;
    std::optional<TimingBuffers> timing_;
    SignalHandlers handlers_;  ///< those before any kernel was loaded
    Outcome timed_;            ///< the last that was not ok of the timed calls of a request
};

Reply NativeExecutor::handle(const Request& request) {
    Reply reply;
    reply.outcome = std::visit([&](const auto& each) { return perform(each, reply); }, request);
    return reply;
}

Outcome NativeExecutor::perform(const LoadRequest& request, Reply& reply) {
    const AllCpus all_cpus;
    std::unique_ptr<LoadedKernel> kernel;
    Outcome loaded = load_kernel(request, kernel, reply);
    if (loaded.ok()) slots_[request.slot] = std::move(kernel);
    return loaded;
}

Outcome NativeExecutor::load_kernel(const LoadRequest& request, std::unique_ptr<LoadedKernel>& kernel, Reply& reply) {
    const Artifact& artifact = request.artifact;
    if (runs_in_python(artifact.language)) {
        if (request.trial) reply.trial.emplace();
        return load_python_kernel(python_, artifact, request.call, reply.trial, kernel);
    }
    const bool is_library = artifact.language == Language::library;
    has_library_ = has_library_ || is_library;
    Result<std::unique_ptr<LoadedKernel>> loaded =
        is_library ? load_onednn_primitive(artifact.primitive) : load_shared_object(artifact.path, request.call, pool_);
    if (!loaded) return {is_library ? Status::unavailable : Status::build_failed, loaded.error().message};
    kernel = std::move(*loaded);
    return kernel->bind(request.call);
}

Outcome NativeExecutor::perform(const ClearRequest&, Reply&) {
    timing_.reset();
    slots_.clear();
    has_library_ = false;
    return CalledBack::clear(python_);
}

Outcome NativeExecutor::perform(const RunRequest& request, Reply&) {
    const auto slot = slots_.find(request.slot);
    if (slot == slots_.end()) return {Status::crashed, "nothing is loaded in this slot"};
    LoadedKernel& kernel = *slot->second;
    if (Outcome bound = kernel.bind(request.call); !bound.ok()) return bound;
    const CallBuffers buffers = arena_.buffers(request.layout);
    if (request.placement != Placement::shared) return run_guarded(kernel, buffers, request);
    const MemoryAllowance allowance(kernel.own_memory(arena_.size()));
    return kernel.call_judged(buffers);
}

/// The buffers of a call in private memory between unreadable pages.
struct GuardedBuffers {
    std::vector<GuardedBuffer> inputs, outputs, workspace;
    std::vector<GuardedRange> ranges;
    CallBuffers pointers;
};

Result<GuardedBuffers> make_guarded(const Call& call, const Layout& layout, GuardedBuffer::Edge edge,
                                    std::size_t alignment) {
    GuardedBuffers made;
    const auto add = [&](std::vector<GuardedBuffer>& buffers, std::vector<std::byte*>& pointers,
                         const std::string& name, std::size_t bytes) -> Result<void> {
        Result<GuardedBuffer> buffer = GuardedBuffer::allocate(bytes, edge, alignment);
        if (!buffer) return std::unexpected(buffer.error());
        pointers.push_back(buffer->data());
        made.ranges.push_back({name, buffer->mapping(), buffer->mapped(), buffer->data(), bytes});
        buffers.push_back(std::move(*buffer));
        return {};
    };
    Result<void> added;
    for (const BoundTensor& tensor : call.inputs) {
        if (added) added = add(made.inputs, made.pointers.inputs, tensor.name, tensor.bytes);
    }
    for (const BoundTensor& tensor : call.outputs) {
        if (added) added = add(made.outputs, made.pointers.outputs, tensor.name, tensor.bytes);
    }
    for (const Region& region : layout.workspace) {
        if (added) added = add(made.workspace, made.pointers.workspace, "workspace", region.bytes);
    }
    if (!added) return std::unexpected(added.error());
    return made;
}

Outcome NativeExecutor::run_guarded(LoadedKernel& kernel, const CallBuffers& shared, const RunRequest& request) {
    const Call& call = request.call;
    const auto edge =
        request.placement == Placement::ends_guarded ? GuardedBuffer::Edge::end : GuardedBuffer::Edge::start;
    const std::size_t alignment = std::max(request.alignment, kernel.alignment());
    Result<GuardedBuffers> guarded = make_guarded(call, request.layout, edge, alignment);
    if (!guarded) return {Status::over_limit, guarded.error().message};
    const auto copy = [](const std::vector<std::byte*>& from, const std::vector<std::byte*>& to, const auto& tensors) {
        for (std::size_t i = 0; i < tensors.size(); ++i) std::memcpy(to[i], from[i], tensors[i].bytes);
    };
    copy(shared.inputs, guarded->pointers.inputs, call.inputs);
    copy(shared.outputs, guarded->pointers.outputs, call.outputs);
    Outcome called;
    {
        const FaultHandler handler(guarded->ranges, edge == GuardedBuffer::Edge::end && alignment == 1, connection_);
        const MemoryAllowance allowance(kernel.own_memory(arena_.size()));
        called = kernel.call_judged(guarded->pointers);
    }
    if (called.ok()) copy(guarded->pointers.outputs, shared.outputs, call.outputs);
    return called;
}

Outcome NativeExecutor::perform(const PrepareRequest& request, Reply&) {
    timing_.reset();
    const std::vector<Call>& calls = request.calls;
    for (std::size_t side = 0; side < calls.size(); ++side) {
        const auto loaded = slots_.find(static_cast<int>(side));
        if (loaded == slots_.end()) return {Status::crashed, say("nothing is loaded in slot {}", side)};
        if (Outcome bound = loaded->second->bind(calls[side]); !bound.ok()) return bound;
    }
    Result<TimingBuffers> buffers = TimingBuffers::allocate(calls, request.sets, pool_);
    if (!buffers) return {Status::over_limit, buffers.error().message};
    timing_.emplace(std::move(*buffers));
    timed_layout_ = request.layout;
    Outcome filled = fill({});
    for (int side = 0; side < static_cast<int>(calls.size()); ++side) {
        if (Outcome prepared = slots_[side]->prepare_timing(timing_->of(side, 0)); !prepared.ok()) return prepared;
    }
    return filled;
}

Outcome NativeExecutor::perform(const RefillRequest& request, Reply&) { return fill(request.patches); }

Outcome NativeExecutor::fill(std::span<const Patch> patches) {
    if (!timing_) return {Status::crashed, "nothing is prepared"};
    timing_->fill_inputs(arena_.data(timed_layout_.total), timed_layout_, patches, pool_);
    return {};
}

/// Adds the time of its life to a sum.
class Stopwatch {
public:
    explicit Stopwatch(double& seconds) : seconds_(seconds) {}
    Stopwatch(const Stopwatch&) = delete;
    ~Stopwatch() { seconds_ += std::chrono::duration<double>(Clock::now() - start_).count(); }

private:
    double& seconds_;
    Clock::time_point start_ = Clock::now();
};

/// Prepares a sample: poisons outputs, flushes caches, then writes the inputs' contents (`states`: one for each set, or
/// empty). The inputs are written last, so that a kernel cannot work on them during the flush.
void NativeExecutor::prepare_sample(std::span<const std::uint64_t> states, const SampleRequest& request) {
    for (int set = 0; set < timing_->sets(); ++set) {
        timing_->poison_outputs(set, request.poison, pool_);
        timing_->restore_mutated(set, pool_);
        if (request.flush) timing_->flush(set, pool_);
        timing_->rewrite_pages(set, request.flush, pool_);
    }
    for (std::size_t set = 0; set < states.size(); ++set) {
        timing_->enter_state(static_cast<int>(set), states[set], request.flush);
    }
}

/// Seconds a call of one call on each set of buffers, of a kernel that is armed.
double NativeExecutor::time_side(int side) {
    LoadedKernel& kernel = *slots_[side];
    const Clock::time_point start = Clock::now();
    for (int set = 0; set < timing_->sets(); ++set) {
        Outcome called = kernel.call(timing_->of(side, set));
        if (!called.ok()) timed_ = std::move(called);
    }
    return std::chrono::duration<double>(Clock::now() - start).count() / timing_->sets();
}

/// Waits until threads that a kernel has started, such as OpenMP's, have stopped spinning: they spin for about a
/// millisecond after a call. The work around the sample shall not compete with them, nor take longer than in an idle
/// batch. Libraries do this themselves.
void NativeExecutor::let_threads_rest() const {
    constexpr std::chrono::milliseconds spinning(1);
    if (python_ == nullptr && !has_library_ && thread_count() > own_threads_) std::this_thread::sleep_for(spinning);
}

void NativeExecutor::sample_side(int side, std::span<const std::uint64_t> states, const SampleRequest& request,
                                 Samples& samples) {
    const bool is_called = side != SampleRequest::nobody;
    {
        const Stopwatch outside(samples.outside_seconds);
        for (const auto& [number, kernel] : slots_) kernel->let_go();
        prepare_sample(states, request);
        if (is_called) slots_[side]->arm();
        else pool_.arm(pool_.size());  // so that an idle turn takes as long
    }
    if (is_called) {
        samples.seconds[static_cast<std::size_t>(side)].push_back(time_side(side));
    } else {
        const Stopwatch idle(samples.idle_seconds);
        for (int set = 0; set < timing_->sets(); ++set) timing_->touch(set, request.poison, pool_);
    }
    const Stopwatch outside(samples.outside_seconds);
    // Restores the signal handlers. A kernel may have installed one and protected its outputs: it could then do the
    // kernel's work when the outputs are read, after the kernel's time, or in the time of another kernel.
    handlers_.restore();
    if (is_called && timed_.ok()) take_outputs(side);
    if (is_called) slots_[side]->disarm();
    else pool_.disarm();
    let_threads_rest();
    if (request.key == 0) return;
    for (int set = 0; set < timing_->sets(); ++set) {
        const std::uint64_t sum = timing_->checksum_outputs(set, request.key, pool_);
        if (is_called) samples.checksums[static_cast<std::size_t>(side)].push_back(sum);
    }
}

/// Copies the outputs of a sample that the calls have left elsewhere to their buffers.
void NativeExecutor::take_outputs(int side) {
    for (int set = 0; set < timing_->sets(); ++set) timing_->take_outputs(set, slots_[side]->places(set), pool_);
}

/// Copies the outputs of the side that was sampled last to the arena.
void NativeExecutor::capture(const Capture& wanted) {
    const CallBuffers& last = timing_->of(wanted.side, wanted.set);
    const CallBuffers shared = arena_.buffers(timed_layout_);
    for (std::size_t i = 0; i < last.outputs.size(); ++i) {
        std::memcpy(shared.outputs[i], last.outputs[i], timed_layout_.outputs[i].bytes);
    }
}

Outcome NativeExecutor::perform(const SampleRequest& request, Reply& reply) {
    if (!timing_) return {Status::crashed, "nothing is prepared"};
    const auto sets = static_cast<std::size_t>(timing_->sets());
    Samples samples;
    samples.seconds.resize(slots_.size());
    samples.checksums.resize(slots_.size());
    timed_ = {};
    std::size_t allowed = 0;
    for (const auto& [number, kernel] : slots_) allowed += kernel->own_memory(arena_.size());
    const MemoryAllowance allowance(allowed);
    const std::int64_t before = resident_bytes();
    std::span<const std::uint64_t> states = request.states;  // those of the places to come
    for (std::size_t turn = 0; turn < request.turns.size(); ++turn) {
        for (const int side : request.turns[turn]) {
            sample_side(side, states.first(std::min(sets, states.size())), request, samples);
            states = states.subspan(std::min(sets, states.size()));
            if (!request.capture || request.capture->turn != turn || request.capture->side != side) continue;
            const Stopwatch outside(samples.outside_seconds);
            capture(*request.capture);
        }
    }
    samples.grown_bytes = resident_bytes() - before;
    if (timed_.ok()) reply.samples = std::move(samples);
    return timed_;
}

Outcome NativeExecutor::perform(const CountRequest& request, Reply& reply) {
    if (!timing_) return {Status::crashed, "nothing is prepared"};
    Result<CacheCounters> counters = CacheCounters::open(pool_.thread_ids());
    if (!counters) return {Status::unavailable, counters.error().message};
    timing_->flush(0, pool_);
    counters->start();
    slots_.at(request.slot)->call(timing_->of(request.slot, 0));
    const Result<double> hit_rate = counters->stop();
    if (!hit_rate) return {Status::unavailable, hit_rate.error().message};
    reply.hit_rate = *hit_rate;
    return {};
}

}  // namespace

int native_executor_main(const kernelgen_python_callbacks* python) {
    return executor_main([&](ExecutorConnection& connection) {
        NativeExecutor executor(connection, python);
        return serve_executor(connection, "native", [&](const Request& request) { return executor.handle(request); });
    });
}

}  // namespace kernelgen
