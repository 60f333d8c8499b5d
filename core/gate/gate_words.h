// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "core/gate/check.h"
#include "core/report/phrases.h"

namespace kernelgen {

/// What a check says, in the language of a document or of the window.
std::string words_of(Verdict verdict, const Phrases& say);                ///< "slower"
std::string verdict_words(const GatedCase& checked, const Phrases& say);  ///< "slower, less accurate"
std::string ratio_words(const GatedCase& checked,
                        const Phrases& say);  ///< "0.968 [0.962, 0.975]"; or why there is none
std::string threshold_words(const Threshold& threshold, const Phrases& say);  ///< "1.5 % (learned)"

}  // namespace kernelgen
