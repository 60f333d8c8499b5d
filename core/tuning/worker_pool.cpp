// SPDX-License-Identifier: Apache-2.0
#include "core/tuning/worker_pool.h"

#include <algorithm>
#include <chrono>

namespace kernelgen {

namespace {

constexpr std::chrono::hours longest_queue{24 * 7};
constexpr std::chrono::seconds between_questions{10}, longest_silence{60};

/// The device of this name. Errors: it is not there, or cannot be used.
Result<WorkerDevice> usable_device(WorkerClient& client, const std::string& name, std::stop_token stop) {
    const Result<std::vector<WorkerDevice>> devices = client.devices(std::move(stop));
    if (!devices) return std::unexpected(devices.error());
    const auto found = std::ranges::find(*devices, name, [](const WorkerDevice& each) { return each.info.name; });
    if (found == devices->end()) return fail(say("no device `{}` here; `kernelgen devices` lists them", name));
    if (!found->info.available) return fail(found->info.reason);
    return *found;
}

Said why_not_started(const WorkerSource& source, const Said& reason) {
    return source.is_queued ? say("{}; docs/CLUSTER.md says how to tune on a cluster", reason) : reason;
}

int builds_at_once(WorkerClient& client) {
    constexpr std::int64_t most = 16;
    const Sizes cpu = client.device_numbers("cpu");
    return cpu.contains("threads") ? static_cast<int>(std::clamp<std::int64_t>(cpu.at("threads"), 1, most)) : 1;
}

}  // namespace

WorkerPool::WorkerPool(WorkerClient& worker, std::string device) : device_(std::move(device)) {
    Place& place = *places_.emplace_back(std::make_unique<Place>());
    place.thread = std::jthread([this, &place, &worker](std::stop_token stop) { survey(place, worker, stop); });
}

WorkerPool::WorkerPool(std::vector<WorkerSource> sources, std::string device) : device_(std::move(device)) {
    for (WorkerSource& each : sources) {
        Place& place = *places_.emplace_back(std::make_unique<Place>());
        place.source = std::move(each);
    }
    for (const std::unique_ptr<Place>& each : places_)
        each->thread = std::jthread([this, &place = *each](std::stop_token stop) { start(place, stop); });
}

WorkerPool::~WorkerPool() {
    for (const std::unique_ptr<Place>& each : places_) each->thread.request_stop();
}

void WorkerPool::start(Place& place, std::stop_token stop) {
    const std::chrono::seconds patience = place.source.is_queued ? longest_queue : WorkerClient::usual_patience;
    Result<std::unique_ptr<WorkerClient>> started = WorkerClient::start(place.source.command, stop, patience);
    if (!started) return set_lost(place, why_not_started(place.source, started.error().message));
    place.started = std::move(*started);
    survey(place, *place.started, stop);
}

void WorkerPool::survey(Place& place, WorkerClient& client, std::stop_token stop) {
    const Result<WorkerDevice> device = usable_device(client, device_, stop);
    if (!device) return set_lost(place, device.error().message);
    const int builds = builds_at_once(client);
    {
        const std::lock_guard lock(mutex_);
        place.worker = {place.source.name, &client, fingerprint(device->info.environment), builds};
        place.state = Place::State::ready;
        changed_.notify_all();
    }
    watch(client, stop);
}

/// Ends a worker that is silent: a call to it would wait for ever.
void WorkerPool::watch(WorkerClient& client, std::stop_token stop) {
    while (client.alive() && !stop.stop_requested()) {
        {
            std::unique_lock lock(mutex_);
            changed_.wait_for(lock, stop, between_questions, [] { return false; });
        }
        client.require_answer(longest_silence, stop);
    }
}

void WorkerPool::set_lost(Place& place, const Said& reason) {
    const std::lock_guard lock(mutex_);
    place.state = Place::State::lost;
    place.reason = reason;
    changed_.notify_all();
}

bool WorkerPool::is_alive(const Place& place) {
    return place.state == Place::State::ready && place.worker.client->alive();
}

int WorkerPool::count_alive() const {
    const std::lock_guard lock(mutex_);
    return static_cast<int>(
        std::ranges::count_if(places_, [](const std::unique_ptr<Place>& each) { return is_alive(*each); }));
}

const TuningWorker* WorkerPool::wait_for(std::size_t place, std::stop_token stop) {
    const Place& wanted = *places_.at(place);
    std::unique_lock lock(mutex_);
    changed_.wait(lock, stop, [&] { return wanted.state != Place::State::starting; });
    return is_alive(wanted) ? &wanted.worker : nullptr;
}

const TuningWorker* WorkerPool::wait_for_any(std::stop_token stop) {
    const auto first_alive = [&] {
        return std::ranges::find_if(places_, [](const std::unique_ptr<Place>& each) { return is_alive(*each); });
    };
    const auto is_starting = [](const std::unique_ptr<Place>& each) { return each->state == Place::State::starting; };
    std::unique_lock lock(mutex_);
    changed_.wait(lock, stop,
                  [&] { return first_alive() != places_.end() || std::ranges::none_of(places_, is_starting); });
    const auto found = first_alive();
    return found == places_.end() ? nullptr : &(*found)->worker;
}

void WorkerPool::lose(const TuningWorker& worker, const Said& reason) {
    for (const std::unique_ptr<Place>& each : places_) {
        if (&each->worker == &worker) set_lost(*each, reason);
    }
}

Said WorkerPool::why_lost() const {
    const std::lock_guard lock(mutex_);
    Said why;
    for (const std::unique_ptr<Place>& each : places_) {
        if (each->state != Place::State::lost) continue;
        const std::string& name = each->source.name;
        why += why.empty() ? "" : "\n";
        why += (name.empty() ? each->reason : say("worker `{}`: {}", name, each->reason));
    }
    return why;
}

}  // namespace kernelgen
