// SPDX-License-Identifier: Apache-2.0
#include "core/bench/idle_watch.h"

#include <thread>

namespace kernelgen {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds grace{4};  ///< four times what libgomp's threads spin
constexpr double least_seconds = 0.1;
constexpr double most_share = 0.05;

}  // namespace

void IdleWatch::begin(const ForeignThreads& threads) {
    std::this_thread::sleep_for(grace);
    before_ = threads.running();
    start_ = Clock::now();
}

void IdleWatch::end(const ForeignThreads& threads) {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    const auto after = threads.running();
    seconds_ += seconds;
    ran_ += ran_between(before_, after);
    // Where short processes follow each other, those that have ended are not listed any more. How often a new one is
    // met is the share of the time for which they ran.
    for (const auto& [id, ran] : after) ran_ += before_.contains(id) ? 0 : seconds;
}

double IdleWatch::share() const { return has_seen_enough() ? ran_ / seconds_ : 0; }

bool IdleWatch::has_seen_enough() const { return seconds_ >= least_seconds; }

bool IdleWatch::is_quiet() const { return share() <= most_share; }

}  // namespace kernelgen
