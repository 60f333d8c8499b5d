// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/trials.h"

#include <algorithm>
#include <chrono>
#include <format>
#include <iterator>
#include <limits>
#include <thread>

#include "core/base/text.h"
#include "core/base/tuning_sentences.h"
#include "core/bench/race.h"
#include "core/engine/requests.h"
#include "core/measure/device_lock.h"
#include "core/measure/metrics.h"
#include "core/measure/statistics.h"
#include "core/project/launch_plan.h"
#include "core/tuning/case_space.h"
#include "core/verify/awkward_sizes.h"

namespace kernelgen {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double energy_seconds = 0.5;     ///< for each side: devices update their counter a few times a second
constexpr double race_seconds_each = 0.3;  ///< of sampling, for each side
constexpr double clear_of_energy = 1.5;    ///< the same, where energy counts too
constexpr double clear = 1.05;             ///< a candidate is a clear loser where it is always so many times the best

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

/// The memory of a configuration: workspace, and the shared memory of a block.
double memory_of(const Operator& definition, const Implementation& implementation, const Case& binding,
                 const std::map<std::string, double>& resources) {
    const Result<LaunchPlan> plan = plan_launches(definition, implementation, binding);
    if (!plan) return 0;
    double shared = 0;
    for (const PlannedLaunch& launch : plan->launches)
        shared = std::max(shared, static_cast<double>(launch.shared_bytes));
    const auto declared = resources.find(metrics::static_shared_bytes.name);
    return workspace_bytes(implementation.variant, *plan) + shared +
           (declared == resources.end() ? 0 : declared->second);
}

double lower_quartile(std::vector<double> samples) {
    std::ranges::sort(samples);
    return quantile(samples, 0.25);
}

/// The ratio of a race, as far as the fastest samples bear it out: what disturbs a device only makes samples slower, so
/// in few pairs a ratio may come from disturbed samples of one side.
double undisturbed_ratio(const RaceResult& result) {
    if (result.seconds.empty() || result.pace_seconds.empty()) return result.ratio;
    const double least = std::ranges::min(result.seconds) / lower_quartile(result.pace_seconds);
    const double most = lower_quartile(result.seconds) / std::ranges::min(result.pace_seconds);
    return std::clamp(result.ratio, least, most);
}

void take(Tried& tried, Status status, const Said& reason) {
    tried.status = status;
    tried.reason = status == Status::ok ? "" : reason;
}

}  // namespace

Trials::Trials(const RunPlan& plan, const Objective& objective, WorkerClient& worker, const Progress& progress,
               std::stop_token stop)
    : plan_(plan), objective_(objective), worker_(worker), progress_(progress), stop_(std::move(stop)) {
    if (!has_body(plan.project.definition.family)) return;
    if (Validated<Body> body = analyse(plan.project.definition)) body_ = std::move(*body);
}

Trials::~Trials() {
    if (pace_building_) pace_building_->stop.request_stop();
    cancel_builds();
}

void Trials::cancel_builds() {
    for (std::vector<Building>& batch : building_) {
        for (Building& each : batch) each.stop.request_stop();
    }
    building_.clear();
}

Implementation Trials::with(const Configuration& configuration) const {
    return with_configuration(plan_, configuration).candidate;
}

/// The sizes on which a screen calls a configuration. Each of them may need a compilation of its own: for Python
/// variants a build does this ahead, beside other builds.
std::vector<Case> Trials::screened_sizes(const Implementation& implementation) const {
    const Body* body = body_ ? &*body_ : nullptr;
    return awkward_sizes(plan_.project.definition, body, implementation, plan_.cases.front().dtype, plan_.cases).cases;
}

Trials::Building Trials::start_build(const Configuration& configuration) const {
    Building building{configuration, {}, std::make_shared<std::atomic<bool>>(false), {}};
    const Case& binding = plan_.cases.front();
    BuildRequest request{
        plan_.project.definition,     with(configuration), binding.dtype, plan_.options.device, {}, binding.sizes,
        plan_.options.timeout_seconds};
    request.is_ahead = !runs_on_host(plan_.options.device);
    if (request.is_ahead && is_python(request.implementation.variant.language)) {
        for (const Case& each : screened_sizes(request.implementation)) request.further_trials.push_back(each.sizes);
    }
    const Progress watch = [is_waiting = building.is_waiting](std::string_view stage, int, int) {
        *is_waiting = stage.starts_with(waiting_for_lock);
    };
    building.result = std::async(std::launch::async, [this, request, watch, stop = building.stop.get_token()] {
        return worker_.build(request, "", watch, stop);
    });
    return building;
}

/// A compiler that takes ten times as long as for the pace hangs.
double Trials::build_limit() const {
    constexpr double least = 20, times = 10;
    const double known = pace_ ? times * pace_->build_seconds : 0;
    return std::max({least, known, plan_.options.timeout_seconds});
}

/// The seconds that a call may take: a kernel that hangs costs a tuning no more than it must.
double Trials::call_limit() const {
    constexpr double least = 5, times = 50;
    if (!pace_) return plan_.options.timeout_seconds;
    return std::min(plan_.options.timeout_seconds, least + times * pace_->seconds);
}

/// The slowest builds of the first batch join the next one, so that the others do not wait for them.
void Trials::leave_stragglers() {
    constexpr std::chrono::milliseconds step{10};
    if (building_.size() < 2) return;
    std::vector<Building>& first = building_[0];
    const auto is_built = [](const Building& each) {
        return each.result.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
    };
    const auto enough = static_cast<std::ptrdiff_t>(first.size() - first.size() / 4);
    std::chrono::duration<double> left(build_limit());
    bool is_told = false;
    for (; std::ranges::count_if(first, is_built) < enough; left -= step) {
        tell_waiting(std::ranges::any_of(first, [](const Building& each) { return each.is_waiting->load(); }), is_told);
        if (stop_.stop_requested() || left.count() <= 0) return tell_waiting(false, is_told);
        std::this_thread::sleep_for(step);
    }
    tell_waiting(false, is_told);
    const auto slow = std::ranges::stable_partition(first, is_built);
    std::ranges::move(slow, std::back_inserter(building_[1]));
    first.erase(slow.begin(), slow.end());
}

/// Tells where a build that is waited for begins or ends to wait for others that hold the device.
void Trials::tell_waiting(bool waits, bool& is_told) const {
    if (waits == is_told) return;
    is_told = waits;
    progress_(waits ? std::format("{} build", waiting_for_lock) : "build", 0, 0);
}

/// The time for which it waits for others that hold the device does not count.
bool Trials::hangs(const Building& building) const {
    constexpr std::chrono::milliseconds step{100};
    std::chrono::duration<double> left(build_limit());
    bool is_told = false;
    while (building.result.wait_for(step) == std::future_status::timeout && left.count() > 0) {
        tell_waiting(*building.is_waiting, is_told);
        if (!*building.is_waiting) left -= step;
    }
    tell_waiting(false, is_told);
    return left.count() <= 0;
}

Tried Trials::wait_for(Building& building) const {
    const std::stop_callback cancelled(stop_, [&] { building.stop.request_stop(); });
    const bool too_long = hangs(building);
    if (too_long) building.stop.request_stop();
    const BuildResult result = building.result.get();
    Tried tried{.configuration = building.configuration};
    take(tried, result.status, result.reason);
    if (too_long && result.status == Status::cancelled && !stop_.stop_requested())
        take(tried, Status::timed_out, say(sentences::build_timed_out, with_si_prefix(build_limit(), "s")));
    tried.build_seconds = result.seconds;
    tried.resources = result.resources;
    return tried;
}

void Trials::begin(const std::vector<Configuration>& configurations) {
    std::vector<Building>& begun = building_.emplace_back();
    for (const Configuration& each : configurations) begun.push_back(start_build(each));
}

/// How its calls ended: the limit of a call may be this tuning's own.
void Trials::take_called(Tried& tried, Status status, const Said& reason) const {
    const bool is_own = status == Status::timed_out && call_limit() < plan_.options.timeout_seconds;
    take(tried, status, is_own ? say(sentences::tuned_too_slow, with_si_prefix(call_limit(), "s")) : reason);
}

void Trials::verify(Tried& tried, VerifyRequest request) {
    if (tried.status != Status::ok) return;
    const Clock::time_point start = Clock::now();
    request.timeout_seconds = call_limit();
    const VerifyResult result = worker_.verify(request, progress_, stop_);
    take_called(tried, result.status, result.reason);
    tried.screen_seconds += seconds_since(start);
}

/// The case itself is judged by the race, which has its inputs on the device for all.
void Trials::screen(Tried& tried) {
    if (screened_.contains(tried.configuration)) return;
    VerifyRequest request = verify_request(plan_, with(tried.configuration));
    request.is_screen = true;
    verify(tried, std::move(request));
    if (tried.status == Status::ok) screened_.insert(tried.configuration);
}

/// Races the configurations that are right so far, in one rotation. Where energies count, which are measured at the
/// end, there are no news.
void Trials::race(std::vector<Tried*> tried, const RaceLimits& limits, const BatchNews& news) {
    std::erase_if(tried, [](const Tried* each) { return each->status != Status::ok; });
    if (tried.empty()) return;
    const Clock::time_point start = Clock::now();
    std::vector<Implementation> candidates;
    for (const Tried* each : tried) candidates.push_back(with(each->configuration));
    RaceRequest request{bench_request(plan_, candidates, pace_->implementation, plan_.cases.front()),
                        limits.leave_above};
    request.sides.performance.budget_seconds = limits.seconds;
    request.sides.timeout_seconds = call_limit();
    request.most_pairs = limits.most_pairs.value_or(request.most_pairs);
    const auto seconds_each = [&] { return seconds_since(start) / static_cast<double>(tried.size()); };
    if (objective_.energy > 0) request.energy_seconds = energy_seconds;
    else if (news.raced)
        request.tell = [&](const std::vector<RaceResult>& results) {
            std::vector<Tried> raced;
            for (std::size_t i = 0; i < tried.size(); ++i) {
                if (!results[i].ok() || results[i].seconds.empty()) continue;
                take_raced(raced.emplace_back(*tried[i]), results[i], seconds_each());
            }
            news.raced(std::move(raced));
        };
    const std::vector<RaceResult> results = worker_.race(request, progress_, stop_);
    for (std::size_t i = 0; i < tried.size(); ++i) take_raced(*tried[i], results[i], seconds_each());
}

/// `seconds`: that the race took for this configuration.
void Trials::take_raced(Tried& tried, const RaceResult& result, double seconds) const {
    take_called(tried, result.status, result.reason);
    tried.samples = result.seconds;
    tried.ratio = undisturbed_ratio(result);
    tried.left = result.left;
    take_energy(tried, result);
    tried.race_seconds += seconds;
    if (tried.status == Status::ok) relate(tried);
}

/// Takes the energy of a raced configuration. Where it was not measured, or is lost in noise, the ratio of the times
/// stands for that of the energies. It is not measured for a configuration that left the race: a call that takes much
/// longer takes more energy, too.
void Trials::take_energy(Tried& tried, const RaceResult& result) const {
    if (objective_.energy == 0 || !result.ok()) return;
    tried.energy_joules = 0;
    tried.energy_ratio = result.ratio;
    if (result.left) return;
    if (result.pace_energy <= 0) return take(tried, Status::unavailable, sentences::no_energy);
    if (result.energy <= 0) return;
    tried.energy_joules = result.energy;
    tried.energy_ratio = result.energy / result.pace_energy;
}

/// `seconds` lie within the samples, which the objective may leave: it compares results on one scale although the
/// device's speed has changed meanwhile.
void Trials::relate(Tried& tried) const {
    const double related = tried.ratio * pace_->seconds, scale = pace_->seconds / pace_->own_seconds;
    const auto [least, most] = std::ranges::minmax(tried.samples);
    tried.seconds = std::clamp(related, scale * least, scale * most);
    tried.memory_bytes =
        memory_of(plan_.project.definition, with(tried.configuration), plan_.cases.front(), tried.resources);
    // A byte each, so that what takes no memory can be related, too.
    const double memory_ratio = (tried.memory_bytes + 1) / (pace_->memory_bytes + 1);
    tried.objective =
        objective_.is_time() ? related : objective_.score({tried.ratio, memory_ratio, tried.energy_ratio});
}

void Trials::begin_pace(const Configuration& configuration) { pace_building_ = start_build(configuration); }

Tried Trials::set_pace(const Configuration& configuration, std::optional<double> known_seconds) {
    pace_.reset();
    if (!pace_building_ || pace_building_->configuration != configuration) begin_pace(configuration);
    Tried tried = wait_for(*pace_building_);
    pace_building_.reset();
    VerifyRequest own_case = verify_request(plan_, with(configuration));
    own_case.own_cases_only = true;  // with what a race does not ask, such as whether the tolerance tells anything
    verify(tried, std::move(own_case));
    screen(tried);
    if (tried.status != Status::ok) return tried;
    pace_ = {with(configuration), 1, 1, 0, tried.build_seconds};
    race({&tried}, {.seconds = 3 * race_seconds_each});
    if (tried.status != Status::ok) {
        pace_.reset();
        return tried;
    }
    tried.ratio = tried.energy_ratio = 1;
    pace_->seconds = pace_->own_seconds = known_seconds.value_or(lower_quartile(tried.samples));
    relate(tried);
    pace_->memory_bytes = tried.memory_bytes;
    relate(tried);
    return tried;
}

std::vector<Tried> Trials::finish(double best_ratio, const BatchNews& news) {
    std::vector<Tried> all;
    const auto has_fallen = [&](const Tried& each) {
        const bool is_told = news.fell && each.status != Status::ok && each.status != Status::cancelled;
        if (is_told) news.fell(each);
        return is_told;
    };
    leave_stragglers();
    for (Building& each : building_.front()) {
        if (Tried tried = wait_for(each); !has_fallen(tried)) all.push_back(std::move(tried));
    }
    building_.pop_front();
    for (Tried& each : all) screen(each);
    std::erase_if(all, has_fallen);
    std::vector<Tried*> racing;
    for (Tried& each : all) racing.push_back(&each);
    RaceLimits limits{.seconds = race_seconds_each * static_cast<double>(1 + racing.size())};
    if (objective_.memory == 0) limits.leave_above = (objective_.is_time() ? clear : clear_of_energy) * best_ratio;
    race(racing, limits, news);
    // After a stop, configurations that were not timed are left out, so that a resumed tuning tries them again.
    std::erase_if(all, [](const Tried& each) {
        return each.status == Status::cancelled || (each.status == Status::ok && each.samples.empty());
    });
    return all;
}

void Trials::race_again(std::vector<Tried>& tried, double seconds) {
    std::vector<Tried*> racing;
    for (Tried& each : tried) {
        screen(each);
        racing.push_back(&each);
    }
    constexpr int most_pairs = 400;
    race(racing, {.seconds = seconds, .most_pairs = most_pairs});
}

}  // namespace kernelgen
