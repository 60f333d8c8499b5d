// SPDX-License-Identifier: Apache-2.0
#include "core/bench/baseline_alone.h"

#include <chrono>
#include <cstring>

namespace kernelgen {
namespace {

using Clock = std::chrono::steady_clock;

BenchRequest without_candidates(BenchRequest request) {
    request.candidates.clear();
    return request;
}

}  // namespace

BaselineAlone::BaselineAlone(const BenchRequest& request, Backend& backend, const Progress& progress,
                             std::stop_token stop)
    : request_(without_candidates(request)),
      backend_(backend),
      rotation_(request_, backend, progress, std::move(stop)) {}

TimingFailure BaselineAlone::start(Rotation& beside) {
    rotation_.take_baseline(beside);
    if (const TimingFailure started = rotation_.start(0); !started.ok()) return started;
    std::memcpy(rotation_.arena(), beside.arena(), rotation_.layout().total);
    if (const TimingFailure prepared = rotation_.prepare(beside.sets()); !prepared.ok()) return prepared;
    return warm_up(beside);
}

TimingFailure BaselineAlone::warm_up(Rotation& beside) {
    constexpr int fewest = 3, most = 100;
    constexpr double least_seconds = 0.1;
    const Clock::time_point start = Clock::now();
    for (int i = 0; i < fewest || (i < most && Clock::now() - start < std::chrono::duration<double>(least_seconds));
         ++i) {
        if (const TimingFailure sampled = sample(1, beside); !sampled.ok()) return sampled;
    }
    forget();
    return {};
}

TimingFailure BaselineAlone::sample(int turns, Rotation& beside) {
    SampleRequest request;
    request.turns.assign(static_cast<std::size_t>(turns), {0});
    request.flush = !request_.performance.warm_caches;
    Samples samples;
    const auto sample_it = [&] { return rotation_.sample(request, samples); };
    const TimingFailure sampled = backend_.traits().is_host ? beside.while_idle(sample_it) : sample_it();
    if (!sampled.ok()) return sampled;
    seconds_.insert(seconds_.end(), samples.seconds[0].begin(), samples.seconds[0].end());
    return {};
}

double BaselineAlone::median() const { return summarise(seconds_).p50; }

bool BaselineAlone::is_slower(const std::vector<double>& beside) const {
    constexpr double by_chance = 0.01;
    const bool is_python_here = backend_.traits().is_host && runs_in_python(request_.baseline.variant.language);
    const double noticeable = is_python_here ? 1.25 : 1.1;
    const double of_cold_code = is_python_here ? 5e-6 : 1e-6;  // seconds: between its calls the others have run
    return summarise(beside).p50 > noticeable * median() + of_cold_code && mann_whitney_p(beside, seconds_) < by_chance;
}

}  // namespace kernelgen
