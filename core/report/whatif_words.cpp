// SPDX-License-Identifier: Apache-2.0
#include "core/report/whatif_words.h"

#include <cmath>

namespace kernelgen {

std::string resource_words(Resource resource, const Phrases& say) {
    switch (resource) {
        case Resource::bandwidth: return say(Text::whatif_bandwidth);
        case Resource::registers: return say(Text::whatif_registers);
        case Resource::shared_memory: return say(Text::whatif_shared_memory);
        case Resource::threads: return say(Text::whatif_threads);
    }
    return "";
}

std::string limit_words(Limit limit, const Phrases& say) {
    switch (limit) {
        case Limit::bandwidth: return say(Text::whatif_by_bandwidth);
        case Limit::arithmetic: return say(Text::whatif_by_arithmetic);
        case Limit::own_code: return say(Text::whatif_by_own_code);
        case Limit::starts: return say(Text::whatif_by_starts);
        case Limit::tail: return say(Text::whatif_by_tail);
    }
    return "";
}

std::string model_words(const TimeModel& model, const Phrases& say) {
    return model.is_roofline_alone()
               ? say(Text::whatif_roofline_alone, model.samples(), TimeModel::least_samples)
               : say(Text::whatif_fitted, model.samples(), say.percent(std::expm1(model.leave_one_out_error())));
}

}  // namespace kernelgen
