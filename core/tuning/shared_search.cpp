// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/shared_search.h"

#include <algorithm>
#include <format>
#include <limits>

#include "core/base/tuning_sentences.h"
#include "core/tuning/known.h"

namespace kernelgen {

namespace {

constexpr int most_deaths = 2;  ///< of workers that tried a configuration

/// What a final takes, from the screen of the incumbent: whole verifications of the finalists, and two timings.
double seconds_of_final(const Tried* incumbent, const Performance& performance) {
    constexpr double verification = 30, beside_sampling = 5;
    const double screen = incumbent == nullptr ? 1 : incumbent->screen_seconds;
    return verification * screen + 2 * (performance.budget_seconds + beside_sampling);
}

}  // namespace

SharedSearch::SharedSearch(const CaseJob& job, const CaseSpace& space, Tuning tuning)
    : job_(job),
      space_(space),
      tuning_(std::move(tuning)),
      searcher_(
          make_searcher(job.command.options.strategy, space.space,
                        start_of_search(job.plan.project.folder, tuning_.head, space.space, job.command.history))) {
    for (const Tried& each : tuning_.tried) {
        earlier_seconds_ = std::max(earlier_seconds_, each.elapsed_seconds);
        if (each.is_ok() && !pace_) pace_ = {each.configuration, each.seconds};
        tell(each);
    }
}

void SharedSearch::enter() {
    const Lock lock(mutex_);
    ++inside_;
}

void SharedSearch::leave() {
    const Lock lock(mutex_);
    --inside_;
    wake_others();
}

Batch SharedSearch::begin(int builds_at_once, bool has_nothing) {
    const Lock lock(mutex_);
    Batch batch;
    if (!is_time_left()) return batch;
    if (has_nothing && !suspects_.empty()) {
        batch = {{std::move(suspects_.back())}, true};
        suspects_.pop_back();
    } else {
        for (const std::size_t index : searcher_->ask(batch_size(builds_at_once))) {
            Configuration configuration = space_.space.at(index);
            if (known(configuration) == nullptr) batch.configurations.push_back(std::move(configuration));
        }
    }
    under_way_ += static_cast<int>(batch.configurations.size());
    return batch;
}

Batch SharedSearch::begin_pace() {
    {
        const Lock lock(mutex_);
        if (known(tuning_.head.incumbent) == nullptr) {
            if (!is_time_left()) return {};
            ++under_way_;
            return {{tuning_.head.incumbent}, true};
        }
    }
    return begin(1, true);
}

void SharedSearch::take(const TuningWorker& worker, std::vector<Tried> tried, std::size_t count) {
    const Lock lock(mutex_);
    under_way_ -= static_cast<int>(count);
    for (Tried& each : tried) {
        each.worker = worker.name;
        add(std::move(each));
    }
    if (worker.client->alive()) write_condemned();
    wake_others();
    say("search");
}

void SharedSearch::give_back(const TuningWorker& worker, const std::vector<Configuration>& under_way) {
    const Lock lock(mutex_);
    under_way_ -= static_cast<int>(under_way.size());
    for (const Configuration& each : under_way) {
        if (known(each) != nullptr) continue;
        if (++deaths_[each] < most_deaths) {
            suspects_.push_back(each);
            continue;
        }
        Tried tried{.configuration = each, .status = Status::crashed};
        tried.reason = std::format(sentences::two_workers_died, worker.client->death());
        tried.worker = worker.name;
        condemned_.push_back(std::move(tried));
    }
    wake_others();
}

bool SharedSearch::wait_for_others() {
    Lock lock(mutex_);
    const std::uint64_t seen = changes_;
    constexpr std::chrono::milliseconds look_again{200};  // whether there is time left
    ++idle_;
    while (changes_ == seen && idle_ < inside_ && !is_over())
        changed_.wait_for(lock, job_.stop, look_again, [&] { return changes_ != seen; });
    const bool are_others_at_work = idle_ < inside_;
    --idle_;
    return are_others_at_work ? !is_over() : is_time_left() && !suspects_.empty();
}

void SharedSearch::condemn() {
    const Lock lock(mutex_);
    write_condemned();
}

std::optional<SharedPace> SharedSearch::pace() const {
    const Lock lock(mutex_);
    return pace_;
}

std::optional<SharedPace> SharedSearch::settle_pace(const TuningWorker& worker, Tried tried) {
    const Lock lock(mutex_);
    --under_way_;
    tried.worker = worker.name;
    if (!pace_) {
        if (tried.is_ok()) pace_ = {tried.configuration, tried.seconds};
        add(std::move(tried));
    } else if (known(tried.configuration) == nullptr) {
        suspects_.push_back(tried.configuration);  // it was related to itself
    }
    wake_others();
    say("search");
    return pace_;
}

void SharedSearch::record(std::vector<Tried> tried) {
    const Lock lock(mutex_);
    for (Tried& each : tried) add(std::move(each));
}

std::optional<Error> SharedSearch::failure() const {
    const Lock lock(mutex_);
    return failure_;
}

Tuning SharedSearch::tuning() const {
    const Lock lock(mutex_);
    return tuning_;
}

std::optional<Tried> SharedSearch::find(const Configuration& configuration) const {
    const Lock lock(mutex_);
    const Tried* found = known(configuration);
    return found == nullptr ? std::nullopt : std::optional(*found);
}

double SharedSearch::best_ratio() const {
    const Lock lock(mutex_);
    double best = std::numeric_limits<double>::infinity();
    for (const Tried& each : tuning_.tried) {
        if (each.is_ok()) best = std::min(best, each.ratio);
    }
    return best;
}

double SharedSearch::elapsed_seconds() const {
    return earlier_seconds_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

int SharedSearch::failed() const {
    const Lock lock(mutex_);
    return static_cast<int>(std::ranges::count_if(tuning_.tried, [](const Tried& each) { return !each.is_ok(); }));
}

void SharedSearch::report(const std::string& stage) const {
    const Lock lock(mutex_);
    say(stage);
}

const Tried* SharedSearch::known(const Configuration& configuration) const {
    const auto found = std::ranges::find(tuning_.tried, configuration, &Tried::configuration);
    return found == tuning_.tried.end() ? nullptr : &*found;
}

/// A later result of a configuration replaces the earlier one.
void SharedSearch::add(Tried tried) {
    if (failure_) return;
    tried.elapsed_seconds = elapsed_seconds();
    if (const Result<void> written = job_.file.append(tried); !written) {
        failure_ = written.error();
        return;
    }
    tell(tried);
    const auto earlier = std::ranges::find(tuning_.tried, tried.configuration, &Tried::configuration);
    if (earlier == tuning_.tried.end()) tuning_.tried.push_back(std::move(tried));
    else *earlier = std::move(tried);
}

void SharedSearch::tell(const Tried& tried) {
    if (const auto index = space_.space.find(tried.configuration))
        searcher_->tell({*index, tried.is_ok() ? std::optional(tried.objective) : std::nullopt, tried.resources});
}

void SharedSearch::say(const std::string& stage) const {
    TuneState state{.stage = stage, .case_name = tuning_.head.binding.name};
    state.tried = static_cast<int>(tuning_.tried.size());
    for (const Pruned& each : tuning_.head.pruned) state.pruned += each.count;
    state.left = space_.space.size() - std::min(space_.space.size(), tuning_.tried.size());
    for (const Tried& each : tuning_.tried) {
        if (!each.is_ok()) {
            ++state.failed;
            continue;
        }
        if (each.configuration == tuning_.head.incumbent) state.incumbent_seconds = each.seconds;
        if (state.best_seconds == 0 || each.seconds < state.best_seconds) state.best_seconds = each.seconds;
    }
    state.elapsed_seconds = elapsed_seconds();
    state.budget_seconds = job_.budget_seconds;
    state.workers = job_.pool.count_alive();
    job_.progress(state);
}

void SharedSearch::wake_others() {
    ++changes_;
    changed_.notify_all();
}

bool SharedSearch::is_over() const {
    const double final = seconds_of_final(known(tuning_.head.incumbent), job_.plan.project.performance);
    const double search = std::max(job_.budget_seconds / 2, job_.budget_seconds - final);
    return failure_ || job_.stop.stop_requested() || elapsed_seconds() >= search;
}

int SharedSearch::begun() const { return static_cast<int>(tuning_.tried.size() + condemned_.size()) + under_way_; }

bool SharedSearch::is_time_left() const {
    const std::optional<int>& evaluations = job_.command.options.evaluations;
    return !is_over() && (!evaluations || begun() < *evaluations);
}

int SharedSearch::batch_size(int builds_at_once) const {
    const std::optional<int>& evaluations = job_.command.options.evaluations;
    return evaluations ? std::min(builds_at_once, *evaluations - begun()) : builds_at_once;
}

void SharedSearch::write_condemned() {
    for (Tried& each : condemned_) add(std::move(each));
    condemned_.clear();
}

}  // namespace kernelgen
