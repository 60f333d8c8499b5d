// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/case_tuner.h"

#include <algorithm>
#include <format>
#include <thread>

#include "core/base/tuning_sentences.h"
#include "core/project/configuration_text.h"

namespace kernelgen {

namespace {

constexpr std::size_t semifinalists = 5, most_finalists = 2;
constexpr double semifinal_share = 0.05;  ///< of the budget

/// Why the incumbent failed; empty where it was not tried.
Said failure_of(const std::optional<Tried>& tried) {
    return tried ? say("{}: {}", to_string(tried->status), tried->reason) : "";
}

std::vector<Tried> without(std::vector<Tried> all, const std::vector<Tried>& some) {
    std::erase_if(
        all, [&](const Tried& each) { return std::ranges::contains(some, each.configuration, &Tried::configuration); });
    return all;
}

/// Puts results into `all` in place of others of the same configurations.
void take_results(const std::vector<Tried>& results, std::vector<Tried>& all) {
    for (const Tried& each : results) {
        const auto found = std::ranges::find(all, each.configuration, &Tried::configuration);
        if (found != all.end()) *found = each;
    }
}

}  // namespace

Error no_worker_left(const WorkerPool& pool) {
    return Error{say("no worker is left; `kernelgen tune PROJECT --resume` goes on\n{}", pool.why_lost())};
}

CaseTuner::CaseTuner(const CaseJob& job, const CaseSpace& space, Tuning tuning)
    : job_(job), search_(job, space, std::move(tuning)), places_(job.pool.size()) {}

/// A worker that comes late takes part from then on.
void CaseTuner::search_at(std::size_t place) {
    const std::stop_callback stopped(job_.time.cut(), [this] { search_ended_.request_stop(); });
    const TuningWorker* worker = job_.pool.wait_for(place, search_ended_.get_token());
    if (worker == nullptr || search_ended_.stop_requested()) return;
    places_[place] = std::make_unique<WorkerSearch>(job_, search_, *worker);
    places_[place]->run();
    if (job_.pool.wait_for(place, job_.time.cut()) != nullptr) search_ended_.request_stop();  // it was not lost
}

Result<void> CaseTuner::search() {
    search_.report_all();
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < places_.size(); ++i) threads.emplace_back([this, i] { search_at(i); });
    }
    if (const auto failure = search_.failure()) return std::unexpected(*failure);
    if (is_stopped()) return {};
    if (job_.pool.count_alive() == 0) return std::unexpected(no_worker_left(job_.pool));
    search_.record_crashed();
    return {};
}

/// A worker that searched; where none is left, one that came late.
WorkerSearch* CaseTuner::meeting_place() {
    for (const std::unique_ptr<WorkerSearch>& each : places_) {
        if (each && each->is_alive() && each->trials().has_pace()) return each.get();
    }
    const TuningWorker* worker = job_.pool.wait_for_any(job_.time.cut());
    if (worker == nullptr) return nullptr;
    for (const std::unique_ptr<WorkerSearch>& each : places_) {
        if (each && &each->worker() == worker) return each.get();
    }
    places_.push_back(std::make_unique<WorkerSearch>(job_, search_, *worker));
    places_.back()->run();
    return places_.back()->is_alive() ? places_.back().get() : meeting_place();
}

/// Times the best configurations again, in one rotation: single races are short, and the best of many was also lucky.
/// Configurations that were clearly slower than others take part only where no incumbent is left.
std::vector<Tried> CaseTuner::semifinal(WorkerSearch& place, bool has_incumbent) {
    const Tuning tuning = search_.tuning();
    std::vector<Tried> best;
    for (const Tried& each : tuning.tried) {
        if (each.is_ok() && !(has_incumbent && each.left) && each.configuration != tuning.head.incumbent)
            best.push_back(each);
    }
    std::ranges::sort(best, {}, &Tried::objective);
    best.resize(std::min(best.size(), semifinalists));
    if (best.size() > 1 && place.trials().has_pace()) best = raced_again(place, std::move(best), tuning.semifinal);
    std::ranges::sort(best, {}, &Tried::objective);
    return best;
}

/// Races the best configurations again, but for those of which `known` has a semifinal's result. One that fails now is
/// out of the semifinal. Where a configuration could not be raced, its earlier times stand.
std::vector<Tried> CaseTuner::raced_again(WorkerSearch& place, std::vector<Tried> best,
                                          const std::vector<Tried>& known) {
    std::vector<Tried> raced = without(best, known);
    const double share = static_cast<double>(raced.size()) / static_cast<double>(best.size());
    if (!raced.empty()) place.trials().race_again(raced, share * semifinal_share * job_.time.seconds());
    if (is_stopped() || !place.is_alive()) return best;
    std::vector<Tried> fallen = raced;
    std::erase_if(raced, [](const Tried& each) { return !each.is_ok(); });
    std::erase_if(fallen, [](const Tried& each) { return each.is_ok() || each.status == Status::unavailable; });
    take_results(known, best);
    take_results(raced, best);
    take_results(fallen, best);
    search_.record_semifinal(raced);
    search_.record(std::move(fallen));
    return best;
}

/// Whether the incumbent passes the whole verification, as a winner must.
bool CaseTuner::is_right(const Tried& incumbent, WorkerSearch& place, VerifyResult& verified) {
    const RunPlan whole = recommended(place.plan(), job_.command.run.candidate, incumbent.configuration);
    verified = verify_candidate(whole, *place.worker().client, place.progress(), job_.time.cut());
    if (is_stopped() || !place.is_alive() || verified.status == Status::ok) return true;
    Tried fallen = incumbent;
    fallen.status = verified.status;
    fallen.reason = verified.reason;
    search_.record({std::move(fallen)});
    return false;
}

/// How many finalists there is time for, where each takes as long to be verified in full as the incumbent did; then
/// they are timed together, and the round follows, with a baseline to verify. A second one must not take longer than
/// planned.
std::size_t CaseTuner::count_finalists(double verification_seconds, const Tried* incumbent) const {
    const double timing = job_.plan.project.performance.budget_seconds + (incumbent ? incumbent->race_seconds : 0);
    const double after = 2 * timing + (incumbent ? incumbent->screen_seconds : 0);
    if (job_.time.left() >= most_finalists * verification_seconds + after) return most_finalists;
    return job_.time.left_until_cut() >= verification_seconds + after ? 1 : 0;
}

/// The fastest that the search found, where it was faster than an incumbent that is right.
std::optional<Tried> CaseTuner::rival_of(const Tried* incumbent) const {
    const Tuning tuning = search_.tuning();
    std::optional<Tried> best;
    for (const Tried& each : tuning.tried) {
        if (!each.is_ok() || each.configuration == tuning.head.incumbent) continue;
        if (incumbent != nullptr && (each.left || each.objective >= incumbent->objective)) continue;
        if (!best || each.objective < best->objective) best = each;
    }
    return best;
}

/// Why nothing was decided in time: what fell in the final, what looked fastest, or what is wrong with the incumbent.
Said CaseTuner::why_undecided(const FinalRequest& request, const std::vector<Tried>& fallen) const {
    if (!fallen.empty()) {
        const Tried& last = fallen.back();
        return say(sentences::tuned_fell_in_time, fallen.size(), configuration_text(last.configuration),
                   to_string(last.status), last.reason);
    }
    if (!request.failure.empty()) return say(sentences::tuned_failed_in_time, request.failure);
    const std::optional<Tried> rival = rival_of(request.incumbent);
    if (!rival || !(rival->ratio > 0)) return sentences::tuned_without_time;
    return say(sentences::tuned_seen_in_time, configuration_text(rival->configuration), 1 / rival->ratio);
}

/// Holds the semifinal, then finals of the best that are left until one passes.
Final CaseTuner::hold_final(const FinalRequest& request, WorkerSearch& place, double verification_seconds) {
    std::vector<Tried> left;
    if (count_finalists(verification_seconds, request.incumbent) > 0)
        left = semifinal(place, request.incumbent != nullptr);
    std::erase_if(left, [&](const Tried& each) {
        return !each.is_ok() || (request.incumbent && each.objective >= request.incumbent->objective);
    });
    Final final;
    std::vector<Tried> fallen;
    bool is_undecided = false;
    const bool is_untried = request.incumbent == nullptr && request.failure.empty();  // there was no time at all
    do {
        const std::size_t count = count_finalists(verification_seconds, request.incumbent);
        is_undecided = is_stopped() || is_untried || (count == 0 && rival_of(request.incumbent));
        if (is_undecided) break;
        const auto end = left.begin() + static_cast<std::ptrdiff_t>(std::min(left.size(), count));
        const std::vector<Tried> chosen(left.begin(), end);
        left.erase(left.begin(), end);
        final = decide(request, chosen);
        is_undecided = final.outcome.reason == sentences::tuned_without_time;
        if (is_stopped() || !place.is_alive()) break;
        const bool all_fell = final.fallen.size() == chosen.size();
        fallen.insert(fallen.end(), final.fallen.begin(), final.fallen.end());
        search_.record(std::move(final.fallen));
        if (!all_fell) break;
    } while (!left.empty());
    if (is_undecided) {
        final.outcome = undecided(request, why_undecided(request, fallen));
        final.outcome.left_out.emplace_back(sentences::left_out_final);
    }
    return final;
}

Final CaseTuner::decide_at(WorkerSearch& place) {
    std::optional<Tried> incumbent = search_.find(place.plan().candidate.configuration);
    const bool was_tried = incumbent.has_value();
    VerifyResult verified;
    const double before = job_.time.spent();
    if (incumbent && !(incumbent->is_ok() && is_right(*incumbent, place, verified))) incumbent.reset();
    const double verification_seconds = job_.time.spent() - before;
    const FinalRequest request{place.plan(),
                               job_.command.run.candidate,
                               incumbent ? &*incumbent : nullptr,
                               incumbent ? Said() : failure_of(search_.find(place.plan().candidate.configuration)),
                               job_.command.options.objective,
                               *place.worker().client,
                               place.progress(),
                               job_.time.cut()};
    const bool is_late = is_stopped();
    Final final = hold_final(request, place, verification_seconds);
    if (!was_tried || (is_late && incumbent)) final.outcome.left_out.emplace_back(sentences::left_out_incumbent);
    if (final.outcome.kind == TuningOutcome::Kind::tie && !is_late) final.verified = std::move(verified);
    if (search_.is_cut_short())
        final.outcome.left_out.insert(final.outcome.left_out.begin(), std::string(sentences::left_out_search));
    if (final.outcome.kind == TuningOutcome::Kind::tie && search_.tuning().tried.size() == 1)
        final.outcome.reason = sentences::tuned_nothing_else;
    return final;
}

/// A worker that does not stop at once is ended: where the time is over, none may be left.
Result<std::optional<Decision>> CaseTuner::finish() {
    search_.report("semifinal");
    while (WorkerSearch* place = meeting_place()) {
        Final final = decide_at(*place);
        if (job_.stop.stop_requested()) return std::nullopt;
        if (const auto failure = search_.failure()) return std::unexpected(*failure);
        if (place->is_alive() || is_stopped()) return Decision{std::move(final), place};
        job_.pool.lose(place->worker(), place->worker().client->death());  // they meet again elsewhere
    }
    if (job_.stop.stop_requested()) return std::nullopt;
    if (!is_stopped()) return std::unexpected(no_worker_left(job_.pool));
    Final final{.outcome = {.is_decided = false,
                            .configuration = job_.plan.candidate.configuration,
                            .reason = std::string(sentences::tuned_without_time)}};
    final.outcome.left_out = {std::string(sentences::left_out_final), std::string(sentences::left_out_incumbent)};
    return Decision{std::move(final), nullptr};
}

}  // namespace kernelgen
