// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cuda_executor.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <format>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "core/backend/executor_service.h"
#include "core/base/signal_handlers.h"
#include "core/measure/metrics.h"
#include "core/python/called_back.h"
#include "gpu/cuda/context.h"
#include "gpu/cuda/device_kernel.h"
#include "gpu/cuda/discard_budget.h"
#include "gpu/cuda/nvml.h"
#include "gpu/cuda/timed_buffers.h"
#include "gpu/cuda/timer.h"
#include "gpu/cuda/timing_module.h"

namespace kernelgen {

using namespace cuda;

namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* left_work =
    "the device went on working after a timed call, on a stream that the call's own does not wait for, so its time "
    "would leave that out: launch on the current stream, or let it wait for the others";
constexpr std::size_t least_excesses = 8, most_excesses = 32;  ///< of them the median counts: a host may stumble
constexpr double throttled = 0.75;  ///< of the highest clock: a sample below it is taken again

/// How long work on other streams goes on after a call, as a multiple of what is allowed. By the device's events 2 us
/// and 1 % of the sample are allowed. Work that is launched still later is seen only by the host, which is often slow
/// itself.
double excess(const Reading& reading) {
    const double tail = reading.tail_seconds / (2e-6 + 0.01 * reading.seconds);
    return std::max(tail, reading.left_seconds / (50e-6 + 0.05 * reading.seconds));
}

class CudaExecutor {
public:
    /// `python`: null in a process without an interpreter.
    CudaExecutor(SharedArena& arena, int ordinal, std::string timing_cubin, const kernelgen_python_callbacks* python)
        : arena_(arena), ordinal_(ordinal), timing_cubin_(std::move(timing_cubin)), python_(python) {}
    Reply handle(const Request& request);
    /// Makes the device's context, which takes long. A failure is told to the first request that needs the context.
    Outcome start();

private:
    Outcome perform(const LoadRequest& request, Reply& reply);
    Outcome perform(const RunRequest& request, Reply& reply);
    Outcome perform(const PrepareRequest& request, Reply& reply);
    Outcome perform(const RefillRequest& request, Reply& reply);
    Outcome perform(const SampleRequest& request, Reply& reply);
    Outcome perform(const CountRequest& request, Reply& reply);
    Outcome perform(const ClearRequest& request, Reply& reply);
    Outcome load_kernel(const LoadRequest& request, std::unique_ptr<DeviceKernel>& kernel, Reply& reply);
    Outcome make_timer();
    Outcome make_neighbour();
    Outcome warm_up();
    Outcome make_repetitions();
    void drop_repetitions();
    Outcome fill(std::span<const Patch> patches);

    Pointer sum_of(std::size_t call) const;
    Outcome reset(const SampleRequest& request, Stream stream);
    Outcome enter_states(std::span<const std::uint64_t> states, Stream stream);
    Outcome call_side(int side, Stream stream);
    Outcome check_sample(int side, const SampleRequest& request, std::size_t first_call, Stream stream);
    Outcome capture(const Capture& wanted);
    Outcome sample_turn(const SampleRequest& request, std::size_t turn, std::span<const std::uint64_t> states,
                        std::vector<Reading>& readings);
    Outcome take_turn(const std::vector<int>& sides, const std::vector<Reading>& readings, const SampleRequest& request,
                      Samples& samples);
    Outcome sample_turns(const SampleRequest& request, Samples& samples);
    Outcome left_nothing() const;

    SharedArena& arena_;
    int ordinal_;
    std::string timing_cubin_;
    const kernelgen_python_callbacks* python_;
    bool started_ = false;
    SignalHandlers handlers_;  ///< those before any kernel was loaded
    DeviceContext context_;
    std::optional<Nvml> nvml_;
    DeviceMemory mirror_;  ///< of the arena, for runs that are judged
    std::map<int, std::unique_ptr<DeviceKernel>> slots_;
    Layout timed_layout_;
    std::optional<TimedBuffers> buffers_;
    std::optional<Timer> timer_;
    std::optional<DeviceNeighbour> neighbour_;  ///< since one was first asked for
    std::optional<TimingModule> kernels_;
    DiscardBudget discards_;                                  ///< since `prepare`
    int sides_ = 0;                                           ///< that are prepared
    std::map<int, std::unique_ptr<Repetition>> repetitions_;  ///< of each side: one call a set
    DeviceMemory sums_;                                       ///< of a turn's calls
    std::vector<std::deque<double>> excesses_;                ///< of each side's last samples
};

Reply CudaExecutor::handle(const Request& request) {
    Reply reply;
    reply.outcome = start();
    if (reply.outcome.ok()) reply.outcome = std::visit([&](const auto& each) { return perform(each, reply); }, request);
    reply.ends = reply.outcome.status == Status::crashed;  // its context is lost
    return reply;
}

Outcome CudaExecutor::start() {
    if (started_) return {};
    const Outcome made = make_context(ordinal_, context_);
    started_ = made.ok();
    if (started_) nvml_.emplace(context_.pci_bus_id);
    return made;
}

Outcome CudaExecutor::perform(const LoadRequest& request, Reply& reply) {
    drop_repetitions();
    std::unique_ptr<DeviceKernel> kernel;
    Outcome loaded = load_kernel(request, kernel, reply);
    if (loaded.ok()) slots_[request.slot] = std::move(kernel);
    return loaded;
}

Outcome CudaExecutor::load_kernel(const LoadRequest& request, std::unique_ptr<DeviceKernel>& kernel, Reply& reply) {
    const Artifact& artifact = request.artifact;
    if (runs_in_python(artifact.language)) {
        if (request.trial) reply.trial.emplace();
        return load_python_kernel(python_, artifact, request.call, reply.trial, kernel);
    }
    const bool is_library = artifact.language == Language::library;
    auto loaded = is_library ? load_cudnn_primitive(artifact.primitive)
                             : load_cubin(*context_.driver, context_.device, artifact, request.call);
    if (!loaded) return {Status::unavailable, loaded.error().message};
    kernel = std::move(*loaded);
    return kernel->bind(request.call);
}

Outcome CudaExecutor::perform(const ClearRequest&, Reply&) {
    drop_repetitions();
    slots_.clear();
    buffers_.reset();
    mirror_ = {};
    return CalledBack::clear(python_);
}

Outcome CudaExecutor::perform(const CountRequest&, Reply&) {
    return {Status::unavailable, say("the CUDA executor has no operation `{}`", CountRequest::op)};
}

/// The whole arena goes to the device and comes back, guards and poison included.
Outcome CudaExecutor::perform(const RunRequest& request, Reply&) {
    const auto slot = slots_.find(request.slot);
    if (slot == slots_.end()) return {Status::launch_failed, "nothing is loaded in this slot"};
    if (request.placement != Placement::shared)
        return {Status::unavailable, "device memory has no unreadable pages to put beside buffers"};
    const Layout& layout = request.layout;
    if (const Outcome bound = slot->second->bind(request.call); !bound.ok()) return bound;
    std::byte* arena = arena_.data(layout.total);
    if (mirror_.bytes() < layout.total) {
        mirror_ = {};
        Result<DeviceMemory> memory = DeviceMemory::allocate(*context_.driver, layout.total);
        if (!memory) return {Status::over_limit, memory.error().message};
        mirror_ = std::move(*memory);
    }
    Code code = copy_to_device(*context_.driver, mirror_.address(), arena, layout.total);
    if (code != success) return outcome_of(code, "copying to the device");
    const Outcome put = slot->second->enqueue_judged(buffers_at(mirror_.address(), layout), context_.stream);
    if (!put.ok()) return put;
    code = context_.driver->synchronize_stream(context_.stream);
    if (code != success) return outcome_of(code, "the kernel");
    return outcome_of(context_.driver->copy_to_host(arena, mirror_.address(), layout.total), "copying from the device");
}

Outcome CudaExecutor::perform(const PrepareRequest& request, Reply&) {
    drop_repetitions();
    buffers_.reset();
    mirror_ = {};
    discards_ = {};
    for (std::size_t side = 0; side < request.calls.size(); ++side) {
        const auto loaded = slots_.find(static_cast<int>(side));
        if (loaded == slots_.end()) return {Status::launch_failed, "nothing is loaded in a slot that is to be timed"};
        if (const Outcome bound = loaded->second->bind(request.calls[side]); !bound.ok()) return bound;
    }
    if (const Outcome made = make_timer(); !made.ok()) return made;
    timed_layout_ = request.layout;
    Result<TimedBuffers> buffers = TimedBuffers::allocate(*context_.driver, request.calls, request.sets);
    if (!buffers) return {Status::over_limit, buffers.error().message};
    buffers_.emplace(std::move(*buffers));
    sides_ = static_cast<int>(request.calls.size());
    excesses_.assign(request.calls.size(), {});
    if (const Outcome filled = fill({}); !filled.ok()) return filled;
    if (const Outcome warm = warm_up(); !warm.ok()) return warm;
    if (const Outcome made = make_repetitions(); !made.ok()) return made;
    return timer_->calibrate();
}

Outcome CudaExecutor::make_timer() {
    if (timer_) return {};
    const Result<TimingModule> kernels = TimingModule::load(*context_.driver, timing_cubin_);
    if (!kernels) return {Status::unavailable, kernels.error().message};
    Result<Timer> timer = Timer::create(context_, *kernels);
    if (!timer) return {Status::unavailable, timer.error().message};
    kernels_.emplace(*kernels);
    timer_.emplace(std::move(*timer));
    return {};
}

Outcome CudaExecutor::make_neighbour() {
    if (neighbour_) return {};
    Result<DeviceNeighbour> neighbour = DeviceNeighbour::create(context_, *kernels_);
    if (!neighbour) return {Status::over_limit, neighbour.error().message};
    neighbour_.emplace(std::move(*neighbour));
    return {};
}

/// Calls each side some times before timing. What a first launch loads lazily, or a first call allocates, would
/// otherwise wait for a stream that is held.
Outcome CudaExecutor::warm_up() {
    constexpr int calls = 3;  // a result that is still there when the next is made takes memory of its own
    for (int side = 0; side < sides_; ++side) {
        for (int i = 0; i < calls; ++i) {
            const Outcome put = slots_[side]->enqueue(buffers_->of(side, 0), context_.stream);
            if (!put.ok()) return put;
        }
    }
    return outcome_of(context_.driver->synchronize_stream(context_.stream), "the kernel");
}

Outcome CudaExecutor::perform(const RefillRequest& request, Reply&) { return fill(request.patches); }

Outcome CudaExecutor::fill(std::span<const Patch> patches) {
    if (!buffers_) return {Status::launch_failed, "nothing is prepared"};
    return buffers_->fill_inputs(*context_.driver, arena_.data(timed_layout_.total), patches);
}

/// Several calls, each on the next set of buffers, are put into the stream at once.
Outcome CudaExecutor::make_repetitions() {
    if (buffers_->sets() == 1) return {};
    for (int side = 0; side < sides_; ++side) {
        std::vector<DeviceBuffers> sets;
        for (int set = 0; set < buffers_->sets(); ++set) sets.push_back(buffers_->of(side, set));
        const Outcome made = slots_[side]->repeat(sets, context_.capturing, repetitions_[side]);
        if (!made.ok()) return made;
    }
    return outcome_of(context_.driver->synchronize_stream(context_.stream), "the kernel");
}

void CudaExecutor::drop_repetitions() { repetitions_.clear(); }

/// The sum of a call's outputs: `call` counts the calls of a request.
Pointer CudaExecutor::sum_of(std::size_t call) const { return sums_.address() + call * sizeof(std::uint64_t); }

/// Removes what earlier calls have written: inputs that calls change are restored, outputs are poisoned.
Outcome CudaExecutor::reset(const SampleRequest& request, Stream stream) {
    for (int set = 0; set < buffers_->sets(); ++set) {
        Code code = buffers_->restore_mutated(*context_.driver, set, stream);
        if (code == success) code = buffers_->poison_outputs(*context_.driver, set, request.poison, stream);
        if (code != success) return outcome_of(code, "preparing a call's buffers");
    }
    return {};
}

/// Brings the units' inputs into these states. Comes after the flush, so that no kernel can begin its work on these
/// inputs meanwhile. `states`: of each set, or none.
Outcome CudaExecutor::enter_states(std::span<const std::uint64_t> states, Stream stream) {
    for (std::size_t set = 0; set < states.size(); ++set) {
        const Outcome put = buffers_->enter_state(*kernels_, static_cast<int>(set), states[set], stream);
        if (!put.ok()) return put;
    }
    return {};
}

Outcome CudaExecutor::call_side(int side, Stream stream) {
    if (side == SampleRequest::nobody) return {};
    if (buffers_->sets() == 1) return slots_[side]->enqueue(buffers_->of(side, 0), stream);
    return repetitions_[side]->enqueue(stream);
}

Outcome CudaExecutor::check_sample(int side, const SampleRequest& request, std::size_t first_call, Stream stream) {
    for (int set = 0; set < buffers_->sets() && side != SampleRequest::nobody; ++set) {
        const Code code = buffers_->take_outputs(*context_.driver, set, slots_[side]->places(set), stream);
        if (code != success) return outcome_of(code, "delivering outputs");
    }
    for (int set = 0; set < buffers_->sets() && request.key != 0; ++set) {
        const Pointer sum = sum_of(first_call + static_cast<std::size_t>(set));
        const Outcome put = buffers_->checksum_outputs(*kernels_, set, request.key, sum, stream);
        if (!put.ok()) return put;
    }
    return {};
}

/// One turn: the readings of its sides, in its order. `states`: those of its places, or none.
Outcome CudaExecutor::sample_turn(const SampleRequest& request, std::size_t turn, std::span<const std::uint64_t> states,
                                  std::vector<Reading>& readings) {
    const auto sets = static_cast<std::size_t>(buffers_->sets());
    std::size_t call = 0;
    readings.clear();
    context_.driver->set_bytes(sums_.address(), 0, sums_.bytes(), context_.stream);
    for (const int side : request.turns[turn]) {
        const std::span<const std::uint64_t> here = states.empty() ? states : states.subspan(call, sets);
        const Timer::Parts parts = {[&](Stream stream) { return reset(request, stream); },
                                    request.flush,
                                    [&](Stream stream) { return enter_states(here, stream); },
                                    [&](Stream stream) { return call_side(side, stream); },
                                    [&](Stream stream) { return check_sample(side, request, call, stream); },
                                    request.neighbour_gbps > 0 ? &*neighbour_ : nullptr,
                                    request.neighbour_gbps};
        handlers_.restore();  // a kernel's handler could put work into the stream in the time of others
        Reading reading;
        if (const Outcome timed = timer_->time(parts, reading); !timed.ok()) return timed;
        readings.push_back(reading);
        call += sets;
        if (!request.capture || request.capture->turn != turn || request.capture->side != side) continue;
        if (const Outcome captured = capture(*request.capture); !captured.ok()) return captured;
    }
    return {};
}

Outcome CudaExecutor::capture(const Capture& wanted) {
    return outcome_of(buffers_->copy_outputs(*context_.driver, wanted.set, arena_.data(timed_layout_.total)),
                      "copying from the device");
}

/// Adds a turn's readings and checksums to `samples`.
Outcome CudaExecutor::take_turn(const std::vector<int>& sides, const std::vector<Reading>& readings,
                                const SampleRequest& request, Samples& samples) {
    const auto sets = static_cast<std::size_t>(buffers_->sets());
    std::vector<std::uint64_t> sums(sides.size() * sets);
    if (request.key != 0) {
        const Code code = context_.driver->copy_to_host(sums.data(), sums_.address(), sums.size() * sizeof sums[0]);
        if (code != success) return outcome_of(code, "copying from the device");
    }
    for (std::size_t i = 0; i < sides.size(); ++i) {
        if (sides[i] == SampleRequest::nobody) continue;
        const auto side = static_cast<std::size_t>(sides[i]);
        samples.seconds[side].push_back(readings[i].seconds / static_cast<double>(sets));
        samples.outside_seconds -= readings[i].seconds;
        excesses_[side].push_back(excess(readings[i]));
        if (excesses_[side].size() > most_excesses) excesses_[side].pop_front();
        if (readings[i].clock_mhz > 0) samples.conditions[metrics::sm_clock_mhz.name] = readings[i].clock_mhz;
        if (request.key == 0) continue;
        const auto first = sums.begin() + static_cast<std::ptrdiff_t>(i * sets);
        samples.checksums[side].insert(samples.checksums[side].end(), first, first + static_cast<std::ptrdiff_t>(sets));
    }
    return {};
}

Outcome CudaExecutor::sample_turns(const SampleRequest& request, Samples& samples) {
    discards_.expect(request.turns.size());
    std::vector<Reading> readings;
    std::span<const std::uint64_t> states = request.states;  // those of the turns to come
    for (std::size_t turn = 0; turn < request.turns.size();) {
        const std::size_t count =
            std::min(states.size(), request.turns[turn].size() * static_cast<std::size_t>(buffers_->sets()));
        const Outcome timed = sample_turn(request, turn, states.first(count), readings);
        if (!timed.ok()) return timed;
        double clock = 0;  // the lowest that is known
        for (const Reading& each : readings) {
            if (each.clock_mhz > 0 && (clock == 0 || each.clock_mhz < clock)) clock = each.clock_mhz;
        }
        if (clock > 0 && clock < throttled * context_.highest_clock_mhz && discards_.take()) {
            ++samples.discarded;
            continue;
        }
        if (const Outcome taken = take_turn(request.turns[turn], readings, request, samples); !taken.ok()) return taken;
        states = states.subspan(count);
        ++turn;
    }
    return {};
}

/// Whether a side's calls leave work behind that their own stream does not wait for.
Outcome CudaExecutor::left_nothing() const {
    for (std::deque<double> left : excesses_) {
        if (left.size() < least_excesses) continue;
        std::ranges::sort(left);
        if (left[left.size() / 2] > 1) return {Status::launch_failed, left_work};
    }
    return {};
}

Outcome CudaExecutor::perform(const SampleRequest& request, Reply& reply) {
    // The driver's time before and after the turns counts as outside of samples: other processes may hold the driver
    // up.
    const Clock::time_point start = Clock::now();
    if (!buffers_) return {Status::launch_failed, "nothing is prepared"};
    if (request.neighbour_gbps > 0) {
        if (const Outcome made = make_neighbour(); !made.ok()) return made;
    }
    const auto free_bytes = [&] {
        std::size_t free = 0, total = 0;
        context_.driver->memory_info(&free, &total);
        return static_cast<std::int64_t>(free);
    };
    const auto sides = static_cast<std::size_t>(sides_);
    const std::size_t calls_a_turn = (sides + 1) * static_cast<std::size_t>(buffers_->sets());
    Result<DeviceMemory> sums = DeviceMemory::allocate(*context_.driver, calls_a_turn * sizeof(std::uint64_t));
    if (!sums) return {Status::over_limit, sums.error().message};
    sums_ = std::move(*sums);
    Samples samples;
    samples.seconds.resize(sides);
    samples.checksums.resize(sides);
    const std::int64_t before = free_bytes();
    const std::optional<double> energy = nvml_->energy_joules();
    samples.conditions = nvml_->conditions();
    if (const Outcome sampled = sample_turns(request, samples); !sampled.ok()) return sampled;
    const std::optional<double> energy_after = nvml_->energy_joules();
    if (energy && energy_after) samples.conditions[metrics::energy_j.name] = *energy_after - *energy;
    samples.grown_bytes = before - free_bytes();
    if (const Outcome nothing = left_nothing(); !nothing.ok()) return nothing;
    samples.outside_seconds += std::chrono::duration<double>(Clock::now() - start).count();
    reply.samples = std::move(samples);
    return {};
}

}  // namespace

int cuda_executor_main(int ordinal, const std::string& timing_cubin, const kernelgen_python_callbacks* python) {
    return executor_main([&](ExecutorConnection& connection) {
        CudaExecutor executor(connection.arena(), ordinal, timing_cubin, python);
        return serve_executor(
            connection, "cuda", [&](const Request& request) { return executor.handle(request); },
            [&] { executor.start(); });
    });
}

}  // namespace kernelgen
