// SPDX-License-Identifier: Apache-2.0
#include "core/report/applied_words.h"

#include <algorithm>

#include "core/report/diagnosis_words.h"
#include "core/round/stop_reason.h"
#include "core/strategy/catalogue.h"

namespace kernelgen {

namespace {

std::string title_in(const std::string& id, const Phrases& say) {
    const StrategyText* text = find_strategy_text(id);
    return text == nullptr ? id : say.choose(std::string(text->title), std::string(text->title_zh));
}

std::string why_in(const std::string& id, const Phrases& say) {
    const StrategyText* text = find_strategy_text(id);
    return text == nullptr ? "" : say.choose(std::string(text->why), std::string(text->why_zh));
}

Text outcome_text(StrategyOutcome outcome) {
    switch (outcome) {
        case StrategyOutcome::gained: return Text::outcome_gained;
        case StrategyOutcome::lost: return Text::outcome_lost;
        case StrategyOutcome::neither: return Text::outcome_neither;
        case StrategyOutcome::failed: break;
    }
    return Text::outcome_failed;
}

std::string outcome_in(const Round& round, const Phrases& say) {
    const AppliedStrategy& applied = *round.applied;
    const std::string outcome = say(outcome_text(outcome_of(applied)));
    if (!applied.gain) return outcome;
    const bool is_within =
        applied.gain->upper >= applied.expected.lower && applied.gain->lower <= applied.expected.upper;
    return say(Text::applied_outcome, words_of(*applied.gain, say), applied.after, outcome,
               say(is_within ? Text::outcome_as_expected : Text::outcome_unexpected));
}

std::string ending_in(const std::string& id, const Phrases& say) {
    const auto found = std::ranges::find(all_stop_reasons, id, &StopReason::id);
    if (found == std::end(all_stop_reasons)) return id;
    return say.choose(std::string(found->text), std::string(found->text_zh));
}

std::string next_in(const AppliedStrategy& applied, const Phrases& say) {
    std::string text;
    if (!applied.ended.empty()) text = say(Text::applied_ended, ending_in(applied.ended, say));
    if (applied.next.empty()) return text;
    const std::string next = say(Text::applied_next, title_in(applied.next, say), words_of(applied.next_expected, say));
    return text.empty() ? next : text + say(Text::fact_separator) + next;
}

std::string finding_in(const AppliedStrategy& applied, std::span<const Rule> rules, const Phrases& say) {
    if (applied.finding.empty()) return "";
    const std::string title = title_of_finding(applied.finding, rules, say);
    if (title.empty()) return say(Text::applied_finding_by_id, applied.finding, applied.after);
    return say(Text::applied_finding, title, applied.finding, applied.after);
}

}  // namespace

std::string words_of(GainSource source, const Phrases& say) {
    switch (source) {
        case GainSource::bound: return say(Text::gain_from_bound);
        case GainSource::guess: return say(Text::gain_from_guess);
        case GainSource::patterns: return say(Text::gain_from_patterns);
        case GainSource::model: return say(Text::gain_from_model);
        case GainSource::rounds: break;
    }
    return say(Text::gain_from_rounds);
}

std::string words_of(const Gain& gain, const Phrases& say) {
    return say.ratio(gain.likely) + "× [" + say.ratio(gain.lower) + ", " + say.ratio(gain.upper) + "]";
}

AppliedWords words_of(const Round& round, std::span<const Rule> rules, const Phrases& say) {
    const AppliedStrategy& applied = *round.applied;
    AppliedWords words;
    words.strategy = say(Text::applied_strategy, title_in(applied.strategy, say), applied.strategy, applied.change);
    words.why = why_in(applied.strategy, say);
    words.finding = finding_in(applied, rules, say);
    words.expected = say(Text::applied_expected, words_of(applied.expected, say), words_of(applied.expected_from, say));
    words.outcome = outcome_in(round, say);
    words.next = next_in(applied, say);
    return words;
}

Lessons lessons_of(const Round& round, const Phrases& say) {
    if (!round.applied) return {};
    const AppliedWords words = words_of(round, {}, say);
    const std::string what = say(Text::applied_lesson, words.strategy, words.outcome);
    const bool worked = outcome_of(*round.applied) == StrategyOutcome::gained;
    return {.worked = worked ? what : say(Text::lesson_nothing),
            .failed = worked ? say(Text::lesson_nothing) : what,
            .next = words.next};
}

}  // namespace kernelgen
