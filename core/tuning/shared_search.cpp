// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/shared_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/tuning_sentences.h"
#include "core/tune/polish.h"
#include "core/tuning/known.h"
#include "core/tuning/tune_state.h"

namespace kernelgen {

namespace {

/// Seconds that a final takes, estimated from the screen of the incumbent: whole verifications of the finalists, and
/// two timings.
double seconds_of_final(const Tried* incumbent, const Performance& performance) {
    constexpr double verification = 8, beside_sampling = 5;
    const double screen = incumbent == nullptr ? 1 : incumbent->screen_seconds;
    return verification * screen + 2 * (performance.budget_seconds + beside_sampling);
}

}  // namespace

SharedSearch::SharedSearch(const CaseJob& job, const CaseSpace& space, Tuning tuning)
    : job_(job),
      space_(space),
      tuning_(std::move(tuning)),
      next_(space.space, job.command.options.strategy,
            start_of_search(job.plan.project.folder, tuning_.head, space.space, job.command.history,
                            job.command.options.oldest_learnt)) {
    for (const auto& [place, reason] : space.failed_before)
        next_.tell({.configuration = space.space.at(place), .status = Status::build_failed, .reason = reason});
    for (const Tried& each : tuning_.tried) {
        earlier_seconds_ = std::max(earlier_seconds_, each.elapsed_seconds);
        if (each.is_ok() && !pace_) pace_ = {each.configuration, each.seconds, each.worker};
        next_.tell(each);
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
    if (lacks_incumbent()) return begin_incumbent();
    Batch batch;
    if (!is_time_left()) return batch;
    suspects_.erase_if([&](const Configuration& each) { return known(each) != nullptr; });
    if (has_nothing && suspects_.are_waiting()) {
        batch = {{suspects_.take()}, true};
    } else {
        batch.configurations = next_.choose(batch_size(builds_at_once), tuning_, is_polishing(builds_at_once));
    }
    under_way_ += static_cast<int>(batch.configurations.size());
    return batch;
}

bool SharedSearch::is_polishing(int builds_at_once) const {
    if (job_.command.options.strategy != Strategy::model || tuning_.tried.empty()) return false;
    const double left = still_to_begin();
    if (!std::isfinite(left)) return seconds_left() < polish_share * search_seconds();
    return is_time_to_polish(begun(), left, builds_at_once);
}

void SharedSearch::put_back(const std::vector<Configuration>& configurations) {
    const Lock lock(mutex_);
    under_way_ -= static_cast<int>(configurations.size());
    for (const Configuration& each : configurations) suspects_.add(each);
    wake_others();
}

/// Whether a resumed tuning lacks a result of the incumbent, because that line of its file was lost. There is no final
/// without it, so the incumbent is tried although no time is left.
bool SharedSearch::lacks_incumbent() const {
    return pace_ && !has_begun_incumbent_ && known(tuning_.head.incumbent) == nullptr;
}

Batch SharedSearch::begin_incumbent() {
    has_begun_incumbent_ = true;
    ++under_way_;
    return {{tuning_.head.incumbent}, true};
}

Batch SharedSearch::begin_pace() {
    {
        const Lock lock(mutex_);
        if (known(tuning_.head.incumbent) == nullptr) {
            if (!is_time_left()) return {};
            return begin_incumbent();
        }
    }
    return begin(1, true);
}

void SharedSearch::take(const TuningWorker& worker, std::vector<Tried> tried, std::size_t count) {
    const Lock lock(mutex_);
    under_way_ -= static_cast<int>(count);
    for (Tried& each : tried) {
        sign(worker, each);
        add(each);
    }
    if (worker.client->alive()) write_crashed();
    wake_others();
    say("search", tried);
}

void SharedSearch::keep_racing(const TuningWorker& worker, std::vector<Tried> racing) {
    const Lock lock(mutex_);
    for (Tried& each : racing) {
        sign(worker, each);
        each.elapsed_seconds = elapsed_seconds();
        write(each, TriedLine::racing);
    }
}

void SharedSearch::give_back(const TuningWorker& worker, const std::vector<Configuration>& under_way) {
    const Lock lock(mutex_);
    under_way_ -= static_cast<int>(under_way.size());
    for (const Configuration& each : under_way) {
        if (known(each) == nullptr) suspects_.add_death(each, worker.name, worker.client->death());
    }
    wake_others();
}

bool SharedSearch::wait_for_others() {
    Lock lock(mutex_);
    const std::uint64_t seen = changes_;
    constexpr std::chrono::milliseconds look_again{200};  // whether there is time left
    ++idle_;
    while (changes_ == seen && idle_ < inside_ && !is_over())
        changed_.wait_for(lock, job_.time.cut(), look_again, [&] { return changes_ != seen; });
    const bool are_others_at_work = idle_ < inside_;
    --idle_;
    return are_others_at_work ? !is_over() : is_time_left() && suspects_.are_waiting();
}

void SharedSearch::record_crashed() {
    const Lock lock(mutex_);
    write_crashed();
}

std::optional<SharedPace> SharedSearch::pace() const {
    const Lock lock(mutex_);
    return pace_;
}

std::optional<SharedPace> SharedSearch::settle_pace(const TuningWorker& worker, Tried tried) {
    const Lock lock(mutex_);
    --under_way_;
    sign(worker, tried);
    if (tried.status == Status::cancelled) {  // its build was ended from outside
        if (tried.configuration != tuning_.head.incumbent) suspects_.add(tried.configuration);
    } else if (!pace_) {
        if (tried.is_ok()) pace_ = {tried.configuration, tried.seconds, tried.worker};
        add(tried);
        if (tried.reason == sentences::no_energy && !failure_) failure_ = Error{tried.reason};
        if (pace_) pace_known_ = {static_cast<double>(tuning_.tried.size()), elapsed_seconds()};
    } else if (known(tried.configuration) == nullptr) {
        suspects_.add(tried.configuration);  // it was related to itself
    }
    wake_others();
    if (const Tried* recorded = known(tried.configuration)) say("search", std::span(recorded, 1));
    return pace_;
}

void SharedSearch::record(std::vector<Tried> tried) {
    const Lock lock(mutex_);
    for (Tried& each : tried) add(each);
    say("search", tried);
}

void SharedSearch::record_semifinal(const std::vector<Tried>& raced) {
    const Lock lock(mutex_);
    for (const Tried& each : raced) {
        if (write(each, TriedLine::semifinal)) tuning_.semifinal.push_back(each);
    }
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

double SharedSearch::elapsed_seconds() const { return earlier_seconds_ + job_.time.spent(); }

bool SharedSearch::is_cut_short() const {
    const Lock lock(mutex_);
    const bool are_others_asked = job_.command.options.evaluations.value_or(2) > 1;
    const bool has_ended = job_.command.options.enough.stop_requested();
    return are_others_asked && !has_ended && tuning_.tried.size() < 2 && seconds_left() <= 0;
}

int SharedSearch::failed() const {
    const Lock lock(mutex_);
    return static_cast<int>(std::ranges::count_if(tuning_.tried, [](const Tried& each) { return !each.is_ok(); }));
}

void SharedSearch::report(const std::string& stage) const {
    const Lock lock(mutex_);
    say(stage, {});
}

void SharedSearch::report_all() const {
    const Lock lock(mutex_);
    say("search", tuning_.tried);
}

const Tried* SharedSearch::known(const Configuration& configuration) const {
    const auto found = std::ranges::find(tuning_.tried, configuration, &Tried::configuration);
    return found == tuning_.tried.end() ? nullptr : &*found;
}

/// Whether the line is on the disk; nothing is written after a failure.
bool SharedSearch::write(const Tried& tried, TriedLine line) {
    if (failure_) return false;
    const Result<void> written = job_.file.append(tried, line);
    if (!written) failure_ = written.error();
    return written.has_value();
}

/// Notes who tried it, and where: a tuning may go on with another compiler, and workers may have different ones.
void SharedSearch::sign(const TuningWorker& worker, Tried& tried) const {
    tried.worker = worker.name;
    if (worker.environment != tuning_.head.environment) tried.environment = worker.environment;
}

/// Writes when it was known into `tried` too. A later result of a configuration replaces the earlier one.
void SharedSearch::add(Tried& tried) {
    tried.elapsed_seconds = elapsed_seconds();
    if (!write(tried, TriedLine::result)) return;
    next_.tell(tried);
    const auto earlier = std::ranges::find(tuning_.tried, tried.configuration, &Tried::configuration);
    if (earlier == tuning_.tried.end()) tuning_.tried.push_back(tried);
    else *earlier = tried;
}

void SharedSearch::say(const std::string& stage, std::span<const Tried> news) const {
    TuneState state{.stage = stage, .case_name = tuning_.head.binding.name};
    state.head = &tuning_.head;
    state.news = news;
    state.pruned = count_of(tuning_.head.pruned);
    const std::size_t asked = job_.command.options.evaluations.value_or(std::numeric_limits<int>::max());
    const std::size_t all = std::min(space_.count(), asked);
    state.left = all - std::min(all, tuning_.tried.size());
    take_results(state, tuning_);
    state.elapsed_seconds = job_.time.spent();
    state.budget_seconds = job_.time.seconds();
    state.workers = job_.pool.count_alive();
    job_.progress(state);
}

void SharedSearch::wake_others() {
    ++changes_;
    changed_.notify_all();
}

double SharedSearch::search_seconds() const {
    const double final = seconds_of_final(known(tuning_.head.incumbent), job_.plan.project.performance);
    const double all = job_.time.seconds();
    return job_.final_seconds > 0 ? std::max(0.0, all - job_.final_seconds) : std::max(all / 2, all - final);
}

bool SharedSearch::is_over() const {
    const bool is_stopped = job_.time.cut().stop_requested() || job_.command.options.enough.stop_requested();
    return failure_ || is_stopped || seconds_left() <= 0;
}

int SharedSearch::begun() const {
    return static_cast<int>(tuning_.tried.size() + suspects_.count_crashed()) + under_way_;
}

bool SharedSearch::is_time_left() const {
    const std::optional<int>& evaluations = job_.command.options.evaluations;
    return !is_over() && (!evaluations || begun() < *evaluations);
}

/// Configurations that may be begun: as many as are asked for, and as will be done in time at the present rate.
/// Infinity where neither is known.
double SharedSearch::still_to_begin() const {
    const std::optional<int>& evaluations = job_.command.options.evaluations;
    double most = evaluations ? *evaluations - begun() : std::numeric_limits<double>::infinity();
    const auto tried = static_cast<double>(tuning_.tried.size());
    if (pace_known_ && tried > pace_known_->tried) {
        const double each = (elapsed_seconds() - pace_known_->elapsed_seconds) / (tried - pace_known_->tried);
        most = std::min(most, seconds_left() / each - under_way_);
    }
    return std::max(0.0, most);
}

/// As many as are built at once, but at least one.
int SharedSearch::batch_size(int builds_at_once) const {
    return std::max(1, static_cast<int>(std::min<double>(builds_at_once, still_to_begin())));
}

void SharedSearch::write_crashed() {
    std::vector<Tried> crashed = suspects_.take_crashed();
    for (Tried& each : crashed) add(each);
    if (!crashed.empty()) say("search", crashed);
}

}  // namespace kernelgen
