// SPDX-License-Identifier: Apache-2.0
#include "core/tune/simulate.h"

namespace kernelgen {

Simulation::Simulation(const TuningSpace& space, const std::vector<Trial>& recorded) : all_(space.size()) {
    for (std::size_t i = 0; i < all_.size(); ++i) all_[i].index = i;
    for (const Trial& each : recorded) all_[each.index] = each;
}

std::vector<Trial> Simulation::play(Searcher& searcher, std::size_t evaluations) const {
    std::vector<Trial> trials;
    while (trials.size() < evaluations) {
        const std::vector<std::size_t> asked = searcher.ask(1);
        if (asked.empty()) break;
        trials.push_back(all_[asked.front()]);
        searcher.tell(trials.back());
    }
    return trials;
}

std::optional<double> Simulation::optimum() const {
    const std::optional<Trial> best = best_of(all_);
    return best ? best->objective : std::nullopt;
}

std::optional<Trial> best_of(const std::vector<Trial>& trials) {
    std::optional<Trial> best;
    for (const Trial& each : trials) {
        if (each.objective && (!best || *each.objective < *best->objective)) best = each;
    }
    return best;
}

}  // namespace kernelgen
