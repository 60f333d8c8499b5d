// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/report/phrases.h"
#include "core/whatif/predict.h"

namespace kernelgen {

std::string resource_words(Resource resource, const Phrases& say);  ///< "shared memory"
std::string limit_words(Limit limit, const Phrases& say);           ///< "the kernel's own code"
/// Of what the times are predicted, and how far that misses.
std::string model_words(const TimeModel& model, const Phrases& say);

}  // namespace kernelgen
