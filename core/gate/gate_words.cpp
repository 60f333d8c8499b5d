// SPDX-License-Identifier: Apache-2.0
#include "core/gate/gate_words.h"

namespace kernelgen {

std::string words_of(Verdict verdict, const Phrases& say) {
    switch (verdict) {
        case Verdict::same: return say(Text::verdict_same);
        case Verdict::faster: return say(Text::verdict_faster);
        case Verdict::slower: return say(Text::verdict_slower);
        case Verdict::ambiguous: break;
    }
    return say(Text::verdict_ambiguous);
}

std::string verdict_words(const GatedCase& checked, const Phrases& say) {
    const std::string verdict = words_of(checked.verdict, say);
    return checked.less_accurate() ? say(Text::verdict_and_less_accurate, verdict) : verdict;
}

std::string ratio_words(const GatedCase& checked, const Phrases& say) {
    if (checked.runs > 0) return say.ratio_in(checked.ratio.median, checked.ratio.lower, checked.ratio.upper);
    return checked.reason.empty() ? say(Text::gate_not_timed) : say.of_engine(checked.reason);
}

std::string threshold_words(const Threshold& threshold, const Phrases& say) {
    const Text from = threshold.from == "given"     ? Text::threshold_given
                      : threshold.from == "stored"  ? Text::threshold_stored
                      : threshold.from == "learned" ? Text::threshold_learned
                                                    : Text::threshold_default;
    return say(from, say.percent(threshold.share));
}

}  // namespace kernelgen
