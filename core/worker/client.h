// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/base/said.h"
#include "core/bench/bench.h"
#include "core/bench/hampered.h"
#include "core/bench/model.h"
#include "core/bench/race.h"
#include "core/explain/explain.h"
#include "core/verify/verify.h"

namespace kernelgen {

/// A device as a worker reports it, with its ceilings where they have been measured on the worker's machine.
struct WorkerDevice {
    DeviceInfo info;
    Ceilings ceilings;
};

/// A running worker, on this machine or behind any command that forwards stdin and stdout. Thread safe: calls of
/// several threads overlap. A call blocks until its result; `stop` cancels it. When the worker dies, present and later
/// calls end with a status or an error that says how it died.
class WorkerClient {
public:
    /// Default time to wait for the greeting. It is long, because ssh may ask for a password or a queue may be full.
    static constexpr std::chrono::seconds usual_patience{60};
    /// Starts `command` (such as {"ssh", "box", "kernelgen", "worker"}) and waits up to `patience` for its greeting.
    static Result<std::unique_ptr<WorkerClient>> start(const std::vector<std::string>& command,
                                                       std::stop_token stop = {},
                                                       std::chrono::seconds patience = usual_patience);
    ~WorkerClient();

    bool alive() const;  ///< whether the worker can still answer
    Said death() const;  ///< how it died; "" while it is alive
    /// Asks for a sign of life, and ends what was started where none comes within `limit`: a machine that has lost its
    /// power closes no connection. A worker that builds or measures answers, too.
    void require_answer(std::chrono::seconds limit, std::stop_token stop);
    Result<std::vector<WorkerDevice>> devices(std::stop_token stop = {});
    /// The device's `DeviceInfo::numbers`; empty where the worker does not know it. They never change: the worker is
    /// asked at the first call only.
    Sizes device_numbers(const std::string& device, std::stop_token stop = {});
    /// A build with the same non-empty tag as an earlier one supersedes it; the earlier ends `cancelled`.
    BuildResult build(const BuildRequest& request, const std::string& tag, const Progress& progress,
                      std::stop_token stop);
    VerifyResult verify(const VerifyRequest& request, const Progress& progress, std::stop_token stop);
    /// Errors: the worker cannot explain: it died, or is of another version.
    Result<Explanation> explain(const ExplainRequest& request, const Progress& progress, std::stop_token stop);
    /// One result a candidate, in order.
    std::vector<BenchResult> bench(const BenchRequest& request, const Progress& progress, std::stop_token stop);
    /// `request.tell` is called in another thread, and no more once the call has returned.
    std::vector<RaceResult> race(const RaceRequest& request, const Progress& progress, std::stop_token stop);
    HamperResult hampered(const HamperRequest& request, const Progress& progress, std::stop_token stop);
    ModelAnswer model(const ModelRequest& request, const Progress& progress, std::stop_token stop);
    Result<Ceilings> measure_ceilings(const std::string& device, const Progress& progress, std::stop_token stop);

private:
    struct Impl;
    explicit WorkerClient(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> impl_;
};

}  // namespace kernelgen
