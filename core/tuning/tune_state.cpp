// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/tune_state.h"

namespace kernelgen {

void take_results(TuneState& state, const Tuning& tuning) {
    const Tried* best = nullptr;
    state.tried = static_cast<int>(tuning.tried.size());
    for (const Tried& each : tuning.tried) {
        if (!each.is_ok()) {
            ++state.failed;
            continue;
        }
        if (each.configuration == tuning.head.incumbent) state.incumbent_seconds = each.seconds;
        if (best == nullptr || each.objective < best->objective) best = &each;
    }
    if (best == nullptr) return;
    const double in_race = state.incumbent_seconds * best->ratio;
    state.best_seconds = in_race > 0 ? in_race : best->seconds;
}

}  // namespace kernelgen
