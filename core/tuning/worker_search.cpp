// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/worker_search.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/tuning_sentences.h"
#include "core/engine/device_numbers.h"
#include "core/engine/run.h"

namespace kernelgen {

namespace {

/// Whether the worker lacks what every configuration needs, such as a compiler or PyTorch. Then the trial says nothing
/// of its configuration. What an objective lacks ends the tuning, with its own error.
bool lacks_something(const Tried& tried) {
    return tried.status == Status::unavailable && tried.reason != sentences::no_energy;
}

}  // namespace

WorkerSearch::WorkerSearch(const CaseJob& job, SharedSearch& search, const TuningWorker& worker)
    : job_(job),
      search_(search),
      worker_(worker),
      plan_(with_device_numbers(job.plan, *worker.client, job.stop)),
      progress_([this](std::string_view stage, int, int) {
          job_.time.take_stage(worker_.client, stage, job_.pool.count_alive());
          search_.report(std::string(stage));
      }),
      trials_(plan_, job.command.options.objective, *worker.client, progress_, job.time.cut()) {}

void WorkerSearch::run() {
    search_.enter();
    begin_early();
    if (find_pace()) search_on();
    if (!is_alive()) give_back();
    job_.time.take_stage(worker_.client, "", job_.pool.count_alive());  // its last call may have ended while it waited
    search_.leave();
}

/// Where builds run ahead, a lone worker builds the first batch while the pace is verified.
void WorkerSearch::begin_early() {
    if (!builds_ahead() || job_.pool.size() > 1 || search_.pace()) return;
    Batch pace = search_.begin_pace();
    if (pace.configurations.empty()) return;
    trials_.begin_pace(pace.configurations.front());
    begin_batches(1);
    under_way_.push_front(std::move(pace));
    is_pace_begun_ = true;
}

/// All workers try the incumbent at once. Where it fails, each tries another one, until the first succeeds.
bool WorkerSearch::find_pace() {
    while (is_alive() && !is_stopped()) {
        if (const auto pace = search_.pace()) return use_pace(*pace);
        if (begin_pace()) {
            Tried tried = trials_.set_pace(under_way_.front().configurations.front());
            if (is_alive() && !is_stopped() && lacks_something(tried)) return give_up(tried.reason);
            if (settle_pace(std::move(tried))) return true;
        } else if (!put_back() && !search_.wait_for_others()) {
            return false;
        }
    }
    return false;
}

/// Whether there is something that may set the pace.
bool WorkerSearch::begin_pace() {
    if (std::exchange(is_pace_begun_, false)) return true;
    Batch batch = search_.begin_pace();
    if (batch.configurations.empty()) return false;
    under_way_.push_front(std::move(batch));
    return true;
}

/// Cancels the builds that were begun early, before any configuration set the pace, and puts their configurations back,
/// so that each of them may set the pace now. Called when nothing else is left. Returns whether there were any.
bool WorkerSearch::put_back() {
    const bool has_some = !under_way_.empty();
    trials_.cancel_builds();
    for (const Batch& each : under_way_) search_.put_back(each.configurations);
    under_way_.clear();
    return has_some;
}

/// Puts back all that is under way, and takes no part any more.
bool WorkerSearch::give_up(const Said& reason) {
    put_back();
    job_.pool.lose(worker_, reason);
    return false;
}

/// Whether the configuration that was tried sets the pace, as all know it.
bool WorkerSearch::settle_pace(Tried tried) {
    if (!is_alive() || is_stopped()) return false;
    const Configuration configuration = tried.configuration;
    const auto pace = search_.settle_pace(worker_, std::move(tried));
    const bool is_pace = pace && pace->configuration == configuration && trials_.has_pace();
    if (is_pace) trials_.relate_to(pace->seconds);
    under_way_.pop_front();
    return is_pace;
}

/// A worker on which the pace fails is of no use: its times could not be related to the others'.
bool WorkerSearch::use_pace(const SharedPace& pace) {
    constexpr int tries = 2;
    Said reason;
    for (int i = 0; i < tries && is_alive() && !is_stopped(); ++i) {
        const bool is_own = pace.worker == worker_.name;
        reason = trials_.set_pace(pace.configuration, is_own ? std::optional(pace.seconds) : std::nullopt).reason;
        if (!trials_.has_pace()) continue;
        trials_.relate_to(pace.seconds);
        return true;
    }
    if (is_alive() && !is_stopped())
        job_.pool.lose(worker_, say("the configuration to which times are related fails on this worker: {}", reason));
    return false;
}

void WorkerSearch::search_on() {
    const std::size_t most = builds_ahead() ? 2 : 1;
    begin_batches(most);
    while (is_alive() && !is_stopped()) {
        if (!under_way_.empty()) finish_batch();
        else if (!search_.wait_for_others()) return;
        begin_batches(most);
    }
}

/// On a CPU builds and timings alternate, since a build would disturb a timing; elsewhere a batch is built ahead.
bool WorkerSearch::builds_ahead() const { return !runs_on_host(plan_.options.device); }

void WorkerSearch::begin_batches(std::size_t most) {
    while (is_alive() && under_way_.size() < most && (under_way_.empty() || !under_way_.back().is_alone)) {
        Batch batch = search_.begin(worker_.builds_at_once, under_way_.empty());
        if (batch.configurations.empty()) return;
        trials_.begin(batch.configurations);
        under_way_.push_back(std::move(batch));
    }
}

/// Takes the results of the oldest batch. If the worker died meanwhile, its last results count only where they did not
/// crash: a crash may be due to the worker's own end.
void WorkerSearch::finish_batch() {
    const BatchNews news{.fell = [this](const Tried& fallen) { end_one(fallen); },
                         .raced = [this](std::vector<Tried> raced) { search_.keep_racing(worker_, std::move(raced)); }};
    std::vector<Tried> tried = trials_.finish(search_.best_ratio(), news);
    if (is_alive()) return end_batch(std::move(tried));
    std::erase_if(tried, [](const Tried& each) { return each.status == Status::crashed; });
    search_.take(worker_, std::move(tried), 0);
}

/// Records the results of a batch. Its configurations without a result, whose builds were cancelled, are built with the
/// next batch. Where there is no next batch, the build was cancelled by a stop, or the compiler was ended from outside;
/// in the second case the configuration is tried again.
void WorkerSearch::end_batch(std::vector<Tried> tried) {
    std::vector<Configuration> left = std::move(under_way_.front().configurations);
    under_way_.pop_front();
    for (const Tried& each : tried) std::erase(left, each.configuration);
    std::size_t count = tried.size();
    if (is_stopped()) count += left.size();
    search_.take(worker_, std::move(tried), count);
    if (is_stopped() || left.empty()) return;
    if (under_way_.empty()) search_.put_back(left);
    else std::ranges::move(left, std::back_inserter(under_way_.front().configurations));
}

/// Records a configuration that failed at once, so that it is on the disk before the rest of its batch is timed.
void WorkerSearch::end_one(const Tried& fallen) {
    if (!is_alive()) return;
    std::erase(under_way_.front().configurations, fallen.configuration);
    search_.take(worker_, {fallen}, 1);
}

void WorkerSearch::give_back() {
    std::vector<Configuration> configurations;
    for (const Batch& batch : under_way_)
        configurations.insert(configurations.end(), batch.configurations.begin(), batch.configurations.end());
    search_.give_back(worker_, configurations);
    job_.pool.lose(worker_, worker_.client->death());
}

}  // namespace kernelgen
