// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cuda_executor.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/backend/executor_service.h"
#include "core/python/called_back.h"
#include "gpu/cuda/context.h"
#include "gpu/cuda/device_kernel.h"
#include "gpu/cuda/discard_budget.h"
#include "gpu/cuda/nvml.h"
#include "gpu/cuda/timed_buffers.h"
#include "gpu/cuda/timer.h"

namespace kernelgen {

using nlohmann::json;
using namespace cuda;

namespace {

constexpr double throttled = 0.75;  ///< of the highest clock: a sample below it is taken again

class CudaExecutor {
public:
    /// `python`: null in a process without an interpreter.
    CudaExecutor(SharedArena& arena, int ordinal, std::string timing_cubin, const kernelgen_python_callbacks* python)
        : arena_(arena), ordinal_(ordinal), timing_cubin_(std::move(timing_cubin)), python_(python) {}
    json handle(const json& request);

private:
    Outcome perform(const json& request, json& reply);
    Outcome start();
    Outcome load(const json& request, json& reply);
    Outcome load_kernel(const json& request, std::unique_ptr<DeviceKernel>& kernel, json& reply);
    Outcome clear();
    Outcome run(const json& request);
    Outcome prepare(const json& request);
    Outcome warm_up();
    Outcome refill();
    Outcome sample(const json& request, json& reply);
    Outcome sample_pairs(const json& request, json& reply, std::map<std::string, double>& conditions);
    Outcome sample_pair(bool candidate_first, const json& request, Reading (&readings)[2]);
    Outcome time_side(int side, const json& request, Reading& reading);
    Outcome make_repetitions(int repeats);
    void drop_repetitions();

    SharedArena& arena_;
    int ordinal_;
    std::string timing_cubin_;
    const kernelgen_python_callbacks* python_;
    bool started_ = false;
    DeviceContext context_;
    std::optional<Nvml> nvml_;
    DeviceMemory mirror_;  ///< of the arena, for runs that are judged
    std::map<int, std::unique_ptr<DeviceKernel>> slots_;
    Layout timed_layout_;
    std::optional<TimedBuffers> buffers_;
    std::optional<Timer> timer_;
    DiscardBudget discards_;                      ///< since `prepare`
    std::unique_ptr<Repetition> repetitions_[2];  ///< of `repeated_` calls
    int repeated_ = 0;
};

json CudaExecutor::handle(const json& request) {
    json reply = json::object();
    const Outcome outcome = perform(request, reply);
    reply.update(reply_of(outcome));
    if (outcome.status == Status::crashed) reply["ends"] = true;  // its context is lost
    return reply;
}

Outcome CudaExecutor::perform(const json& request, json& reply) {
    const std::string operation = request.at("op");
    if (const Outcome started = start(); !started.ok()) return started;
    if (operation == "load") return load(request, reply);
    if (operation == "clear") return clear();
    if (operation == "run") return run(request);
    if (operation == "prepare") return prepare(request);
    if (operation == "refill") return refill();
    if (operation == "sample") return sample(request, reply);
    return {Status::unavailable, "the CUDA executor has no operation `" + operation + "`"};
}

Outcome CudaExecutor::start() {
    if (started_) return {};
    const Outcome made = make_context(ordinal_, context_);
    started_ = made.ok();
    if (started_) nvml_.emplace(context_.pci_bus_id);
    return made;
}

Outcome CudaExecutor::load(const json& request, json& reply) {
    drop_repetitions();
    std::unique_ptr<DeviceKernel> kernel;
    const Outcome loaded = load_kernel(request, kernel, reply);
    if (loaded.ok()) slots_[request.at("slot")] = std::move(kernel);
    return loaded;
}

Outcome CudaExecutor::load_kernel(const json& request, std::unique_ptr<DeviceKernel>& kernel, json& reply) {
    const Artifact artifact = artifact_from_json(request.at("artifact"));
    const Call call = call_from_json(request.at("call"));
    if (is_python(artifact.language)) {
        return load_python_kernel(python_, artifact, call, context_.stream, request.value("trial", false), kernel,
                                  reply);
    }
    const bool is_library = artifact.language == Language::library;
    auto loaded = is_library ? load_cudnn_primitive(artifact.primitive)
                             : load_cubin(*context_.driver, context_.device, artifact.path, call);
    if (!loaded) return {Status::unavailable, loaded.error().message};
    kernel = std::move(*loaded);
    return kernel->bind(call);
}

Outcome CudaExecutor::clear() {
    drop_repetitions();
    slots_.clear();
    buffers_.reset();
    mirror_ = {};
    return CalledBack::clear(python_);
}

/// The whole arena goes to the device and comes back, guards and poison included.
Outcome CudaExecutor::run(const json& request) {
    const auto slot = slots_.find(request.at("slot").get<int>());
    if (slot == slots_.end()) return {Status::launch_failed, "nothing is loaded in this slot"};
    if (request.at("placement") != "shared")
        return {Status::unavailable, "device memory has no unreadable pages to put beside buffers"};
    const Layout layout = layout_from_json(request.at("layout"));
    if (const Outcome bound = slot->second->bind(call_from_json(request.at("call"))); !bound.ok()) return bound;
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

Outcome CudaExecutor::prepare(const json& request) {
    drop_repetitions();
    buffers_.reset();
    mirror_ = {};
    discards_ = {};
    const Call calls[2] = {call_from_json(request.at("candidate")), call_from_json(request.at("baseline"))};
    for (const int side : {0, 1}) {
        if (!slots_.contains(side)) return {Status::launch_failed, "nothing is loaded in a slot that is to be timed"};
        if (const Outcome bound = slots_[side]->bind(calls[side]); !bound.ok()) return bound;
    }
    if (!timer_) {
        Result<Timer> timer = Timer::create(*context_.driver, context_.stream, timing_cubin_, context_.l2_bytes);
        if (!timer) return {Status::unavailable, timer.error().message};
        timer_.emplace(std::move(*timer));
    }
    timed_layout_ = layout_from_json(request.at("layout"));
    Result<TimedBuffers> buffers = TimedBuffers::allocate(*context_.driver, {timed_layout_, lay_out(calls[1])},
                                                          request.at("rotations").get<int>());
    if (!buffers) return {Status::over_limit, buffers.error().message};
    buffers_.emplace(std::move(*buffers));
    if (const Outcome filled = refill(); !filled.ok()) return filled;
    return warm_up();
}

/// What a first launch loads lazily, or a first call allocates, would wait for a stream that is held.
Outcome CudaExecutor::warm_up() {
    constexpr int calls = 3;  // a result that is still there when the next is made takes memory of its own
    for (const int side : {0, 1}) {
        for (int i = 0; i < calls; ++i) {
            const Outcome put = slots_[side]->enqueue(buffers_->of(side, 0), context_.stream);
            if (!put.ok()) return put;
        }
    }
    return outcome_of(context_.driver->synchronize_stream(context_.stream), "the kernel");
}

Outcome CudaExecutor::refill() {
    if (!buffers_) return {Status::launch_failed, "nothing is prepared"};
    return outcome_of(buffers_->fill_inputs(*context_.driver, arena_.data(timed_layout_.total)),
                      "copying to the device");
}

/// Repeated calls, each on the next set of buffers, are put into the stream at once.
Outcome CudaExecutor::make_repetitions(int repeats) {
    if (repeated_ == repeats) return {};
    drop_repetitions();
    for (const int side : {0, 1}) {
        std::vector<DeviceBuffers> sets;
        for (int i = 0; i < repeats; ++i) sets.push_back(buffers_->of(side, i % buffers_->rotations()));
        const Outcome made = slots_[side]->repeat(sets, context_.stream, repetitions_[side]);
        if (!made.ok()) return made;
    }
    repeated_ = repeats;
    return outcome_of(context_.driver->synchronize_stream(context_.stream), "the kernel");
}

void CudaExecutor::drop_repetitions() {
    for (std::unique_ptr<Repetition>& repetition : repetitions_) repetition.reset();
    repeated_ = 0;
}

Outcome CudaExecutor::time_side(int side, const json& request, Reading& reading) {
    const int repeats = request.at("repeats");
    const std::uint8_t pattern = request.at("poison");
    const auto poison = [&](Stream stream) {
        Code code = success;
        for (int i = 0; i < std::min(repeats, buffers_->rotations()) && code == success; ++i) {
            code = buffers_->poison_outputs(*context_.driver, i, pattern, stream);
        }
        return outcome_of(code, "poisoning outputs");
    };
    const auto work = [&](Stream stream) {
        if (repeats == 1) return slots_[side]->enqueue(buffers_->of(side, 0), stream);
        return repetitions_[side]->enqueue(stream);
    };
    const Outcome timed = timer_->time(poison, request.at("flush"), work, reading);
    reading.seconds /= repeats;
    return timed;
}

Outcome CudaExecutor::sample_pair(bool candidate_first, const json& request, Reading (&readings)[2]) {
    for (int turn = 0; turn < 2; ++turn) {
        const int side = (turn == 0) == candidate_first ? 0 : 1;
        if (const Outcome timed = time_side(side, request, readings[side]); !timed.ok()) return timed;
    }
    return {};
}

Outcome CudaExecutor::sample(const json& request, json& reply) {
    if (!buffers_) return {Status::launch_failed, "nothing is prepared"};
    const int repeats = request.at("repeats"), capture = request.at("capture");
    if (repeats > 1) {
        if (const Outcome made = make_repetitions(repeats); !made.ok()) return made;
    }
    const auto free_bytes = [&] {
        std::size_t free = 0, total = 0;
        context_.driver->memory_info(&free, &total);
        return static_cast<std::int64_t>(free);
    };
    const std::int64_t before = free_bytes();
    const std::optional<double> energy = nvml_->energy_joules();
    std::map<std::string, double> conditions = nvml_->conditions();
    if (const Outcome sampled = sample_pairs(request, reply, conditions); !sampled.ok()) return sampled;
    const std::optional<double> energy_after = nvml_->energy_joules();
    if (energy && energy_after) conditions["energy_j"] = *energy_after - *energy;
    reply["conditions"] = conditions;
    reply["grown_bytes"] = before - free_bytes();
    if (capture < 0) return {};
    const int rotation = (repeats - 1) % buffers_->rotations();
    if (const Outcome put = slots_[capture]->deliver(buffers_->of(capture, rotation)); !put.ok()) return put;
    const Code delivered = context_.driver->synchronize_stream(context_.stream);
    if (delivered != success) return outcome_of(delivered, "delivering outputs");
    return outcome_of(buffers_->copy_outputs(*context_.driver, rotation, arena_.data(timed_layout_.total)),
                      "copying from the device");
}

Outcome CudaExecutor::sample_pairs(const json& request, json& reply, std::map<std::string, double>& conditions) {
    const auto orders = request.at("candidate_first").get<std::vector<bool>>();
    const int capture = request.at("capture");
    discards_.expect(orders.size());
    int discarded = 0;
    for (std::size_t pair = 0; pair < orders.size();) {
        // The side whose outputs are asked for comes last.
        const bool captured = pair + 1 == orders.size() && capture >= 0;
        Reading readings[2];
        const Outcome timed = sample_pair(captured ? capture == 1 : orders[pair], request, readings);
        if (!timed.ok()) return timed;
        const double clock = std::min(readings[0].clock_mhz, readings[1].clock_mhz);
        if (clock > 0 && clock < throttled * context_.highest_clock_mhz && discards_.take()) {
            ++discarded;
            continue;
        }
        if (clock > 0) conditions["sm_clock_mhz"] = clock;
        reply["candidate"].push_back(readings[0].seconds);
        reply["baseline"].push_back(readings[1].seconds);
        ++pair;
    }
    reply["discarded"] = discarded;
    return {};
}

}  // namespace

int cuda_executor_main(int ordinal, const std::string& timing_cubin, const kernelgen_python_callbacks* python) {
    return executor_main([&](ExecutorConnection& connection) {
        CudaExecutor executor(connection.arena(), ordinal, timing_cubin, python);
        return serve_executor(connection, "cuda", [&](const json& request) { return executor.handle(request); });
    });
}

}  // namespace kernelgen
