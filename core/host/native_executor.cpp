// SPDX-License-Identifier: Apache-2.0
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/backend/executor_service.h"
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
    json refill();
    json sample(const json& request);
    json count(const json& request);
    json clear();

    Outcome load_kernel(const Artifact& artifact, const Call& call, bool trial, std::unique_ptr<LoadedKernel>& kernel,
                        json& reply);
    std::size_t own_memory(int slot) const;
    double time_side(int side, int first_rotation, int repeats);
    LoadedKernel* slot(const json& request);

    ExecutorConnection& connection_;
    const kernelgen_python_callbacks* python_;
    SharedArena& arena_ = connection_.arena();
    ThreadPool pool_{allowed_cpus()};
    std::map<int, std::unique_ptr<LoadedKernel>> slots_;
    Layout timed_layout_;
    std::optional<TimingBuffers> timing_;
    int next_rotation_ = 0;
    Outcome timed_;  ///< the last that was not ok of the timed calls of a request
};

json NativeExecutor::handle(const json& request) {
    const std::string operation = request.at("op");
    if (operation == "load") return load(request);
    if (operation == "run") return run(request);
    if (operation == "prepare") return prepare(request);
    if (operation == "refill") return refill();
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
    Result<std::unique_ptr<LoadedKernel>> loaded =
        is_library ? load_onednn_primitive(artifact.primitive) : load_shared_object(artifact.path, call, pool_);
    if (!loaded) return {is_library ? Status::unavailable : Status::build_failed, loaded.error().message};
    kernel = std::move(*loaded);
    return kernel->bind(call);
}

json NativeExecutor::clear() {
    timing_.reset();
    slots_.clear();
    return reply_of(CalledBack::clear(python_));
}

/// Bytes that one call of a slot may take for itself.
std::size_t NativeExecutor::own_memory(int slot) const {
    const auto found = slots_.find(slot);
    return found == slots_.end() ? 0 : found->second->own_memory(arena_.size());
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
    const Call candidate = call_from_json(request.at("candidate")), baseline = call_from_json(request.at("baseline"));
    for (const auto& [number, call] : {std::pair{0, &candidate}, std::pair{1, &baseline}}) {
        if (!slots_.contains(number))
            return reply_of(Status::crashed, "nothing is loaded in slot " + std::to_string(number));
        if (const Outcome bound = slots_[number]->bind(*call); !bound.ok()) return reply_of(bound);
    }
    Result<TimingBuffers> buffers = TimingBuffers::allocate(candidate, baseline, request.at("rotations"), pool_);
    if (!buffers) return reply_of(Status::over_limit, buffers.error().message);
    timing_.emplace(std::move(*buffers));
    timed_layout_ = layout_from_json(request.at("layout"));
    next_rotation_ = 0;
    const json filled = refill();
    for (const int side : {0, 1}) {
        const Outcome prepared = slots_[side]->prepare_timing(timing_->of(side, 0));
        if (!prepared.ok()) return reply_of(prepared);
    }
    return filled;
}

json NativeExecutor::refill() {
    if (!timing_) return reply_of(Status::crashed, "nothing is prepared");
    const CallBuffers shared = arena_.buffers(timed_layout_);
    timing_->fill_inputs({shared.inputs.begin(), shared.inputs.end()}, pool_);
    return reply_of(Outcome{});
}

/// Seconds a call of `repeats` calls, each on the next set of buffers.
double NativeExecutor::time_side(int side, int first_rotation, int repeats) {
    LoadedKernel& kernel = *slots_[side];
    kernel.arm();
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < repeats; ++i) {
        Outcome called = kernel.call(timing_->of(side, (first_rotation + i) % timing_->rotations()));
        if (!called.ok()) timed_ = std::move(called);
    }
    const Clock::time_point end = Clock::now();
    kernel.disarm();
    return std::chrono::duration<double>(end - start).count() / repeats;
}

json NativeExecutor::sample(const json& request) {
    if (!timing_) return reply_of(Status::crashed, "nothing is prepared");
    const int repeats = request.at("repeats"), rotations = timing_->rotations(), capture = request.at("capture");
    const auto orders = request.at("candidate_first").get<std::vector<bool>>();
    const std::uint8_t pattern = request.at("poison");
    const bool flush = request.at("flush");
    const CallBuffers shared = arena_.buffers(timed_layout_);
    std::vector<double> seconds[2];
    timed_ = {};
    const MemoryAllowance allowance(own_memory(0) + own_memory(1));
    const std::int64_t before = resident_bytes();
    for (std::size_t pair = 0; pair < orders.size(); ++pair) {
        for (int turn = 0; turn < 2; ++turn) {
            const int side = (turn == 0) == orders[pair] ? 0 : 1;
            for (int i = 0; i < std::min(repeats, rotations); ++i) {
                timing_->poison_outputs((next_rotation_ + i) % rotations, pattern, pool_);
                if (flush) timing_->flush((next_rotation_ + i) % rotations, pool_);
            }
            seconds[side].push_back(time_side(side, next_rotation_, repeats));
            if (pair + 1 < orders.size() || capture != side) continue;
            const CallBuffers& last = timing_->of(side, (next_rotation_ + repeats - 1) % rotations);
            if (timed_.ok()) timed_ = slots_[side]->deliver(last);
            for (std::size_t i = 0; i < last.outputs.size(); ++i) {
                std::memcpy(shared.outputs[i], last.outputs[i], timed_layout_.outputs[i].bytes);
            }
        }
        next_rotation_ = (next_rotation_ + repeats) % rotations;
    }
    if (!timed_.ok()) return reply_of(timed_);
    json reply = reply_of(Outcome{});
    reply["candidate"] = seconds[0];
    reply["baseline"] = seconds[1];
    reply["grown_bytes"] = resident_bytes() - before;
    return reply;
}

json NativeExecutor::count(const json& request) {
    if (!timing_) return reply_of(Status::crashed, "nothing is prepared");
    Result<CacheCounters> counters = CacheCounters::open(pool_.thread_ids());
    if (!counters) return reply_of(Status::unavailable, counters.error().message);
    timing_->flush(0, pool_);
    counters->start();
    for (int i = 0; i < request.at("calls").get<int>(); ++i) slots_[0]->call(timing_->of(0, 0));
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
