// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/case_tuner.h"

#include <algorithm>
#include <format>
#include <thread>

#include "core/base/tuning_sentences.h"

namespace kernelgen {

namespace {

constexpr std::size_t semifinalists = 5, most_finalists = 2;
constexpr double semifinal_share = 0.05;  ///< of the budget

/// Of an incumbent that cannot be one.
Said failure_of(const std::optional<Tried>& tried) {
    return tried ? say("{}: {}", to_string(tried->status), tried->reason) : "";
}

}  // namespace

Error no_worker_left(const WorkerPool& pool) {
    return Error{say("no worker is left; `kernelgen tune PROJECT --resume` goes on\n{}", pool.why_lost())};
}

CaseTuner::CaseTuner(const CaseJob& job, const CaseSpace& space, Tuning tuning)
    : job_(job), search_(job, space, std::move(tuning)), places_(job.pool.size()) {}

/// A worker that comes late takes part from then on.
void CaseTuner::search_at(std::size_t place) {
    const std::stop_callback stopped(job_.stop, [this] { search_ended_.request_stop(); });
    const TuningWorker* worker = job_.pool.wait_for(place, search_ended_.get_token());
    if (worker == nullptr || search_ended_.stop_requested()) return;
    places_[place] = std::make_unique<WorkerSearch>(job_, search_, *worker);
    places_[place]->run();
    if (job_.pool.wait_for(place, job_.stop) != nullptr) search_ended_.request_stop();  // it was not lost
}

Result<void> CaseTuner::search() {
    search_.report_all();
    {
        std::vector<std::jthread> threads;
        for (std::size_t i = 0; i < places_.size(); ++i) threads.emplace_back([this, i] { search_at(i); });
    }
    if (const auto failure = search_.failure()) return std::unexpected(*failure);
    if (job_.stop.stop_requested()) return {};
    if (job_.pool.count_alive() == 0) return std::unexpected(no_worker_left(job_.pool));
    search_.record_crashed();
    return {};
}

/// A worker that searched; where none is left, one that came late.
WorkerSearch* CaseTuner::meeting_place() {
    for (const std::unique_ptr<WorkerSearch>& each : places_) {
        if (each && each->is_alive() && each->trials().has_pace()) return each.get();
    }
    const TuningWorker* worker = job_.pool.wait_for_any(job_.stop);
    if (worker == nullptr) return nullptr;
    for (const std::unique_ptr<WorkerSearch>& each : places_) {
        if (each && &each->worker() == worker) return each.get();
    }
    places_.push_back(std::make_unique<WorkerSearch>(job_, search_, *worker));
    places_.back()->run();
    return places_.back()->is_alive() ? places_.back().get() : meeting_place();
}

/// The best so far, timed again in one rotation: single races are short, and the best of many was also lucky. Who was
/// clearly slower than others takes part only where no incumbent is left.
std::vector<Tried> CaseTuner::semifinal(WorkerSearch& place, bool has_incumbent) {
    const Tuning tuning = search_.tuning();
    std::vector<Tried> best;
    for (const Tried& each : tuning.tried) {
        if (each.is_ok() && !(has_incumbent && each.left) && each.configuration != tuning.head.incumbent)
            best.push_back(each);
    }
    std::ranges::sort(best, {}, &Tried::objective);
    best.resize(std::min(best.size(), semifinalists));
    if (best.size() > 1 && place.trials().has_pace()) best = raced_again(place, std::move(best));
    std::ranges::sort(best, {}, &Tried::objective);
    return best;
}

/// Who fails now is out. Where the race itself could not be held, the earlier times stand.
std::vector<Tried> CaseTuner::raced_again(WorkerSearch& place, std::vector<Tried> best) {
    std::vector<Tried> raced = best, fallen;
    place.trials().race_again(raced, semifinal_share * job_.budget_seconds);
    if (job_.stop.stop_requested() || !place.is_alive()) return best;
    for (std::size_t i = 0; i < best.size(); ++i) {
        if (raced[i].status == Status::unavailable) continue;
        if (!raced[i].is_ok()) fallen.push_back(raced[i]);
        best[i] = std::move(raced[i]);
    }
    search_.record(std::move(fallen));
    return best;
}

/// Whether the incumbent passes the whole verification, as a winner must.
bool CaseTuner::is_right(const Tried& incumbent, WorkerSearch& place, VerifyResult& verified) {
    const RunPlan whole = recommended(place.plan(), job_.command.run.candidate, incumbent.configuration);
    verified = verify_candidate(whole, *place.worker().client, place.progress(), job_.stop);
    if (job_.stop.stop_requested() || !place.is_alive() || verified.status == Status::ok) return true;
    Tried fallen = incumbent;
    fallen.status = verified.status;
    fallen.reason = verified.reason;
    search_.record({std::move(fallen)});
    return false;
}

/// One where the budget leaves no time for two: each is verified in full, as the incumbent was.
std::size_t CaseTuner::count_finalists(double verification_seconds) const {
    const double left = job_.budget_seconds - search_.elapsed_seconds();
    return left < most_finalists * verification_seconds ? 1 : most_finalists;
}

Final CaseTuner::decide_at(WorkerSearch& place) {
    std::optional<Tried> incumbent = search_.find(place.plan().candidate.configuration);
    VerifyResult verified;
    const double before = search_.elapsed_seconds();
    if (incumbent && !(incumbent->is_ok() && is_right(*incumbent, place, verified))) incumbent.reset();
    const double verification_seconds = search_.elapsed_seconds() - before;
    std::vector<Tried> left = semifinal(place, incumbent.has_value());
    std::erase_if(left, [&](const Tried& each) {
        return !each.is_ok() || (incumbent && each.objective >= incumbent->objective);
    });
    const FinalRequest request{place.plan(),
                               job_.command.run.candidate,
                               incumbent ? &*incumbent : nullptr,
                               incumbent ? "" : failure_of(search_.find(place.plan().candidate.configuration)),
                               job_.command.options.objective,
                               *place.worker().client,
                               place.progress(),
                               job_.stop};
    Final final;
    do {
        const auto count = static_cast<std::ptrdiff_t>(std::min(left.size(), count_finalists(verification_seconds)));
        std::vector<Tried> chosen(left.begin(), left.begin() + count);
        left.erase(left.begin(), left.begin() + count);
        final = decide(request, chosen);
        if (job_.stop.stop_requested() || !place.is_alive()) break;
        const bool all_fell = final.fallen.size() == chosen.size();
        search_.record(std::move(final.fallen));
        if (!all_fell) break;
    } while (!left.empty());
    if (final.outcome.kind == TuningOutcome::Kind::tie) {
        final.verified = std::move(verified);
        if (search_.tuning().tried.size() == 1) final.outcome.reason = sentences::tuned_nothing_else;
    }
    return final;
}

Result<std::optional<Decision>> CaseTuner::finish() {
    search_.report("semifinal");
    while (WorkerSearch* place = meeting_place()) {
        Final final = decide_at(*place);
        if (job_.stop.stop_requested()) return std::nullopt;
        if (const auto failure = search_.failure()) return std::unexpected(*failure);
        if (place->is_alive()) return Decision{std::move(final), place};
        job_.pool.lose(place->worker(), place->worker().client->death());  // they meet again elsewhere
    }
    if (job_.stop.stop_requested()) return std::nullopt;
    return std::unexpected(no_worker_left(job_.pool));
}

}  // namespace kernelgen
