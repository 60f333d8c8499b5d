// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/case_tuner.h"

#include <algorithm>
#include <limits>

#include "core/tuning/known.h"

namespace kernelgen {

namespace {

constexpr std::size_t semifinalists = 5, finalists = 2;
constexpr double semifinal_share = 0.05;  ///< of the budget

/// What a final takes, from the screen of the incumbent: whole verifications of the finalists, and two timings.
double seconds_of_final(const Tried* incumbent, const Performance& performance) {
    constexpr double verification = 30, beside_sampling = 5;
    const double screen = incumbent == nullptr ? 1 : incumbent->screen_seconds;
    return verification * screen + 2 * (performance.budget_seconds + beside_sampling);
}

}  // namespace

CaseTuner::CaseTuner(const CaseJob& job, const CaseSpace& space, Tuning tuning, int builds_at_once)
    : job_(job),
      space_(space),
      tuning_(std::move(tuning)),
      builds_at_once_(builds_at_once),
      searcher_(make_searcher(job.options.strategy, space.space,
                              start_of_search(job.plan.project.folder, tuning_.head, space.space))),
      progress_([this](std::string_view stage, int, int) { report(std::string(stage)); }),
      trials_(job.plan, job.options.objective, job.worker, progress_, job.stop) {
    for (const Tried& each : tuning_.tried) earlier_seconds_ = std::max(earlier_seconds_, each.elapsed_seconds);
}

double CaseTuner::elapsed_seconds() const {
    return earlier_seconds_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

int CaseTuner::failed() const {
    return static_cast<int>(std::ranges::count_if(tuning_.tried, [](const Tried& each) { return !each.is_ok(); }));
}

const Tried* CaseTuner::find(const Configuration& configuration) const {
    const auto found = std::ranges::find(tuning_.tried, configuration, &Tried::configuration);
    return found == tuning_.tried.end() ? nullptr : &*found;
}

double CaseTuner::best_ratio() const {
    double best = std::numeric_limits<double>::infinity();
    for (const Tried& each : tuning_.tried) {
        if (each.is_ok()) best = std::min(best, each.ratio);
    }
    return best;
}

void CaseTuner::report(const std::string& stage, std::span<const Tried> news) const {
    TuneState state{.stage = stage, .case_name = tuning_.head.binding.name};
    state.head = &tuning_.head;
    state.news = news;
    state.tried = static_cast<int>(tuning_.tried.size());
    state.failed = failed();
    for (const Pruned& each : tuning_.head.pruned) state.pruned += each.count;
    state.left = space_.space.size() - std::min(space_.space.size(), tuning_.tried.size());
    for (const Tried& each : tuning_.tried) {
        if (!each.is_ok()) continue;
        if (each.configuration == tuning_.head.incumbent) state.incumbent_seconds = each.seconds;
        if (state.best_seconds == 0 || each.seconds < state.best_seconds) state.best_seconds = each.seconds;
    }
    state.elapsed_seconds = elapsed_seconds();
    state.budget_seconds = job_.budget_seconds;
    job_.progress(state);
}

/// Records results and tells them to the searcher. A later result of a configuration replaces the earlier one.
Result<void> CaseTuner::take(std::vector<Tried> tried) {
    if (!job_.worker.alive()) return fail("the worker died; `kernelgen tune PROJECT --resume` goes on");
    for (Tried& each : tried) {
        each.elapsed_seconds = elapsed_seconds();
        if (Result<void> written = job_.file.append(each); !written) return written;
        if (const auto index = space_.space.find(each.configuration)) {
            searcher_->tell({*index, each.is_ok() ? std::optional(each.objective) : std::nullopt, each.resources});
        }
        const auto earlier = std::ranges::find(tuning_.tried, each.configuration, &Tried::configuration);
        if (earlier == tuning_.tried.end()) tuning_.tried.push_back(each);
        else *earlier = each;
    }
    report("search", tried);
    return {};
}

/// The incumbent, or where it failed, the first configuration that does not.
Result<void> CaseTuner::find_pace() {
    Configuration next = tuning_.head.incumbent;
    for (const Tried& each : tuning_.tried) {
        if (!each.is_ok() || trials_.has_pace()) continue;
        trials_.set_pace(each.configuration, each.seconds);
    }
    while (!trials_.has_pace() && is_time_left()) {
        if (find(next) == nullptr) {
            Tried tried = trials_.set_pace(next);
            if (job_.stop.stop_requested()) return {};
            if (Result<void> taken = take({std::move(tried)}); !taken) return taken;
        }
        if (trials_.has_pace()) return {};
        const std::vector<std::size_t> asked = searcher_->ask(1);
        if (asked.empty()) return {};
        next = space_.space.at(asked.front());
    }
    return {};
}

bool CaseTuner::is_time_left() const {
    const int begun = static_cast<int>(tuning_.tried.size()) + being_built_;
    const bool asked_enough =
        job_.options.enough.stop_requested() || (job_.options.evaluations && begun >= *job_.options.evaluations);
    const double final = seconds_of_final(find(tuning_.head.incumbent), job_.plan.project.performance);
    const double search = std::max(job_.budget_seconds / 2, job_.budget_seconds - final);
    return !asked_enough && !job_.stop.stop_requested() && elapsed_seconds() < search;
}

int CaseTuner::batch_size() const {
    if (!job_.options.evaluations) return builds_at_once_;
    const int begun = static_cast<int>(tuning_.tried.size()) + being_built_;
    return std::min(builds_at_once_, *job_.options.evaluations - begun);
}

/// Whether there was something left to try.
bool CaseTuner::begin_batch() {
    if (!is_time_left()) return false;
    std::vector<Configuration> configurations;
    for (const std::size_t index : searcher_->ask(batch_size())) {
        const Configuration configuration = space_.space.at(index);
        if (find(configuration) == nullptr) configurations.push_back(configuration);
    }
    if (configurations.empty()) return false;
    trials_.begin(configurations);
    being_built_ += static_cast<int>(configurations.size());
    return true;
}

/// On a CPU builds and timings alternate, since a build would disturb a timing; elsewhere builds run ahead.
Result<void> CaseTuner::search_on() {
    const bool builds_ahead = kind_of_device(job_.plan.options.device) != "cpu";
    begin_batch();
    while (trials_.are_building() && !job_.stop.stop_requested()) {
        if (builds_ahead) begin_batch();
        std::vector<Tried> tried = trials_.finish(best_ratio());
        being_built_ -= static_cast<int>(tried.size());
        if (Result<void> taken = take(std::move(tried)); !taken) return taken;
        if (!builds_ahead) begin_batch();
    }
    return {};
}

Result<void> CaseTuner::search() {
    for (const Tried& each : tuning_.tried) {
        if (const auto index = space_.space.find(each.configuration))
            searcher_->tell({*index, each.is_ok() ? std::optional(each.objective) : std::nullopt, each.resources});
    }
    report("search", tuning_.tried);
    if (Result<void> found = find_pace(); !found) return found;
    return trials_.has_pace() ? search_on() : Result<void>();
}

/// The best so far, timed again in one rotation: single races are short, and the best of many was also lucky.
std::vector<Tried> CaseTuner::semifinal() {
    std::vector<Tried> best;
    for (const Tried& each : tuning_.tried) {
        if (each.is_ok() && !each.left && each.configuration != tuning_.head.incumbent) best.push_back(each);
    }
    std::ranges::sort(best, {}, &Tried::objective);
    best.resize(std::min(best.size(), semifinalists));
    if (best.size() > 1 && trials_.has_pace()) trials_.race_again(best, semifinal_share * job_.budget_seconds);
    std::ranges::sort(best, {}, &Tried::objective);
    return best;
}

Result<std::optional<Final>> CaseTuner::finish() {
    report("semifinal");
    std::vector<Tried> left = semifinal();
    const Tried* incumbent = find(tuning_.head.incumbent);
    if (incumbent != nullptr && !incumbent->is_ok()) incumbent = nullptr;
    std::erase_if(left, [&](const Tried& each) {
        return !each.is_ok() || (incumbent != nullptr && each.objective >= incumbent->objective);
    });
    const FinalRequest request{job_.plan, incumbent, job_.options.objective, job_.worker, progress_, job_.stop};
    Final final;
    do {
        const auto count = static_cast<std::ptrdiff_t>(std::min(left.size(), finalists));
        std::vector<Tried> chosen(left.begin(), left.begin() + count);
        left.erase(left.begin(), left.begin() + count);
        final = decide(request, chosen);
        if (job_.stop.stop_requested()) return std::nullopt;
        const bool all_fell = final.fallen.size() == chosen.size();
        if (Result<void> taken = take(std::move(final.fallen)); !taken) return std::unexpected(taken.error());
        if (!all_fell) break;
    } while (!left.empty());
    return final;
}

}  // namespace kernelgen
