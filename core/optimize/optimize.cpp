// SPDX-License-Identifier: Apache-2.0
#include "core/optimize/optimize.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <format>
#include <ranges>
#include <set>

#include "core/base/text.h"
#include "core/diagnose/diagnose.h"
#include "core/engine/usage.h"
#include "core/optimize/make_round.h"
#include "core/round/best.h"
#include "core/strategy/gain.h"
#include "core/strategy/pattern_file.h"
#include "core/tune/tuning_file.h"

namespace kernelgen {

namespace {

/// A strategy whose interval ends below promises nothing: so much two runs of one kernel may differ.
constexpr double least_promise = 1.03;
constexpr double share_of_sampling = 0.04;  ///< of the time for all, for the samples of a round's cases
constexpr double least_sampling_seconds = 0.5;
constexpr double share_of_search = 0.6;  ///< of the time that is left when a search begins
constexpr double least_search_seconds = 5;
constexpr int most_rounds = 1000;

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

bool has_own_beginning(const RunPlan& run) { return !run.candidate.variant.tunables.empty(); }

/// The key of a tried proposal. The key of a search includes the configuration that it starts from: two searches are
/// never made from the same one.
std::string key_of_try(const Proposal& proposal, const Implementation& before) {
    std::string key = proposal.key();
    if (!std::holds_alternative<SearchTunables>(proposal.change)) return key;
    for (const auto& [name, value] : before.configuration) key += std::format(" {}={}", name, value);
    return key;
}

/// The tunings of a plan's cases, each case's newest; only those numbered from `oldest` on.
std::vector<Tuning> tunings_of(const std::filesystem::path& folder, int oldest) {
    std::vector<Tuning> tunings;
    for (const int number : tuning_numbers(folder)) {
        if (number < oldest) continue;
        if (Result<Tuning> tuning = load_tuning(folder, number)) tunings.push_back(std::move(*tuning));
    }
    return tunings;
}

class Loop {
public:
    Loop(const OptimizePlan& plan, OptimizeEngine& engine, const OptimizedSoFar& so_far, std::stop_token stop)
        : plan_(plan),
          run_(engine.with_numbers(plan.run)),
          engine_(engine),
          so_far_(so_far),
          stop_(std::move(stop)),
          patterns_(plan.patterns) {
        if (has_own_beginning(plan.run)) tunings_ = tunings_of(run_.project.folder, 0);
    }

    Result<Optimization> run();

private:
    Result<bool> begin();
    std::optional<StopReason> why_stop() const;
    Proposals proposals() const;
    const Proposal* choose(const Proposals& proposals) const;
    double seconds_left() const { return plan_.options.budget_seconds - seconds_since(begin_); }
    Result<void> step(const Proposal& proposal);
    Result<void> take(MadeRound made);
    const RoundDetail& best() const { return best_at_ ? result_.rounds[*best_at_] : result_.start; }
    bool has_target(const RoundDetail& detail) const;

    const OptimizePlan& plan_;
    RunPlan run_;
    OptimizeEngine& engine_;
    const OptimizedSoFar& so_far_;
    std::stop_token stop_;
    std::vector<Pattern> patterns_;
    std::vector<Tuning> tunings_;
    std::vector<Round> recorded_;  ///< of this optimization

    Clock::time_point begin_ = Clock::now();  ///< after what `run_` needed to be measured
    double round_seconds_ = 0;                ///< of the longest round without a search
    std::optional<std::size_t> best_at_;      ///< among the result's rounds; nothing: the start
    std::set<std::string> tried_;
    Proposals next_;  ///< for the best round
    bool is_device_lost_ = false;
    Optimization result_;
};

bool Loop::has_target(const RoundDetail& detail) const {
    const std::vector<const RoundCase*> cases = timed_cases(detail.round);
    return !cases.empty() && std::ranges::all_of(cases, [&](const RoundCase* each) {
        return each->speedup_lower >= run_.project.performance.target_speedup;
    });
}

Result<bool> Loop::begin() {
    const double cases = static_cast<double>(std::max<std::size_t>(run_.cases.size(), 1));
    double& sampling = run_.project.performance.budget_seconds;
    sampling =
        std::min(sampling, std::max(least_sampling_seconds, share_of_sampling * plan_.options.budget_seconds / cases));
    RoundDetail& start = result_.start = engine_.run(run_);
    round_seconds_ = seconds_since(begin_);
    if (was_refused(start) || stop_.stop_requested()) return false;
    if (auto recorded = record_round(run_.project.folder, start); !recorded) return std::unexpected(recorded.error());
    recorded_.push_back(start.round);
    result_.best = start.round.number;
    return !timed_cases(start.round).empty();
}

Proposals Loop::proposals() const {
    const std::vector<Diagnosis> diagnoses = diagnose(best(), plan_.rules);
    return propose_all({run_.project, best(), diagnoses, patterns_, tunings_, recorded_});
}

/// The most promising that was not tried, and for which there is time.
const Proposal* Loop::choose(const Proposals& proposals) const {
    for (const Proposal& each : proposals.all) {
        const bool is_search = std::holds_alternative<SearchTunables>(each.change);
        const auto* dispatch = std::get_if<AddDispatch>(&each.change);
        const bool has_time = seconds_left() > round_seconds_ + (is_search ? least_search_seconds : 0);
        const bool is_for_all = dispatch == nullptr || best().round.cases.size() == 1;
        const bool promises = each.expected.upper >= least_promise && each.expected.likely >= 1;
        if (promises && has_time && is_for_all && !tried_.contains(key_of_try(each, best().candidate))) return &each;
    }
    return nullptr;
}

std::optional<StopReason> Loop::why_stop() const {
    if (stop_.stop_requested()) return stop_reasons::cancelled;
    if (is_device_lost_) return stop_reasons::device_lost;
    if (has_target(best())) return stop_reasons::target_reached;
    if (std::ssize(result_.rounds) >= plan_.options.rounds) return stop_reasons::rounds_spent;
    if (seconds_left() <= round_seconds_) return stop_reasons::budget_over;
    if (choose(next_) == nullptr) return stop_reasons::nothing_promises;
    return std::nullopt;
}

/// Adds a round that was made. Its result decides which strategy is next, and both are recorded with it.
Result<void> Loop::take(MadeRound made) {
    std::ranges::move(made.tunings, std::back_inserter(tunings_));
    const Round before = best().round;
    const bool better = is_improvement(made.detail.round, before);
    result_.rounds.push_back(std::move(made.detail));
    RoundDetail& detail = result_.rounds.back();
    patterns_ = learnt_from(detail, before, std::move(patterns_));
    if (better) best_at_ = result_.rounds.size() - 1;
    next_ = proposals();
    AppliedStrategy& applied = *detail.round.applied;
    if (const Proposal* next = choose(next_)) {
        applied.next = next->strategy;
        applied.next_expected = next->expected;
    }
    if (const auto reason = why_stop()) applied.ended = reason->id;
    if (auto recorded = record_applied(run_.project, detail, before, plan_.learns); !recorded) return recorded;
    recorded_.push_back(detail.round);
    so_far_(detail, applied.ended.empty() ? choose(next_) : nullptr);
    return {};
}

Result<void> Loop::step(const Proposal& proposal) {
    const Clock::time_point begin = Clock::now();
    tried_.insert(key_of_try(proposal, best().candidate));
    const bool is_search = std::holds_alternative<SearchTunables>(proposal.change);
    const double search = std::max(least_search_seconds, share_of_search * (seconds_left() - round_seconds_));
    Result<MadeRound> made = make_round(run_, best(), proposal, engine_, search);
    if (stop_.stop_requested()) return {};
    if (!made) {
        result_.warnings.push_back(proposal.key() + ": " + made.error().message);
        next_ = proposals();
        return {};
    }
    if (was_refused(made->detail)) {
        is_device_lost_ = true;
        result_.warnings.push_back(made->detail.round.reason);
        return {};
    }
    if (!is_search) round_seconds_ = std::max(round_seconds_, seconds_since(begin));
    return take(std::move(*made));
}

Result<Optimization> Loop::run() {
    const Result<bool> begun = begin();
    if (!begun) return std::unexpected(begun.error());
    if (!*begun) {
        result_.reason = stop_.stop_requested() ? stop_reasons::cancelled : stop_reasons::start_failed;
        return std::move(result_);
    }
    next_ = proposals();
    so_far_(result_.start, choose(next_));
    std::optional<StopReason> reason = why_stop();
    for (; !reason; reason = why_stop()) {
        const Proposal chosen = *choose(next_);
        if (auto made = step(chosen); !made) return std::unexpected(made.error());
    }
    result_.reason = *reason;
    if (!recorded_.empty()) result_.best = best().round.number;
    result_.left = std::move(next_);
    return std::move(result_);
}

void check_options(const OptimizeOptions& options, const RunPlan& run, Diagnostics& diagnostics) {
    if (!run.baseline)
        diagnostics.push_back(usage("--device", say("the project names no baseline for `{}`", options.run.device),
                                    "name one: --baseline VARIANT"));
    if (options.rounds < 1 || options.rounds > most_rounds)
        diagnostics.push_back(usage("--rounds", "the number of rounds must be from 1 to 1000", "such as --rounds 5"));
    if (options.target && !(*options.target > 0 && std::isfinite(*options.target)))
        diagnostics.push_back(usage("--target", "a target is above 0", "such as --target 1.2"));
    if (!(options.budget_seconds > 0))
        diagnostics.push_back(usage("--budget", "the budget must be above 0", "such as --budget 5m"));
}

}  // namespace

Validated<OptimizePlan> plan_optimization(const Project& project, const OptimizeOptions& options) {
    Validated<RunPlan> run = plan_run(project, options.run);
    if (!run) return std::unexpected(run.error());
    Diagnostics diagnostics;
    check_options(options, *run, diagnostics);
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    Validated<RuleBook> book = load_rules();
    if (!book) return std::unexpected(book.error());
    if (options.target) run->project.performance.target_speedup = *options.target;
    return OptimizePlan{.run = std::move(*run),
                        .options = options,
                        .rules = std::move(book->rules),
                        .patterns = load_patterns().all,
                        .learns = true};
}

std::optional<int> oldest_learnt(const OptimizePlan& plan) {
    if (has_own_beginning(plan.run)) return std::nullopt;
    const std::vector<int> numbers = tuning_numbers(plan.run.project.folder);
    return numbers.empty() ? 1 : numbers.back() + 1;
}

const RoundDetail& Optimization::best_round() const {
    const auto found = std::ranges::find_if(rounds, [&](const RoundDetail& each) { return best == each.round.number; });
    return found == rounds.end() ? start : *found;
}

Result<Optimization> optimize(const OptimizePlan& plan, OptimizeEngine& engine, const OptimizedSoFar& so_far,
                              std::stop_token stop) {
    return Loop(plan, engine, so_far, std::move(stop)).run();
}

bool is_improvement(const Round& round, const Round& best) {
    if (!round.applied || !round.applied->gain || round.cases.size() != best.cases.size()) return false;
    const AppliedStrategy& applied = *round.applied;
    if (applied.strategy == "another_skeleton") return applied.gain->upper >= 1;
    if (applied.strategy == "tune") return applied.gain->likely > 1;
    return applied.gain->lower > 1;
}

Proposals proposals_for(const OptimizePlan& plan, const RoundDetail& round) {
    const std::vector<Diagnosis> diagnoses = diagnose(round, plan.rules);
    const std::filesystem::path& folder = plan.run.project.folder;
    const std::vector<Tuning> tunings = tunings_of(folder, 0);
    const Result<History> history = load_history(folder);
    const std::vector<Round> none;
    return propose_all({plan.run.project, round, diagnoses, plan.patterns, tunings, history ? history->rounds : none});
}

namespace {

/// Whether a round ran one of the cases.
bool has_one_of(const Round& round, const std::vector<Case>& cases) {
    return std::ranges::any_of(round.cases, [&](const RoundCase& ran) {
        return std::ranges::any_of(cases, [&](const Case& each) { return is_same_case(each, ran.binding); });
    });
}

/// The newest first, but those of other cases behind the others.
std::vector<Round> rounds_in_question(History history, const std::vector<Case>& cases) {
    std::ranges::reverse(history.rounds);
    std::ranges::stable_partition(history.rounds, [&](const Round& each) { return has_one_of(each, cases); });
    return std::move(history.rounds);
}

}  // namespace

Result<RoundDetail> round_of_candidate(const RunPlan& plan) {
    const Result<History> history = load_history(plan.project.folder);
    if (!history) return std::unexpected(history.error());
    const std::string source = hash_of_sources(plan.candidate);
    const std::string& name = plan.candidate.variant.name;
    for (const Round& each : rounds_in_question(*history, plan.cases)) {
        const bool is_alike = each.variant == name && each.device == plan.options.device &&
                              each.source_hash == source && each.status == Status::ok;
        if (!is_alike) continue;
        Result<RoundDetail> detail = load_round_detail(plan.project.folder, each.number);
        if (!detail || !compute_the_same(detail->definition, plan.project.definition) ||
            detail->candidate.configuration != plan.candidate.configuration ||
            detail->candidate.variant.configurations != plan.candidate.variant.configurations)
            continue;
        return detail;
    }
    return fail(
        say("no round has timed `{}` as it is now on `{}`; make one: `kernelgen run {} --variant {} --device {}`", name,
            plan.options.device, plan.project.folder.string(), name, plan.options.device));
}

Result<Proposal> find_proposal(const Proposals& proposals, const std::string& name) {
    const auto found = std::ranges::find_if(
        proposals.all, [&](const Proposal& each) { return each.strategy == name || each.key() == name; });
    if (found != proposals.all.end()) return *found;
    std::vector<std::string> known;
    for (const Proposal& each : proposals.all) {
        if (!std::ranges::contains(known, each.strategy)) known.push_back(each.strategy);
    }
    if (known.empty()) return fail("no strategy applies to this round");
    return fail(say("strategy `{}` does not apply to this round; {}", name, choice(name, known)));
}

Result<void> record_applied(const Project& project, RoundDetail& detail, const Round& before, bool learns) {
    if (auto recorded = record_round(project.folder, detail); !recorded) return recorded;
    if (!learns) return {};
    if (auto learnt = learn_pattern(detail, before); !learnt)
        detail.verification.warnings.push_back(say("no pattern was learnt of this round: {}", learnt.error().message));
    return {};
}

}  // namespace kernelgen
