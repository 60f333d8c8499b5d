// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "core/base/said.h"
#include "core/worker/client.h"

namespace kernelgen {

/// How a worker is started.
struct WorkerSource {
    std::string name;  ///< in messages and in the tuning's file
    std::vector<std::string> command;
    bool is_queued = false;  ///< a cluster's queue stands before it: it may greet after hours
};

/// A worker that can tune.
struct TuningWorker {
    std::string name;  ///< "" where there is no other
    WorkerClient* client = nullptr;
    std::string environment;  ///< fingerprint of the device's
    int builds_at_once = 1;
};

/// Workers that tune together on devices of one name, one on each machine. Each is started in a thread of its own; a
/// worker that sends its greeting late takes part from then on. A worker is lost where it does not have the device,
/// dies, or is silent for a minute. Thread safe.
class WorkerPool {
public:
    /// A pool of one worker, which must outlive the pool.
    WorkerPool(WorkerClient& worker, std::string device);
    /// Begins to start them, at least one.
    WorkerPool(std::vector<WorkerSource> sources, std::string device);
    ~WorkerPool();  ///< ends the workers that it started

    std::size_t size() const { return places_.size(); }  ///< also those that are not there yet, and those that are lost
    int count_alive() const;
    /// Waits until the worker of a place is there. Null where it is lost or `stop` is requested.
    const TuningWorker* wait_for(std::size_t place, std::stop_token stop);
    /// The first that is alive; waits for one where none is. Null where all are lost or `stop` is requested.
    const TuningWorker* wait_for_any(std::stop_token stop);
    /// The worker is asked for nothing more.
    void lose(const TuningWorker& worker, const Said& reason);
    /// Why the workers that were lost were.
    Said why_lost() const;

private:
    struct Place {
        WorkerSource source;
        std::unique_ptr<WorkerClient> started;
        TuningWorker worker;
        enum class State { starting, ready, lost } state = State::starting;
        Said reason;          ///< why it was lost
        std::jthread thread;  ///< last, so that it ends before what it uses
    };

    void start(Place& place, std::stop_token stop);
    void survey(Place& place, WorkerClient& client, std::stop_token stop);
    void watch(WorkerClient& client, std::stop_token stop);
    void set_lost(Place& place, const Said& reason);
    static bool is_alive(const Place& place);

    const std::string device_;
    mutable std::mutex mutex_;
    std::condition_variable_any changed_;
    std::vector<std::unique_ptr<Place>> places_;
};

}  // namespace kernelgen
