// SPDX-License-Identifier: Apache-2.0
#include "core/whatif/predict.h"

#include <algorithm>
#include <cmath>

#include "core/strategy/gain.h"

namespace kernelgen {

namespace {

constexpr double ninety_percent = 1.645;  ///< half the width of a 90 % interval in standard deviations

/// GB/s of a copy with so many threads of `all`: each has a thread's bandwidth until all together have the device's.
double bandwidth_of(const Ceilings& ceilings, int threads, int all) {
    const double whole = ceilings.all_threads.back().copy_gbps;
    if (ceilings.one_thread.empty() || threads >= all) return whole;
    return std::min(whole, ceilings.one_thread.back().copy_gbps * threads);
}

/// The share of the time that is lost to the last wave, where that many programs run at once.
double tail_of(double programs, double at_once) {
    if (programs <= 0 || at_once <= 0) return 0;
    return 1 - programs / (std::ceil(programs / at_once) * at_once);
}

/// The parts on the other device, one after the other.
TimeParts on_other(const TimeParts& parts, const DeviceRatios& ratios) {
    return {parts.memory / ratios.bandwidth / ratios.hiding, parts.arithmetic / ratios.arithmetic / ratios.hiding,
            parts.own / ratios.arithmetic / ratios.hiding, parts.starts};
}

/// The time of a call whose parts overlap: the longest part counts. The part that is the longest now then takes the
/// whole of the call but its starts.
double side_by_side(TimeParts parts, const DeviceRatios& ratios) {
    const double all = parts.sum() - parts.starts;
    double& longest = parts.memory >= std::max(parts.arithmetic, parts.own) ? parts.memory
                      : parts.arithmetic >= parts.own                       ? parts.arithmetic
                                                                            : parts.own;
    longest = all;
    const TimeParts other = on_other(parts, ratios);
    return std::max({other.memory, other.arithmetic, other.own}) + other.starts;
}

double waiting_for_memory(const TimeParts& parts, const DeviceRatios& ratios) {
    return on_other({parts.memory + parts.own, parts.arithmetic, 0, parts.starts}, ratios).sum();
}

Limit limit_of(const TimeParts& parts, double tail_seconds) {
    const std::pair<double, Limit> all[] = {{parts.memory, Limit::bandwidth},
                                            {parts.arithmetic, Limit::arithmetic},
                                            {parts.own, Limit::own_code},
                                            {parts.starts, Limit::starts},
                                            {tail_seconds, Limit::tail}};
    return std::ranges::max(all, {}, [](const auto& each) { return each.first; }).second;
}

/// The share that the last wave loses where `at_once` times as many programs run at once. The programs of a partial
/// wave move bytes as fast as all do, so only the other parts of the time become longer or shorter with it.
double tail_with(const TimedSample& sample, const TimeParts& parts, double at_once) {
    if (at_once == 1) return sample.tail;
    const double other = tail_of(sample.programs, std::max(1.0, sample.at_once * at_once));
    return sample.tail + (other - sample.tail) * (1 - parts.memory / parts.sum());
}

double roofline_seconds(const TimedSample& sample, const DeviceRatios& ratios) {
    return std::max(sample.memory / ratios.bandwidth, (sample.arithmetic + sample.functions) / ratios.arithmetic);
}

}  // namespace

std::string_view to_string(Limit limit) {
    switch (limit) {
        case Limit::bandwidth: return "bandwidth";
        case Limit::arithmetic: return "arithmetic";
        case Limit::own_code: return "own code";
        case Limit::starts: return "starts";
        case Limit::tail: return "tail";
    }
    return "";
}

int threads_with(const Factors& factors, int threads) {
    return std::max(1, static_cast<int>(std::lround(threads * factor_of(factors, Resource::threads))));
}

DeviceRatios ratios_of_cpu(const Ceilings& ceilings, const Factors& factors, int threads) {
    const int then = threads_with(factors, threads);
    const double share = static_cast<double>(then) / threads;
    return {.bandwidth = factor_of(factors, Resource::bandwidth) * bandwidth_of(ceilings, then, threads) /
                         bandwidth_of(ceilings, threads, threads),
            .arithmetic = share,
            .at_once = share};
}

DeviceRatios ratios_of_gpu(const Factors& factors) { return {.bandwidth = factor_of(factors, Resource::bandwidth)}; }

DeviceRatios ratios_of_gpu(const Factors& factors, const Residency& residency, const LatencyHiding& hiding,
                           double enough) {
    DeviceRatios ratios = ratios_of_gpu(factors);
    ratios.at_once = residency.then / residency.now;
    const double most_needed = enough > 0 && enough < residency.now ? enough : residency.now;
    const double share = std::min(1.0, residency.then / most_needed);
    ratios.hiding = hiding.left(share);
    ratios.least_hiding = hiding.left(share, 2);
    return ratios;
}

double CasePrediction::most_back() const { return floor_seconds > 0 ? std::min(1.0, seconds / floor_seconds) : 1; }

CasePrediction predict(const TimeModel& model, const TimedSample& sample, const DeviceRatios& ratios) {
    CasePrediction prediction{.binding = sample.binding, .seconds = sample.seconds, .parts = model.parts(sample)};
    const double tail = tail_with(sample, prediction.parts, ratios.at_once);
    const TimeParts then = on_other(prediction.parts, ratios);
    const double whole = 1 - tail;
    prediction.likely = then.sum() / whole;
    DeviceRatios hidden = ratios, waiting = ratios;
    hidden.hiding = 1;
    waiting.hiding = ratios.least_hiding;
    const double readings[] = {prediction.likely, side_by_side(prediction.parts, hidden) / whole,
                               waiting_for_memory(prediction.parts, waiting) / whole};
    const double noise = std::max(noise_between_runs, sample.noise);
    const double spread = std::exp(ninety_percent * std::hypot(model.leave_one_out_error(), noise));
    prediction.lower = std::ranges::min(readings) / spread;
    prediction.upper = std::ranges::max(readings) * spread;
    prediction.binds_now = limit_of(prediction.parts, sample.seconds * sample.tail);
    prediction.binds_then = limit_of(then, prediction.likely * tail);
    // A cache may let a kernel pass the roofline: then it says nothing of what is the best there.
    prediction.floor_seconds = std::min(roofline_seconds(sample, ratios), prediction.lower);
    return prediction;
}

}  // namespace kernelgen
