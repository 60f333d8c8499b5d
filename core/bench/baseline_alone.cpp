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
        SampleRequest request;
        request.turns = {{0}};
        if (const TimingFailure sampled = sample(request, beside); !sampled.ok()) return sampled;
    }
    forget();
    return {};
}

TimingFailure BaselineAlone::sample(SampleRequest turns, Rotation& beside) {
    const bool is_host = backend_.traits().is_host;
    turns.flush = !request_.performance.warm_caches;
    for (std::vector<int>& turn : turns.turns) {
        if (!is_host) turn = {0};  // the device's events leave out what is between two calls
        for (int& side : turn) side = side == 0 ? 0 : SampleRequest::nobody;
    }
    Samples samples;
    const auto sample_it = [&] { return rotation_.sample(turns, samples); };
    const TimingFailure sampled = is_host ? beside.while_idle(sample_it) : sample_it();
    if (!sampled.ok()) return sampled;
    last_batch_ = seconds_.size();
    seconds_.insert(seconds_.end(), samples.seconds[0].begin(), samples.seconds[0].end());
    return {};
}

void BaselineAlone::compare_with(std::span<const double> beside) {
    batches_.add(std::span(seconds_).subspan(last_batch_), beside);
}

void BaselineAlone::forget() {
    seconds_.clear();
    batches_.forget();
}

double BaselineAlone::median() const { return summarise(seconds_).p50; }

/// How much longer the baseline may take beside the candidate than alone. Between two calls of the baseline the other
/// sides have run, so that its code is cold.
Alternations::Limit BaselineAlone::limit() const {
    const bool is_python_here = backend_.traits().is_host && runs_in_python(request_.baseline.variant.language);
    return is_python_here ? Alternations::Limit{1.25, 5e-6} : Alternations::Limit{1.1, 1e-6};
}

bool BaselineAlone::seems_slower(const std::vector<double>& beside) const {
    constexpr double by_chance = 0.01;
    const Alternations::Limit allowed = limit();
    return summarise(beside).p50 > allowed.ratio * median() + allowed.seconds &&
           mann_whitney_p(beside, seconds_) < by_chance;
}

}  // namespace kernelgen
