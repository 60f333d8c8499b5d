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
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "core/backend/executor_service.h"
#include "core/backend/sampling.h"
#include "core/base/signal_handlers.h"
#include "core/host/cache_counters.h"
#include "core/host/fault_handler.h"
#include "core/host/host_backend.h"
#include "core/host/loaded_kernel.h"
#include "core/host/timing_buffers.h"
#include "core/python/called_back.h"

namespace kernelgen {

using nlohmann::json;
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

/// While it lives, this thread may run on all CPUs: what a library sees that sets up its threads when it is loaded.
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
    json handle(const json& request);

private:
    json load(const json& request);
    json run(const json& request);
    json run_guarded(LoadedKernel& kernel, const Call& call, const CallBuffers& shared, const json& request);
    json prepare(const json& request);
    json refill(const json& request);
    json sample(const json& asked);
    json count(const json& request);
    json clear();

    Outcome load_kernel(const Artifact& artifact, const Call& call, bool trial, std::unique_ptr<LoadedKernel>& kernel,
                        json& reply);
    void prepare_sample(std::span<const std::uint64_t> states, const SampleRequest& request);
    double time_side(int side);
    void sample_side(int side, std::span<const std::uint64_t> states, const SampleRequest& request, Samples& samples);
    void let_threads_rest() const;
    void capture(const Capture& wanted);
    LoadedKernel* slot(const json& request);

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

json NativeExecutor::handle(const json& request) {
    const std::string operation = request.at("op");
    if (operation == "load") return load(request);
    if (operation == "run") return run(request);
    if (operation == "prepare") return prepare(request);
    if (operation == "refill") return refill(request);
    if (operation == "sample") return sample(request);
    if (operation == "count") return count(request);
    if (operation == "clear") return clear();
    return reply_of(Status::crashed, "unknown operation `" + operation + "`");
}

json NativeExecutor::load(const json& request) {
    const Artifact artifact = artifact_from_json(request.at("artifact"));
    const Call call = call_from_json(request.at("call"));
    const AllCpus all_cpus;
    std::unique_ptr<LoadedKernel> kernel;
    json reply = json::object();
    const Outcome loaded = load_kernel(artifact, call, request.value("trial", false), kernel, reply);
    if (loaded.ok()) slots_[request.at("slot")] = std::move(kernel);
    reply.update(reply_of(loaded));
    return reply;
}

Outcome NativeExecutor::load_kernel(const Artifact& artifact, const Call& call, bool trial,
                                    std::unique_ptr<LoadedKernel>& kernel, json& reply) {
    if (is_python(artifact.language)) return load_python_kernel(python_, artifact, call, trial, kernel, reply);
    const bool is_library = artifact.language == Language::library;
    has_library_ = has_library_ || is_library;
    Result<std::unique_ptr<LoadedKernel>> loaded =
        is_library ? load_onednn_primitive(artifact.primitive) : load_shared_object(artifact.path, call, pool_);
    if (!loaded) return {is_library ? Status::unavailable : Status::build_failed, loaded.error().message};
    kernel = std::move(*loaded);
    return kernel->bind(call);
}

json NativeExecutor::clear() {
    timing_.reset();
    slots_.clear();
    has_library_ = false;
    return reply_of(CalledBack::clear(python_));
}

LoadedKernel* NativeExecutor::slot(const json& request) {
    const auto found = slots_.find(request.at("slot").get<int>());
    return found == slots_.end() ? nullptr : found->second.get();
}

json NativeExecutor::run(const json& request) {
    LoadedKernel* kernel = slot(request);
    if (kernel == nullptr) return reply_of(Status::crashed, "nothing is loaded in this slot");
    const Call call = call_from_json(request.at("call"));
    if (const Outcome bound = kernel->bind(call); !bound.ok()) return reply_of(bound);
    const CallBuffers buffers = arena_.buffers(layout_from_json(request.at("layout")));
    if (request.at("placement") != "shared") return run_guarded(*kernel, call, buffers, request);
    const MemoryAllowance allowance(kernel->own_memory(arena_.size()));
    return reply_of(kernel->call_judged(buffers));
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

json NativeExecutor::run_guarded(LoadedKernel& kernel, const Call& call, const CallBuffers& shared,
                                 const json& request) {
    const auto edge = request.at("placement") == "ends_guarded" ? GuardedBuffer::Edge::end : GuardedBuffer::Edge::start;
    const std::size_t alignment = std::max(request.at("alignment").get<std::size_t>(), kernel.alignment());
    const Layout layout = layout_from_json(request.at("layout"));
    Result<GuardedBuffers> guarded = make_guarded(call, layout, edge, alignment);
    if (!guarded) return reply_of(Status::over_limit, guarded.error().message);
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
    if (!called.ok()) return reply_of(called);
    copy(guarded->pointers.outputs, shared.outputs, call.outputs);
    return reply_of(Outcome{});
}

json NativeExecutor::prepare(const json& request) {
    timing_.reset();
    std::vector<Call> calls;
    for (const json& each : request.at("calls")) calls.push_back(call_from_json(each));
    for (std::size_t side = 0; side < calls.size(); ++side) {
        const auto loaded = slots_.find(static_cast<int>(side));
        if (loaded == slots_.end())
            return reply_of(Status::crashed, "nothing is loaded in slot " + std::to_string(side));
        if (const Outcome bound = loaded->second->bind(calls[side]); !bound.ok()) return reply_of(bound);
    }
    Result<TimingBuffers> buffers = TimingBuffers::allocate(calls, request.at("sets"), pool_);
    if (!buffers) return reply_of(Status::over_limit, buffers.error().message);
    timing_.emplace(std::move(*buffers));
    timed_layout_ = layout_from_json(request.at("layout"));
    const json filled = refill({{"patches", json::array()}});
    for (int side = 0; side < static_cast<int>(calls.size()); ++side) {
        const Outcome prepared = slots_[side]->prepare_timing(timing_->of(side, 0));
        if (!prepared.ok()) return reply_of(prepared);
    }
    return filled;
}

json NativeExecutor::refill(const json& request) {
    if (!timing_) return reply_of(Status::crashed, "nothing is prepared");
    std::vector<Patch> patches;
    for (const json& each : request.at("patches")) patches.push_back(patch_from_json(each));
    timing_->fill_inputs(arena_.data(timed_layout_.total), timed_layout_, patches, pool_);
    return reply_of(Outcome{});
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

/// What comes before the calls of a sample. `states` are those of each set, or none. They are entered last, so that
/// nobody can begin his work on these inputs while caches are flushed.
void NativeExecutor::prepare_sample(std::span<const std::uint64_t> states, const SampleRequest& request) {
    for (int set = 0; set < timing_->sets(); ++set) {
        timing_->poison_outputs(set, request.poison, pool_);
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

/// Threads that a kernel has started, such as OpenMP's, spin for about a millisecond after a call. What surrounds the
/// sample shall not compete with them, nor take longer than in an idle batch. Libraries do this themselves.
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
        else pool_.arm(pool_.size());  // so that nobody's sample takes as long
    }
    if (is_called) {
        samples.seconds[static_cast<std::size_t>(side)].push_back(time_side(side));
    } else {
        const Stopwatch idle(samples.idle_seconds);
        for (int set = 0; set < timing_->sets(); ++set) timing_->touch(set, request.poison, pool_);
    }
    const Stopwatch outside(samples.outside_seconds);
    // A kernel's handler could do its work when what it has protected is read, after its time, or work in that of
    // others.
    handlers_.restore();
    if (is_called) slots_[side]->disarm();
    else pool_.disarm();
    let_threads_rest();
    if (request.key == 0) return;
    for (int set = 0; set < timing_->sets(); ++set) {
        if (is_called && timed_.ok()) timed_ = slots_[side]->deliver(timing_->of(side, set), set);
        const std::uint64_t sum = timing_->checksum_outputs(set, request.key, pool_);
        if (is_called) samples.checksums[static_cast<std::size_t>(side)].push_back(sum);
    }
}

/// Copies the outputs of the side that was sampled last to the arena.
void NativeExecutor::capture(const Capture& wanted) {
    const CallBuffers& last = timing_->of(wanted.side, wanted.set);
    if (timed_.ok()) timed_ = slots_[wanted.side]->deliver(last, wanted.set);
    const CallBuffers shared = arena_.buffers(timed_layout_);
    for (std::size_t i = 0; i < last.outputs.size(); ++i) {
        std::memcpy(shared.outputs[i], last.outputs[i], timed_layout_.outputs[i].bytes);
    }
}

json NativeExecutor::sample(const json& asked) {
    if (!timing_) return reply_of(Status::crashed, "nothing is prepared");
    const SampleRequest request = sample_request_from_json(asked);
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
    if (!timed_.ok()) return reply_of(timed_);
    json reply = to_json(samples);
    reply.update(reply_of(Outcome{}));
    return reply;
}

json NativeExecutor::count(const json& request) {
    if (!timing_) return reply_of(Status::crashed, "nothing is prepared");
    Result<CacheCounters> counters = CacheCounters::open(pool_.thread_ids());
    if (!counters) return reply_of(Status::unavailable, counters.error().message);
    timing_->flush(0, pool_);
    counters->start();
    const int side = request.at("slot");
    slots_.at(side)->call(timing_->of(side, 0));
    const Result<double> hit_rate = counters->stop();
    if (!hit_rate) return reply_of(Status::unavailable, hit_rate.error().message);
    json reply = reply_of(Outcome{});
    reply["hit_rate"] = *hit_rate;
    return reply;
}

}  // namespace

int native_executor_main(const kernelgen_python_callbacks* python) {
    return executor_main([&](ExecutorConnection& connection) {
        NativeExecutor executor(connection, python);
        return serve_executor(connection, "native", [&](const json& request) { return executor.handle(request); });
    });
}

}  // namespace kernelgen
