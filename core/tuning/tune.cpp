// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/tune.h"

#include <algorithm>
#include <format>
#include <ranges>
#include <utility>

#include "core/base/sentences.h"
#include "core/base/text.h"
#include "core/base/tuning_sentences.h"
#include "core/engine/device_numbers.h"
#include "core/project/by_case.h"
#include "core/project/configuration_text.h"
#include "core/project/project_file.h"
#include "core/project/source_files.h"
#include "core/round/history.h"
#include "core/tuning/across.h"
#include "core/tuning/case_tuner.h"
#include "core/tuning/failed_before.h"

namespace kernelgen {

namespace {

constexpr double share_of_timing = 0.1;  ///< of a case's budget, at most: the final's, and the round's
constexpr double least_sampling_seconds = 0.5;
constexpr double share_across = 0.15;  ///< of the budget, for the race across several cases
constexpr double least_share = 0.25;   ///< of an equal part: a case for which less is left is not begun

/// The configurations of one case, at least two.
Result<CaseSpace> space_of_case(const RunPlan& plan, const ChosenValues& chosen) {
    Result<CaseSpace> space = space_for(plan, chosen);
    const std::string& name = plan.cases.front().name;
    if (!space) return fail(say(sentences::of_case, name, space.error().message));
    const char* only_one =
        "only one configuration is allowed: nothing to tune; give a tunable more values, or allow more of them "
        "(restrictions, --tunable)";
    if (space->space.size() < 2) return fail(say(sentences::of_case, name, only_one));
    return space;
}

/// A `tune` command with all its cases.
class Command {
public:
    Command(const TunePlan& plan, TuningFile& file, WorkerPool& pool, std::string environment,
            const TuneProgress& progress, std::stop_token stop)
        : plan_(plan),
          file_(file),
          pool_(pool),
          environment_(std::move(environment)),
          progress_(progress),
          stop_(stop),
          time_(plan.budget_seconds, stop) {}

    Result<std::vector<CaseTuning>> run();

private:
    Result<Tuning> begin(const RunPlan& plan, const CaseSpace& space, double budget_seconds);
    Result<CaseTuning> tune_case(const Case& binding, const std::optional<Tuning>& earlier, double budget_seconds);
    Error end_untried(const TuningHead& head, const Error& error);
    double part_of_case(std::size_t cases) const;
    Result<void> tune_cases(std::vector<CaseTuning>& done);
    Result<void> tell_left_out(std::vector<CaseTuning>& done, bool are_cases_left);
    Result<void> conclude(const CaseTuner& tuner, Decision decision, const std::optional<TuningOutcome>& before,
                          CaseTuning& done);
    std::optional<RoundDetail> round_of_killed(const TuningHead& head, const Configuration& configuration) const;
    Result<void> record(const Decision& decision, const Said& note, CaseTuning& done);
    Result<void> keep(CaseTuning& done);
    Result<RoundDetail> run_on(const TuningWorker* worker, RunPlan recommended);
    bool lacks_race(const std::vector<CaseTuning>& done) const;
    Result<void> race_finals(std::vector<CaseTuning>& done);
    std::optional<Tuning> earlier_tuning(const Case& binding) const;

    const TunePlan& plan_;
    TuningFile& file_;
    WorkerPool& pool_;
    const std::string environment_;  ///< fingerprint, of the worker that was there first
    const TuneProgress& progress_;
    std::stop_token stop_;
    int first_ = 0;    ///< the number of the command's first tuning
    TimeBudget time_;  ///< of all cases and the race across them
};

Result<Tuning> Command::begin(const RunPlan& plan, const CaseSpace& space, double budget_seconds) {
    TuningHead head{.first = first_,
                    .time = now_utc(),
                    .project = plan.project.definition.name,
                    .variant = plan.candidate.variant.name,
                    .device = plan.options.device,
                    .binding = plan.cases.front(),
                    .cases = plan_.run.cases,
                    .parameters = space.space.parameters(),
                    .chosen = plan_.options.chosen,
                    .let = plan.candidate.variant.let,
                    .restrictions = space.restrictions,
                    .sizes = space.sizes,
                    .configurations = space.count(),
                    .pruned = space.pruned,
                    .incumbent = plan.candidate.configuration,
                    .strategy = std::string(to_string(plan_.options.strategy)),
                    .seed = plan_.options.seed,
                    .budget_seconds = budget_seconds,
                    .command_budget_seconds = plan_.budget_seconds,
                    .evaluations = plan_.options.evaluations,
                    .objective = to_string(plan_.options.objective),
                    .environment = environment_,
                    .source_hash = hash_of_sources(plan.candidate),
                    .headers_hash = own_headers_hash(),
                    .setup_hash = setup_hash(plan.project, plan.candidate.variant.name),
                    .settings = plan_.run.options.changes,
                    .baseline = plan_.run.options.baseline,
                    .timeout_seconds = plan_.run.options.timeout_seconds,
                    .history = plan_.options.history};
    if (Result<void> begun = file_.begin(head); !begun) return std::unexpected(begun.error());
    first_ = head.first;
    return Tuning{std::move(head), {}, {}, {}};
}

Said with_kind(int number, const TuningOutcome& outcome, const Said& rest) {
    if (!outcome.is_decided) return say("tuning {}, tie, not decided: {}", number, rest);
    switch (outcome.kind) {
        case TuningOutcome::Kind::winner: return say("tuning {}, winner: {}", number, rest);
        case TuningOutcome::Kind::tie: return say("tuning {}, tie: {}", number, rest);
        default: return say("tuning {}, failed: {}", number, rest);
    }
}

/// What a round's note says of the tuning that found it. The lists show its first 400 bytes, so what may be long is
/// last.
Said note_of(const TuningHead& head, const TuningOutcome& outcome) {
    const Said search =
        say("tried {} of {} configurations ({} failed, {} pruned) in {:.0f} s, strategy {}, seed {}", outcome.tried,
            head.configurations, outcome.failed, count_of(head.pruned), outcome.seconds, head.strategy, head.seed);
    std::vector<Said> parts{with_kind(head.number, outcome, search)};
    if (head.objective != "time") parts.push_back(say("objective {}", head.objective));
    parts.push_back(outcome.reason);
    if (outcome.kind == TuningOutcome::Kind::winner)
        parts.push_back(say("incumbent {}", configuration_text(head.incumbent)));
    if (outcome.waited_seconds > 0)
        parts.push_back(say("waited {:.0f} s for another kernelgen, beside its budget", outcome.waited_seconds));
    if (outcome.runner_up) parts.push_back(say("runner-up {}", configuration_text(*outcome.runner_up)));
    for (const Said& each : outcome.left_out) parts.push_back(say("left out for want of time: {}", each));
    return join(parts, "; ");
}

/// Runs the recommended plan as a round. If the worker dies, another one runs it again.
Result<RoundDetail> Command::run_on(const TuningWorker* worker, RunPlan recommended) {
    const Progress progress = [&](std::string_view stage, int, int) {
        time_.take_stage(worker->client, stage, 1);
        progress_({.stage = std::string(stage), .case_name = recommended.cases.front().name});
    };
    while (worker != nullptr) {
        RoundDetail detail = run_round(recommended, *worker->client, progress, time_.cut());
        if (worker->client->alive() || time_.cut().stop_requested()) return detail;
        pool_.lose(*worker, worker->client->death());
        worker = pool_.wait_for_any(time_.cut());
        if (worker == nullptr) break;
        recommended = with_device_numbers(std::move(recommended), *worker->client, stop_);
        recommended.verified.reset();
    }
    return std::unexpected(no_worker_left(pool_));
}

/// The round of this configuration that a session of the tuning recorded, which was killed before it could record the
/// outcome.
std::optional<RoundDetail> Command::round_of_killed(const TuningHead& head, const Configuration& configuration) const {
    const std::filesystem::path& folder = plan_.run.project.folder;
    const std::string note = "tuning " + std::to_string(head.number) + ", ";
    const auto is_of_tuning = [&](const Round& each) {
        return each.note.text().starts_with(note) && each.time >= head.time && each.variant == head.variant &&
               each.device == head.device && each.cases.size() == 1 && each.cases.front().binding == head.binding &&
               (each.configuration == configuration || each.cases.front().configuration == configuration);
    };
    const Result<History> history = load_history(folder);
    if (!history) return std::nullopt;
    const auto found = std::ranges::find_if(history->rounds, is_of_tuning);
    if (found == history->rounds.end()) return std::nullopt;
    Result<RoundDetail> detail = load_round_detail(folder, found->number);
    return detail ? std::optional(std::move(*detail)) : std::nullopt;
}

/// Runs the recommended configuration against the project's baseline, and records that as a round; not where the time
/// is over before it has ended, nor where `done` has the round already.
Result<void> Command::record(const Decision& decision, const Said& note, CaseTuning& done) {
    if (time_.cut().stop_requested()) return {};
    const Final& final = decision.final;
    if (!done.round) {
        RunPlan plan = recommended(decision.place->plan(), plan_.run.candidate, final.outcome.configuration);
        plan.verified = final.verified;
        plan.note = note;
        Result<RoundDetail> detail = run_on(&decision.place->worker(), std::move(plan));
        if (time_.cut().stop_requested()) return {};
        if (!detail) return std::unexpected(detail.error());
        if (Result<void> recorded = record_round(plan_.run.project.folder, *detail); !recorded) return recorded;
        done.round = std::move(*detail);
    }
    const bool is_winner = final.outcome.kind == TuningOutcome::Kind::winner && done.round->round.status == Status::ok;
    return is_winner && plan_.options.keeps_winner ? keep(done) : Result<void>();
}

/// A person may have edited the project meanwhile: then the winner is not what would be kept.
bool is_as_it_was(const Project& present, const RunPlan& plan) {
    const std::string& name = plan.candidate.variant.name;
    const Variant *now = present.find_variant(name), *then = plan.project.find_variant(name);
    if (now == nullptr || then == nullptr || *now != *then || present.definition != plan.project.definition)
        return false;
    const Result<Implementation> sources = read_implementation(present, *now);
    return sources && hash_of_sources(*sources) == hash_of_sources(plan.candidate);
}

/// The winner becomes the project's configuration where the project has this case only.
Result<void> Command::keep(CaseTuning& done) {
    Validated<Project> present = load_project(plan_.run.project.folder);
    const bool is_same = present && is_as_it_was(*present, plan_.run);
    const bool is_for_all =
        is_same && plan_.run.candidate.variant.configurations.empty() &&
        std::ranges::count(present->cases, done.tuning.head.binding) == std::ranges::ssize(present->cases);
    if (!present)
        done.why_not_kept = say(
            "the project cannot be read any more: {}; `kernelgen keep PROJECT ROUND` takes what was tuned once it can",
            to_string(present.error().front()));
    else if (!is_same) done.why_not_kept = sentences::not_kept_since_changed;
    else if (!is_for_all) done.why_not_kept = sentences::not_kept_for_other_cases;
    return is_for_all ? keep_round(*present, done.round->round.number) : Result<void>();
}

/// Withdraws the recommendation where the recorded round shows that the configuration is not right after all. A round
/// with the status `unavailable`, for example because the baseline's library is not installed, says nothing about it.
void take_status(const Round& round, TuningOutcome& outcome) {
    if (round.status == Status::ok || round.status == Status::unavailable) return;
    outcome.kind = TuningOutcome::Kind::failed;
    outcome.reason = say(sentences::tuned_round_failed, round.number, to_string(round.status));
}

/// `before`: of the tuning that goes on; its round stays that of the same configuration.
Result<void> Command::conclude(const CaseTuner& tuner, Decision decision, const std::optional<TuningOutcome>& before,
                               CaseTuning& done) {
    TuningOutcome& outcome = decision.final.outcome;
    outcome.tried = static_cast<int>(done.tuning.tried.size());
    outcome.failed = tuner.failed();
    outcome.seconds = tuner.elapsed_seconds();
    outcome.waited_seconds = tuner.waited_seconds();
    if (outcome.kind != TuningOutcome::Kind::failed && plan_.options.records_rounds) {
        const Said note = note_of(done.tuning.head, outcome);
        if (plan_.resumed && !before) done.round = round_of_killed(done.tuning.head, outcome.configuration);
        if (Result<void> recorded = record(decision, note, done); !recorded) return recorded;
        if (!done.round && stop_.stop_requested()) return {};
        const bool has_round = before && before->round && before->configuration == outcome.configuration;
        if (!done.round && has_round) outcome.round = before->round;
        else if (!done.round) outcome.left_out.emplace_back(sentences::left_out_round);
        if (done.round) outcome.round = done.round->round.number;
        if (done.round) take_status(done.round->round, outcome);
    }
    outcome.seconds = tuner.elapsed_seconds();
    outcome.waited_seconds = tuner.waited_seconds();
    if (Result<void> written = file_.append(outcome); !written) return written;
    done.tuning.outcome = outcome;
    return {};
}

/// Whether a final left something out that an earlier one of the same tuning had time for.
bool falls_behind(const TuningOutcome& outcome, const std::optional<TuningOutcome>& earlier) {
    const Said final(sentences::left_out_final);
    return earlier && std::ranges::contains(outcome.left_out, final) &&
           !std::ranges::contains(earlier->left_out, final);
}

/// Twice the seconds that an earlier final had and that were not enough; 0 where none was held, or hardly anything was
/// searched.
double seconds_for_final(const std::optional<Tuning>& earlier) {
    if (!earlier || !earlier->outcome || earlier->tried.size() < 2) return 0;
    double searched = 0;
    for (const Tried& each : earlier->tried) searched = std::max(searched, each.elapsed_seconds);
    constexpr double times = 2, least = 1;
    return std::max(least, times * (earlier->outcome->seconds - searched));
}

/// Removes a tuning that ended before anything was tried, such as for want of a compiler, where an older one can go on:
/// as the newest one it would hide that from `--resume`. Returns the error to report.
Error Command::end_untried(const TuningHead& head, const Error& error) {
    const std::filesystem::path& folder = plan_.run.project.folder;
    for (const int number : std::views::reverse(tuning_numbers(folder))) {
        if (number >= head.number) continue;
        const Result<Tuning> older = load_tuning_untried(folder, number);
        if (!older) continue;
        if (!can_go_on(folder, *older)) return error;
        file_.forget();
        const bool is_of_command = older->head.first == head.first;  // then `--resume` goes on with this command
        if (is_of_command || pool_.count_alive() > 0) return error;
        return Error{say("no worker is left, and nothing was tried\n{}", pool_.why_lost())};
    }
    return error;
}

Result<CaseTuning> Command::tune_case(const Case& binding, const std::optional<Tuning>& earlier,
                                      double budget_seconds) {
    RunPlan plan = with_case(plan_.run, binding);
    if (earlier) plan = with_configuration(plan, earlier->head.incumbent);
    Result<CaseSpace> space = space_of_case(plan, plan_.options.chosen);
    if (!space) return std::unexpected(space.error());
    EarlierTunings before{environment_, plan_.options.oldest_learnt.value_or(0)};
    if (earlier) before.before = earlier->head.number;
    leave_out_failed(plan, before, *space);
    Result<Tuning> tuning = earlier ? *earlier : begin(plan, *space, budget_seconds);
    if (!tuning) return std::unexpected(tuning.error());
    if (earlier) file_.go_on(earlier->head.number);
    double& sampling = plan.project.performance.budget_seconds;
    sampling = std::min(sampling, std::max(least_sampling_seconds, share_of_timing * budget_seconds));
    const TimeBudget time(budget_seconds, time_);
    const CaseJob job{plan, plan_, time, seconds_for_final(earlier), file_, pool_, progress_, stop_};
    CaseTuner tuner(job, *space, std::move(*tuning));
    if (Result<void> searched = tuner.search(); !searched) {
        const Tuning ended = tuner.tuning();
        const bool is_untried = !earlier && ended.tried.empty();
        return std::unexpected(is_untried ? end_untried(ended.head, searched.error()) : searched.error());
    }
    CaseTuning done{tuner.tuning(), {}};
    done.tuning.outcome.reset();
    if (stop_.stop_requested()) return done;
    Result<std::optional<Decision>> decision = tuner.finish();
    if (!decision) return std::unexpected(decision.error());
    done.tuning = tuner.tuning();
    done.tuning.outcome.reset();
    if (!*decision) return done;
    const std::optional<TuningOutcome> decided = earlier ? earlier->outcome : std::nullopt;
    if (falls_behind((*decision)->final.outcome, decided)) {
        done.tuning.outcome = decided;
        return done;
    }
    if (Result<void> concluded = conclude(tuner, std::move(**decision), decided, done); !concluded)
        return std::unexpected(concluded.error());
    return done;
}

/// The tuning of a case in the command that goes on.
std::optional<Tuning> Command::earlier_tuning(const Case& binding) const {
    if (!plan_.resumed) return std::nullopt;
    for (int number = first_; number <= *plan_.resumed; ++number) {
        Result<Tuning> tuning = load_tuning(plan_.run.project.folder, number);
        if (tuning && tuning->head.first == first_ && tuning->head.binding == binding) return std::move(*tuning);
    }
    return std::nullopt;
}

/// Whether something was left out of the whole command: it concerns no single case, although a case's outcome lists it.
bool is_of_command(const Said& left_out) {
    return left_out == sentences::left_out_cases || left_out == sentences::left_out_across;
}

/// Whether a tuning has ended with everything that there was to do for its own case.
bool is_complete(const Tuning& tuning) {
    return tuning.outcome && std::ranges::all_of(tuning.outcome->left_out, is_of_command);
}

/// An equal part for each case that is left, of what the race across them does not need.
double Command::part_of_case(std::size_t cases) const {
    const double across = plan_.run.cases.size() > 1 ? share_across * time_.seconds() : 0;
    return (time_.left() - across) / static_cast<double>(cases);
}

/// Tunes the cases that are left. Cases for which too little time is left are not begun.
Result<void> Command::tune_cases(std::vector<CaseTuning>& done) {
    std::vector<std::optional<Tuning>> earlier;
    for (const Case& each : plan_.run.cases) earlier.push_back(earlier_tuning(each));
    const auto is_left = [](const std::optional<Tuning>& each) { return !each || !is_complete(*each); };
    auto left = static_cast<std::size_t>(std::ranges::count_if(earlier, is_left));
    const double least = left == 0 ? 0 : least_share * part_of_case(left);
    bool is_first = true;
    for (std::size_t i = 0; i < earlier.size(); ++i) {
        if (!is_left(earlier[i])) {
            done.push_back({std::move(*earlier[i]), {}});
            continue;
        }
        if (plan_.options.enough.stop_requested() && !earlier[i]) return {};
        const double part = part_of_case(left--);
        if (!std::exchange(is_first, false) && part < least) return {};
        Result<CaseTuning> tuned = tune_case(plan_.run.cases[i], earlier[i], part);
        if (!tuned) return std::unexpected(tuned.error());
        done.push_back(std::move(*tuned));
        if (stop_.stop_requested()) return {};
    }
    return {};
}

bool Command::lacks_race(const std::vector<CaseTuning>& done) const {
    std::vector<Tuning> tunings;
    for (const CaseTuning& each : done) tunings.push_back(each.tuning);
    return lacks_race_across(tunings);
}

/// Notes in the last outcome that other cases, or the race across cases, were left out for want of time. Removes such
/// notes from outcomes for which they no longer hold.
Result<void> Command::tell_left_out(std::vector<CaseTuning>& done, bool are_cases_left) {
    for (CaseTuning& each : done) {
        Tuning& tuning = each.tuning;
        if (!tuning.outcome) continue;
        std::vector<Said> left_out = tuning.outcome->left_out;
        std::erase_if(left_out, is_of_command);
        const bool is_last = &each == &done.back();
        if (is_last && are_cases_left) left_out.emplace_back(sentences::left_out_cases);
        else if (is_last && lacks_race(done)) left_out.emplace_back(sentences::left_out_across);
        if (left_out == tuning.outcome->left_out) continue;
        tuning.outcome->left_out = std::move(left_out);
        file_.go_on(tuning.head.number);
        if (Result<void> written = file_.append(*tuning.outcome); !written) return written;
    }
    return {};
}

Result<std::vector<CaseTuning>> Command::run() {
    if (plan_.resumed) {
        const Result<Tuning> last = load_tuning(plan_.run.project.folder, *plan_.resumed);
        if (!last) return std::unexpected(last.error());
        first_ = last->head.first;
    }
    std::vector<CaseTuning> done;
    if (Result<void> tuned = tune_cases(done); !tuned) return std::unexpected(tuned.error());
    const bool is_ended_by_user = plan_.options.enough.stop_requested();
    const bool are_cases_left = done.size() < plan_.run.cases.size();
    if (!are_cases_left || is_ended_by_user) {
        if (Result<void> raced = race_finals(done); !raced) return std::unexpected(raced.error());
    }
    if (stop_.stop_requested()) return done;
    Result<void> told = tell_left_out(done, are_cases_left && !is_ended_by_user);
    if (!told) return std::unexpected(told.error());
    return done;
}

/// Races configurations across all cases, so that rules for several cases can be proposed. If no worker is left for
/// this race, the decisions on the cases stand.
Result<void> Command::race_finals(std::vector<CaseTuning>& done) {
    while (lacks_race(done) && !time_.cut().stop_requested()) {
        const TuningWorker* worker = pool_.wait_for_any(time_.cut());
        if (worker == nullptr) return {};
        const AcrossJob job{plan_.run, plan_.options.objective, file_, *worker->client, progress_, time_};
        Result<void> raced = race_across(job, done);
        if (!raced || time_.cut().stop_requested() || worker->client->alive()) return raced;
        pool_.lose(*worker, worker->client->death());
    }
    return {};
}

/// Why a file of `--history` says nothing of a space.
std::optional<Error> unlike_history(const TunePlan& plan, const TuningSpace& space) {
    for (std::size_t i = 0; i < plan.history.size(); ++i) {
        if (!trials_in(space, plan.history[i]).empty()) continue;
        return Error{say(
            "--history {}: no configuration in it is one of variant `{}`, whose tunables are {}; give recordings of "
            "the same tunables and values",
            plan.options.history[i], plan.run.candidate.variant.name, join(names_of(space.parameters()), ", "))};
    }
    return std::nullopt;
}

}  // namespace

std::optional<Error> nothing_to_tune(const TunePlan& plan, WorkerClient& worker, std::stop_token stop) {
    const RunPlan known = with_device_numbers(plan.run, worker, stop);
    for (const Case& binding : known.cases) {
        const Result<CaseSpace> space = space_of_case(with_case(known, binding), plan.options.chosen);
        if (!space) return space.error();
        if (auto unlike = unlike_history(plan, space->space)) return unlike;
    }
    return std::nullopt;
}

Result<std::vector<CaseTuning>> tune(const TunePlan& asked, WorkerPool& pool, const TuneProgress& progress,
                                     std::stop_token stop) {
    const TuningWorker* first = pool.wait_for_any(stop);
    if (first == nullptr) return fail(stop.stop_requested() ? "cancelled" : pool.why_lost());
    TunePlan plan = asked;
    plan.run = with_device_numbers(asked.run, *first->client, stop);
    const Progress beforehand = [&progress, &asked](std::string_view stage, int, int) {
        progress({.stage = std::string(stage), .case_name = asked.run.cases.front().name});
    };
    if (plan.options.records_rounds) plan.run = with_ceilings(std::move(plan.run), *first->client, beforehand, stop);
    Result<TuningFile> file = TuningFile::open(plan.run.project.folder);
    if (!file) return std::unexpected(file.error());
    Result<std::vector<CaseTuning>> done = Command(plan, *file, pool, first->environment, progress, stop).run();
    if (done && !done->empty()) std::ranges::copy(file->warnings(), std::back_inserter(done->back().tuning.warnings));
    return done;
}

Result<std::vector<CaseTuning>> tune(const TunePlan& plan, WorkerClient& worker, const TuneProgress& progress,
                                     std::stop_token stop) {
    WorkerPool pool(worker, plan.run.options.device);
    return tune(plan, pool, progress, std::move(stop));
}

}  // namespace kernelgen
