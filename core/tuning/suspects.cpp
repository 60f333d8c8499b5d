// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/suspects.h"

#include <format>
#include <utility>

#include "core/base/tuning_sentences.h"

namespace kernelgen {

namespace {

constexpr int most_deaths = 2;

}  // namespace

void Suspects::add_death(const Configuration& configuration, const std::string& worker, const Said& death) {
    if (++deaths_[configuration] < most_deaths) return add(configuration);
    Tried tried{.configuration = configuration, .status = Status::crashed};
    tried.reason = say(sentences::two_workers_died, death);
    tried.worker = worker;
    crashed_.push_back(std::move(tried));
}

Configuration Suspects::take() {
    Configuration last = std::move(waiting_.back());
    waiting_.pop_back();
    return last;
}

std::vector<Tried> Suspects::take_crashed() { return std::exchange(crashed_, {}); }

}  // namespace kernelgen
