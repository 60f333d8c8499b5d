// SPDX-License-Identifier: Apache-2.0
#include "core/strategy/propose.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/lang/body.h"
#include "core/measure/metrics.h"
#include "core/project/by_case.h"
#include "core/round/best.h"
#include "core/strategy/by_rounds.h"
#include "core/strategy/case_moves.h"
#include "core/strategy/catalogue.h"
#include "core/strategy/edits.h"
#include "core/strategy/expectation.h"
#include "core/strategy/moves.h"
#include "core/strategy/skeleton.h"

namespace kernelgen {

using nlohmann::ordered_json;

namespace {

/// The gain that is taken to be possible where nobody measured it: 1.3 times as fast.
constexpr double unknown_room = 1.3;
/// After a search has ended, another search finds only this share of the gain that is left.
constexpr double share_after_search = 0.15;

/// The most that can be gained in a case, as a logarithm.
struct Room {
    double most = 0;
    bool is_guess = false;  ///< nobody measured it
};

/// A strategy that findings ask for, with what it can gain in each case.
struct Wanted {
    std::string strategy, finding;
    std::vector<Room> rooms;  ///< by case
    std::vector<SourcePlace> where;
    bool is_asked_for = false;             ///< by a finding
    std::optional<double> most_gain = {};  ///< that a finding tells

    double mean() const {
        double sum = 0;
        for (const Room& each : rooms) sum += each.most;
        return rooms.empty() ? 0 : sum / static_cast<double>(rooms.size());
    }
};

Room headroom_of(const Diagnosis& diagnosis) {
    const std::optional<double> headroom = diagnosis.evidence.value(metrics::headroom.name);
    return {std::log(std::max(1.0, headroom.value_or(unknown_room))), !headroom};
}

Room room_of(const Finding& finding, const Diagnosis& diagnosis) {
    const Room headroom = headroom_of(diagnosis);
    if (!finding.most_gain) return headroom;
    const double most = std::log(std::max(1.0, *finding.most_gain));
    return {headroom.is_guess ? most : std::min(most, headroom.most), false};
}

/// The most promising first; a library, on which nobody can work on, is what is left when all else is tried.
bool is_before(const Proposal& a, const Proposal& b) {
    const bool is_library_a = std::holds_alternative<AddDispatch>(a.change);
    const bool is_library_b = std::holds_alternative<AddDispatch>(b.change);
    return is_library_a == is_library_b ? a.expected.likely > b.expected.likely : is_library_b;
}

bool changes(const ProposedChange& change, const Case& binding) {
    const auto* set = std::get_if<SetTunables>(&change);
    return set == nullptr || set->cases.empty() || std::ranges::contains(set->cases, binding);
}

class Proposer {
public:
    explicit Proposer(const Situation& situation) : situation_(situation), before_(situation.round.candidate) {
        for (const Diagnosis& each : situation.diagnoses) cases_.push_back(each.evidence.binding);
        for (const Case& each : cases_) present_.push_back(timed_with(each));
    }

    Proposals propose();

private:
    void want(const Finding& finding, const std::string& strategy, std::size_t place);
    void want_by_findings();
    void want_everywhere(const std::string& strategy);
    void want_by_itself();
    bool is_known_exhausted() const;
    const Tuning* tuning_of(const Case& binding) const;

    Configuration timed_with(const Case& binding) const;
    bool has_effect(const SetTunables& set) const;
    std::vector<ProposedChange> changes_of(const std::string& strategy) const;
    std::string where_it_counts(const ProposedChange& change) const;
    void predict(const std::vector<Proposal>& proposals);
    Expected expected(const Proposal& proposal, const Wanted& wanted, std::size_t place) const;

    const Situation& situation_;
    const Implementation& before_;
    std::vector<Case> cases_;
    std::vector<Configuration> present_;  ///< that the cases were timed with
    std::vector<Wanted> wanted_;
    /// The predicted gain for each case and proposal.
    std::vector<std::vector<std::optional<PredictedGain>>> predicted_;
};

void Proposer::want(const Finding& finding, const std::string& strategy, std::size_t place) {
    const auto is_same = [&](const Wanted& each) { return each.strategy == strategy && each.finding == finding.rule; };
    auto found = std::ranges::find_if(wanted_, is_same);
    if (found == wanted_.end())
        found = wanted_.insert(found, {strategy, finding.rule, std::vector<Room>(cases_.size()), {}, true});
    const Room room = room_of(finding, situation_.diagnoses[place]);
    if (room.most > found->rooms[place].most) found->rooms[place] = room;
    if (finding.most_gain) found->most_gain = std::max(found->most_gain.value_or(1), *finding.most_gain);
    for (const SourcePlace& each : finding.where) {
        if (!std::ranges::contains(found->where, each)) found->where.push_back(each);
    }
}

void Proposer::want_by_findings() {
    for (std::size_t place = 0; place < cases_.size(); ++place) {
        for (const Finding& finding : situation_.diagnoses[place].findings) {
            for (const std::string& strategy : finding.strategies) want(finding, strategy, place);
        }
    }
    // A strategy that several findings ask for counts for the one by which it can gain most.
    std::ranges::stable_sort(wanted_, std::ranges::greater(), &Wanted::mean);
    std::vector<Wanted> once;
    for (Wanted& each : wanted_) {
        if (!std::ranges::contains(once, each.strategy, &Wanted::strategy)) once.push_back(std::move(each));
    }
    wanted_ = std::move(once);
}

/// Adds a strategy for all cases, whether a finding asks for it or not. In each case it may gain as much as the
/// roofline leaves.
void Proposer::want_everywhere(const std::string& strategy) {
    Wanted wanted{strategy, {}, {}, {}, false};
    for (const Diagnosis& each : situation_.diagnoses) wanted.rooms.push_back(headroom_of(each));
    const auto found = std::ranges::find(wanted_, strategy, &Wanted::strategy);
    if (found == wanted_.end()) wanted_.push_back(std::move(wanted));
    else found->rooms = std::move(wanted.rooms);
}

/// Adds the strategies that need no finding: another form of kernel, a search, and, where a model predicts them, all
/// single steps.
void Proposer::want_by_itself() {
    for (const char* each : {"another_skeleton", "tune", "grid_2d", "single_precision"}) want_everywhere(each);
    const bool has_model = std::ranges::any_of(cases_, [&](const Case& each) { return tuning_of(each) != nullptr; });
    if (!has_model) return;
    for (const std::string_view each : moving_strategies()) {
        if (!std::ranges::contains(wanted_, each, &Wanted::strategy)) want_everywhere(std::string(each));
    }
}

const Tuning* Proposer::tuning_of(const Case& binding) const {
    const Round& round = situation_.round.round;
    const Tuning* found = nullptr;
    for (const Tuning& each : situation_.tunings) {
        const TuningHead& head = each.head;
        if (head.variant == round.variant && head.device == round.device && head.binding == binding &&
            head.source_hash == round.source_hash)
            found = &each;
    }
    return found;
}

Configuration Proposer::timed_with(const Case& binding) const {
    const RoundCase* timed = timed_case(situation_.round.round, binding);
    return timed == nullptr ? before_.configuration : configuration_of(situation_.round.round, *timed);
}

/// Whether a step changes what the kernel does: a generated kernel of a CPU cuts tiles that are wider than the rows.
bool Proposer::has_effect(const SetTunables& set) const {
    const auto columns =
        std::ranges::find(set.values, "columns", [](const auto& each) { return role_of_tunable(each.first); });
    const bool is_cut = before_.variant.language == Language::cpp && is_unedited(before_.variant, before_.text);
    const Validated<Body> body = analyse(situation_.round.definition);
    if (columns == set.values.end() || !is_cut || !body || body->contraction || body->attention) return true;
    const Configuration& before = set.before.empty() ? before_.configuration : set.before;
    const std::int64_t least = std::min(columns->second, before.at(columns->first));
    return std::ranges::any_of(set.cases.empty() ? cases_ : set.cases, [&](const Case& each) {
        const Result<Space> space = space_of(*body, each.sizes);
        return !space || space->columns > least;
    });
}

bool Proposer::is_known_exhausted() const {
    return std::ranges::all_of(cases_, [&](const Case& each) {
        const Tuning* tuning = tuning_of(each);
        return tuning != nullptr && tuning->tried.size() >= tuning->head.configurations;
    });
}

std::vector<ProposedChange> Proposer::changes_of(const std::string& strategy) const {
    std::vector<ProposedChange> changes;
    const bool is_generated = is_unedited(before_.variant, before_.text);
    if (strategy == "tune") {
        if (!before_.variant.tunables.empty() && !is_known_exhausted()) changes.emplace_back(SearchTunables{});
        return changes;
    }
    if (strategy == "another_skeleton") {
        if (is_generated && !before_.variant.tunables.empty()) return changes;
        if (auto other = other_skeleton(situation_.project, before_, situation_.round.round.device))
            changes.emplace_back(OtherVariant{std::move(*other)});
        return changes;
    }
    for (SetTunables& each : moves_on_cases(strategy, before_, cases_, present_)) {
        if (has_effect(each)) changes.emplace_back(std::move(each));
    }
    if (is_generated && strategy != "grid_order") return changes;
    for (EditSource& edit : edits_of(strategy, situation_.round.definition, before_, cases_))
        changes.emplace_back(std::move(edit));
    return changes;
}

/// " on CASE, CASE" where a change leaves some of the timed cases as they are.
std::string Proposer::where_it_counts(const ProposedChange& change) const {
    const auto* set = std::get_if<SetTunables>(&change);
    if (set == nullptr || set->cases.size() == cases_.size()) return "";
    return " on " + join(names_of(set->cases), ", ");
}

/// Asks the model of each case for all steps at once.
void Proposer::predict(const std::vector<Proposal>& proposals) {
    for (std::size_t place = 0; place < cases_.size(); ++place) {
        auto& predicted = predicted_.emplace_back(proposals.size());
        const Tuning* tuning = tuning_of(cases_[place]);
        if (tuning == nullptr) continue;
        const Configuration& present = present_[place];
        std::vector<Configuration> after;
        for (const Proposal& each : proposals) {
            Configuration& configuration = after.emplace_back(present);
            if (const auto* set = std::get_if<SetTunables>(&each.change)) {
                for (const auto& [name, value] : set->values) configuration[name] = value;
            }
        }
        auto gains = predict_gains(*tuning, present, after);
        if (!gains.empty()) predicted = std::move(gains);
    }
}

Expected Proposer::expected(const Proposal& proposal, const Wanted& wanted, std::size_t place) const {
    std::vector<Outlook> outlooks;
    for (std::size_t i = 0; i < cases_.size(); ++i) {
        if (!changes(proposal.change, cases_[i])) continue;
        const RoundCase* timed = timed_case(situation_.round.round, cases_[i]);
        Outlook outlook{.strategy = proposal.strategy, .room = wanted.rooms[i].most, .patterns = {}, .model = {}};
        outlook.is_guess = wanted.rooms[i].is_guess;
        if (timed != nullptr) outlook.noise = noise_of(*timed);
        PatternKey key = key_of(situation_.round.definition, cases_[i], situation_.round.round.device,
                                situation_.round.environment.hardware);
        key.strategy = proposal.strategy;
        key.finding = wanted.finding;
        const Tuning* tuning = tuning_of(cases_[i]);
        const bool was_searched = tuning != nullptr && tuning->outcome;
        const bool is_search = std::holds_alternative<SearchTunables>(proposal.change);
        if (is_search && was_searched) outlook.room *= share_after_search;
        else outlook.patterns = advice_of(situation_.patterns, key);
        if (std::holds_alternative<SetTunables>(proposal.change)) outlook.model = predicted_[i][place];
        outlooks.push_back(outlook);
    }
    Expected found = expected_gain_of_all(outlooks);
    found.gain = as_part(found.gain, outlooks.size(), cases_.size());
    return found;
}

Proposals Proposer::propose() {
    want_by_findings();
    want_by_itself();
    Proposals proposals;
    std::vector<const Wanted*> reasons;
    for (const Wanted& each : wanted_) {
        std::vector<ProposedChange> changes = changes_of(each.strategy);
        // No person does these by hand: rounds alone tell where a library is faster, and tunables alone can be tuned.
        const auto is_it = [&](std::string_view strategy) { return each.strategy == strategy; };
        const bool is_by_hand = std::ranges::none_of(std::array{"library", "tune", "another_skeleton"}, is_it);
        if (changes.empty() && each.is_asked_for && is_by_hand)
            proposals.advice.push_back({each.strategy, each.finding, each.most_gain, each.where});
        for (ProposedChange& change : changes) {
            std::string line = in_one_line(change, before_) + where_it_counts(change);
            proposals.all.push_back(
                {each.strategy, each.finding, std::move(change), std::move(line), {}, GainSource::bound, each.where});
            reasons.push_back(&each);
        }
    }
    predict(proposals.all);
    for (std::size_t i = 0; i < proposals.all.size(); ++i) {
        const Expected found = expected(proposals.all[i], *reasons[i], i);
        proposals.all[i].expected = found.gain;
        proposals.all[i].expected_from = found.from;
    }
    for (Proposal& each : proposals_of_rounds(situation_)) proposals.all.push_back(std::move(each));
    std::ranges::stable_sort(proposals.all, is_before);
    return proposals;
}

}  // namespace

Proposals propose_all(const Situation& situation) { return Proposer(situation).propose(); }

ordered_json to_json(const Proposal& proposal, const Implementation& before) {
    ordered_json document = {{"strategy", proposal.strategy},
                             {"title", title_of_strategy(proposal.strategy)},
                             {"finding", proposal.finding},
                             {"change", to_json(proposal.change, before)},
                             {"line", proposal.line},
                             {"expected", ordered_json(to_json(proposal.expected))},
                             {"expected_from", to_string(proposal.expected_from)}};
    if (const StrategyText* text = find_strategy_text(proposal.strategy)) document["why"] = text->why;
    return document;
}

ordered_json to_json(const Advice& advice) {
    ordered_json document = {{"strategy", advice.strategy},
                             {"title", title_of_strategy(advice.strategy)},
                             {"finding", advice.finding},
                             {"where", ordered_json::array()}};
    if (advice.most_gain) document["most_gain"] = *advice.most_gain;
    for (const SourcePlace& each : advice.where)
        document["where"].push_back({{"file", each.file}, {"line", each.line}});
    return document;
}

}  // namespace kernelgen
