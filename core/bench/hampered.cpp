// SPDX-License-Identifier: Apache-2.0
#include "core/bench/hampered.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <random>

#include "core/bench/rotation.h"
#include "core/bench/share_probe.h"
#include "core/bench/timing_locks.h"
#include "core/host/memory_neighbour.h"
#include "core/host/thread_pool.h"
#include "core/measure/neighbours.h"
#include "core/said/said.h"
#include "core/verify/buffers.h"

namespace kernelgen {

using nlohmann::json;

namespace {

constexpr int least_hampered_pairs = 8, pairs_to_adjust = 7;
constexpr double narrow_slow_down = 0.01;  ///< half-width of its interval, relative to it
constexpr double near_share = 0.01;        ///< the neighbour leaves about what was asked

TimingFailure failure_of(const Error& error, const std::stop_token& stop) {
    return {stop.stop_requested() ? Status::cancelled : Status::unavailable, error.message, -1};
}

class Hampering {
public:
    Hampering(const HamperRequest& request, Backend& backend, const Progress& progress, std::stop_token stop)
        : request_(request),
          backend_(backend),
          progress_(progress),
          stop_(std::move(stop)),
          is_on_gpu_(!backend.traits().is_host),
          batch_seconds_(is_on_gpu_ ? 1e-3 : 0.03),
          rotation_(request.sides, backend, progress_, stop_) {
        result_.candidates.resize(request.sides.candidates.size());
    }

    TimingFailure run();
    HamperResult take_result() { return std::move(result_); }

private:
    /// Mean seconds of a batch.
    using Batch = std::function<Result<double>()>;

    TimingFailure start();
    TimingFailure start_probe();
    TimingFailure place_neighbour();
    TimingFailure place_beside_cpu();
    TimingFailure place_on_gpu();
    void set_duty(double duty);
    double gbps_beside(bool is_hampered) const { return is_hampered && is_on_gpu_ ? result_.neighbour.gbps : 0; }
    TimingFailure adjust(double wished);
    TimingFailure look_at_share(double& left);
    TimingFailure time_pair(const Batch& whole, const Batch& hampered, PairedSeconds& pair);
    TimingFailure time_probe(ShareProbe::Kind kind, PairedSeconds& pair);
    TimingFailure time_candidates();
    TimingFailure sample_pairs();
    Result<double> kernel_seconds(int side, bool is_hampered);
    bool is_narrow() const;

    const HamperRequest& request_;
    Backend& backend_;
    const Progress& progress_;
    std::stop_token stop_;
    const bool is_on_gpu_;
    const double batch_seconds_;  ///< of a kernel: short on a GPU, whose clock ticks more finely
    std::vector<FileLock> locks_;
    std::mt19937_64 random_{std::random_device{}()};
    Rotation rotation_;
    std::unique_ptr<ShareProbe> probe_;
    std::unique_ptr<MemoryNeighbour> neighbour_;  ///< of a CPU; a GPU's is in the executor
    double probe_gbps_ = 0;                       ///< of the whole GPU
    HamperResult result_;
};

/// The bytes that the kernel moves, and how many of them it writes, as its arguments tell it.
ProbeShape shape_of(const Layout& layout, int whole_threads, int left_threads) {
    const auto bytes_of = [](const std::vector<Region>& regions) {
        return std::accumulate(regions.begin(), regions.end(), 0.0,
                               [](double sum, const Region& each) { return sum + static_cast<double>(each.bytes); });
    };
    const double read = bytes_of(layout.inputs), written = bytes_of(layout.outputs);
    return {read + written, written / std::max(1.0, read + written), whole_threads, left_threads};
}

TimingFailure Hampering::start() {
    if (const TimingFailure built = rotation_.build(); !built.ok()) return built;
    if (const TimingFailure probed = start_probe(); !probed.ok()) return probed;  // builds, so before the lock
    const TimingFailure locked =
        lock_for_timing(request_.sides.device, !is_on_gpu_, "what-if", progress_, stop_, locks_);
    if (!locked.ok()) return locked;
    if (const TimingFailure started = rotation_.start(0); !started.ok()) return started;
    constexpr std::uint64_t seed = 1;
    fill_inputs(rotation_.sides()[0].call, rotation_.layout(), rotation_.arena(), InputSet::normal, seed);
    if (const TimingFailure prepared = rotation_.prepare(random_); !prepared.ok()) return prepared;
    return rotation_.sets() == 1 ? rotation_.refill({}) : TimingFailure{};
}

TimingFailure Hampering::start_probe() {
    const Sizes& device = request_.sides.baseline.device;
    const auto multiprocessors = device.find("multiprocessors");
    const int all = multiprocessors != device.end() ? static_cast<int>(multiprocessors->second)
                                                    : static_cast<int>(allowed_cpus().size());
    const int left = request_.threads > 0 ? std::min(request_.threads, all) : all;
    auto probe = ShareProbe::start(shape_of(lay_out(rotation_.sides()[0].call), all, left), request_.sides.device,
                                   backend_, progress_, stop_);
    if (!probe) return failure_of(probe.error(), stop_);
    probe_ = std::move(*probe);
    result_.memory_bytes = probe_->bytes();
    return {};
}

TimingFailure Hampering::place_neighbour() {
    if (request_.bandwidth >= 1) return {};
    if (const TimingFailure placed = is_on_gpu_ ? place_on_gpu() : place_beside_cpu(); !placed.ok()) return placed;
    return adjust(request_.bandwidth);
}

void Hampering::set_duty(double duty) {
    result_.neighbour.duty = duty;
    if (is_on_gpu_) result_.neighbour.gbps = duty * probe_gbps_;
    else neighbour_->set_duty(duty);
}

/// The neighbour first takes what the kernel is not to have of the bandwidth that the probe reaches.
TimingFailure Hampering::place_on_gpu() {
    double left = 1;
    const Result<double> first = probe_->seconds(ShareProbe::Kind::memory, false, 0);  // warms up
    if (!first) return failure_of(first.error(), stop_);
    const Result<double> seconds = probe_->seconds(ShareProbe::Kind::memory, false, 0);
    if (!seconds) return failure_of(seconds.error(), stop_);
    probe_gbps_ = probe_->bytes() / *seconds * 1e-9;
    set_duty(1 - request_.bandwidth);
    return look_at_share(left);
}

/// Places the neighbour: first on CPUs that the kernel leaves free; where threads there take too little, on the
/// kernel's.
TimingFailure Hampering::place_beside_cpu() {
    const std::vector<int> cpus = allowed_cpus();
    const std::size_t used = request_.threads > 0 ? static_cast<std::size_t>(request_.threads) : cpus.size();
    double left = 1;
    if (used < cpus.size()) {
        neighbour_ = std::make_unique<MemoryNeighbour>(std::span(cpus).subspan(used), 1);
        if (const TimingFailure looked = look_at_share(left); !looked.ok()) return looked;
    }
    if (left > request_.bandwidth + near_share) {
        constexpr double room = 0.3;  // threads of equal priority share a CPU's time alike
        const double for_one = (1 - request_.bandwidth) / request_.bandwidth + room;
        result_.neighbour.shares_processors = true;
        neighbour_ = std::make_unique<MemoryNeighbour>(std::span(cpus).first(std::min(used, cpus.size())),
                                                       static_cast<int>(std::ceil(for_one)));
        set_duty(1 - request_.bandwidth);
    } else {
        result_.neighbour.duty = 1;
    }
    result_.neighbour.threads = neighbour_->threads();
    return {};
}

/// The share of the bandwidth that the neighbour leaves now.
TimingFailure Hampering::look_at_share(double& left) {
    PairedSeconds pairs;
    for (int i = 0; i < pairs_to_adjust; ++i) {
        if (const TimingFailure timed = time_probe(ShareProbe::Kind::memory, pairs); !timed.ok()) return timed;
    }
    left = 1 / pairs.slow_down().median;
    return {};
}

TimingFailure Hampering::adjust(double wished) {
    constexpr int most_steps = 6;
    constexpr double least_duty = 0.01;
    for (int i = 0; i < most_steps; ++i) {
        progress_("what-if: adjust the neighbour", i, most_steps);
        double left = 1;
        if (const TimingFailure looked = look_at_share(left); !looked.ok()) return looked;
        if (std::abs(left - wished) <= near_share) break;
        set_duty(std::clamp(result_.neighbour.duty * (1 - wished) / std::max(1 - left, least_duty), least_duty, 1.0));
    }
    return {};
}

TimingFailure Hampering::time_pair(const Batch& whole, const Batch& hampered, PairedSeconds& pair) {
    if (stop_.stop_requested()) return {Status::cancelled, "cancelled", -1};
    const bool hampered_first = random_() % 2 == 0;
    for (const bool is_hampered : {hampered_first, !hampered_first}) {
        if (is_hampered && neighbour_) neighbour_->start();
        const Result<double> seconds = is_hampered ? hampered() : whole();
        if (is_hampered && neighbour_) neighbour_->rest();
        if (!seconds) return failure_of(seconds.error(), stop_);
        (is_hampered ? pair.hampered : pair.whole).push_back(*seconds);
    }
    return {};
}

TimingFailure Hampering::time_probe(ShareProbe::Kind kind, PairedSeconds& pair) {
    using Clock = std::chrono::steady_clock;
    const auto hampered = [&] {
        const Clock::time_point begin = Clock::now();
        Result<double> seconds = probe_->seconds(kind, true, gbps_beside(true));
        const double passed = std::chrono::duration<double>(Clock::now() - begin).count();
        if (neighbour_ && kind == ShareProbe::Kind::memory)
            result_.neighbour.gbps = neighbour_->moved_bytes() / passed * 1e-9;
        return seconds;
    };
    return time_pair([&] { return probe_->seconds(kind, false, 0); }, hampered, pair);
}

Result<double> Hampering::kernel_seconds(int side, bool is_hampered) {
    constexpr std::size_t most_turns = 500;
    std::vector<double> seconds;
    double sum = 0;
    while (sum < batch_seconds_ && seconds.size() < most_turns) {
        SampleRequest request;
        const double each = seconds.empty() ? batch_seconds_ : sum / static_cast<double>(seconds.size());
        const double missing = (batch_seconds_ - sum) / each;
        request.turns.assign(static_cast<std::size_t>(std::clamp(missing, 1.0, 50.0)), {side});
        request.flush = !request_.sides.performance.warm_caches;
        request.neighbour_gbps = gbps_beside(is_hampered);
        Samples samples;
        if (const TimingFailure sampled = rotation_.sample(request, samples); !sampled.ok())
            return fail(sampled.reason);
        for (const double one : samples.seconds[static_cast<std::size_t>(side)]) {
            seconds.push_back(one);
            sum += one * rotation_.sets();
        }
    }
    return std::reduce(seconds.begin(), seconds.end()) / static_cast<double>(seconds.size());
}

TimingFailure Hampering::time_candidates() {
    for (std::size_t i = 0; i < result_.candidates.size(); ++i) {
        const auto whole = [&] { return kernel_seconds(0, false); };
        const auto hampered = [&] { return kernel_seconds(static_cast<int>(i) + 1, true); };
        if (const TimingFailure timed = time_pair(whole, hampered, result_.candidates[i]); !timed.ok()) return timed;
    }
    return {};
}

bool Hampering::is_narrow() const {
    const auto narrow = [](const PairedSeconds& pairs) {
        const Speedup found = pairs.slow_down();
        return (found.upper - found.lower) / 2 < narrow_slow_down * found.median;
    };
    return narrow(result_.memory) && std::ranges::all_of(result_.candidates, narrow);
}

TimingFailure Hampering::sample_pairs() {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point begin = Clock::now();
    const Neighbours others;
    const double sides = 2.0 * (static_cast<double>(result_.candidates.size()) + 2);
    const double budget = request_.sides.performance.budget_seconds * sides / 2;
    for (int pairs = 0;; ++pairs) {
        const double passed = std::chrono::duration<double>(Clock::now() - begin).count();
        if (pairs >= least_hampered_pairs && (passed >= budget || is_narrow())) {
            result_.busy_by_others = others.busy_share().value_or(0);
            return {};
        }
        progress_("what-if", static_cast<int>(std::min(99.0, 100 * passed / budget)), 100);
        if (const TimingFailure timed = time_candidates(); !timed.ok()) return timed;
        for (const auto& [kind, pair] : {std::pair{ShareProbe::Kind::memory, &result_.memory},
                                         std::pair{ShareProbe::Kind::arithmetic, &result_.arithmetic}}) {
            if (const TimingFailure timed = time_probe(kind, *pair); !timed.ok()) return timed;
        }
    }
}

TimingFailure Hampering::run() {
    if (const TimingFailure started = start(); !started.ok()) return started;
    if (const TimingFailure placed = place_neighbour(); !placed.ok()) return placed;
    if (const TimingFailure warmed = time_candidates(); !warmed.ok()) return warmed;
    for (PairedSeconds& each : result_.candidates) each = {};
    return sample_pairs();
}

json paired_json(const PairedSeconds& pairs) { return {{"whole", pairs.whole}, {"hampered", pairs.hampered}}; }

PairedSeconds paired_from_json(const json& object) { return {object.at("whole"), object.at("hampered")}; }

}  // namespace

namespace {

/// The sides as in a run: the candidates themselves are what is hampered.
HamperResult time_sides(const BenchRequest& sides, Backend& backend, const Progress& progress, std::stop_token stop) {
    HamperResult result;
    for (BenchResult& each : bench(sides, backend, progress, std::move(stop))) {
        if (each.status != Status::ok && result.status == Status::ok) {
            result.status = each.status;
            result.reason = std::move(each.reason);
        }
        result.candidates.push_back({std::move(each.baseline_seconds), std::move(each.candidate_seconds)});
    }
    return result;
}

}  // namespace

HamperResult time_hampered(const HamperRequest& request, Backend& backend, const Progress& progress,
                           std::stop_token stop) {
    if (!backend.traits().is_host && request.bandwidth >= 1)
        return time_sides(request.sides, backend, progress, std::move(stop));
    const auto failed = [](Status status, Said reason) {
        HamperResult result;
        result.status = status;
        result.reason = std::move(reason);
        return result;
    };
    try {
        Hampering hampering(request, backend, progress, std::move(stop));
        const TimingFailure failure = hampering.run();
        return failure.ok() ? hampering.take_result() : failed(failure.status, failure.reason);
    } catch (const std::bad_alloc&) {
        return failed(Status::over_limit, "no memory is left to time with");
    } catch (const std::exception& error) {
        return failed(Status::unavailable, say("the timing broke off: {}", error.what()));
    }
}

json to_json(const HamperResult& result) {
    const NeighbourUse& neighbour = result.neighbour;
    json object = {{"status", to_string(result.status)},
                   {"candidates", json::array()},
                   {"memory", paired_json(result.memory)},
                   {"arithmetic", paired_json(result.arithmetic)},
                   {"memory_bytes", result.memory_bytes},
                   {"busy_by_others", result.busy_by_others},
                   {"neighbour",
                    {{"threads", neighbour.threads},
                     {"shares_processors", neighbour.shares_processors},
                     {"duty", neighbour.duty},
                     {"gbps", neighbour.gbps}}}};
    for (const PairedSeconds& each : result.candidates) object["candidates"].push_back(paired_json(each));
    put_said(object, "reason", result.reason);
    return object;
}

HamperResult hamper_result_from_json(const json& object) {
    HamperResult result;
    result.status = parse_status(object.at("status").get<std::string>()).value_or(Status::crashed);
    result.reason = own_words(object, "reason");
    for (const json& each : object.at("candidates")) result.candidates.push_back(paired_from_json(each));
    result.memory = paired_from_json(object.at("memory"));
    result.arithmetic = paired_from_json(object.at("arithmetic"));
    result.memory_bytes = object.at("memory_bytes");
    result.busy_by_others = object.at("busy_by_others");
    const json& neighbour = object.at("neighbour");
    result.neighbour = {neighbour.at("threads"), neighbour.at("shares_processors"), neighbour.at("duty"),
                        neighbour.at("gbps")};
    return result;
}

}  // namespace kernelgen
