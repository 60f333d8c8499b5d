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
    seconds_ += std::chrono::duration<double>(Clock::now() - start_).count();
    ran_ += ran_between(before_, threads.running());
}

double IdleWatch::share() const { return has_seen_enough() ? ran_ / seconds_ : 0; }

bool IdleWatch::has_seen_enough() const { return seconds_ >= least_seconds; }

bool IdleWatch::is_quiet() const { return share() <= most_share; }

}  // namespace kernelgen
