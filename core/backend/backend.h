// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <stop_token>
#include <string>
#include <vector>

#include "core/backend/build.h"
#include "core/backend/executor.h"
#include "core/measure/ceilings.h"
#include "core/measure/environment.h"
#include "core/measure/result.h"

namespace kernelgen {

/// A device that variants run on, or the reason why it cannot be used.
struct DeviceInfo {
    std::string name;  ///< "cpu", "cuda:0"
    bool available = false;
    bool builds_only = false;  ///< a device model: kernels are built for it and never run, so it is not available
    std::string reason;        ///< where it is not: what is missing and how to get it
    std::string description;
    std::vector<Language> languages;  ///< that it can run now, or that are built for it
    std::vector<std::string> notes;   ///< what is missing for other languages, or weaker
    Environment environment;
    std::string python;  ///< what runs its Python languages, "Python 3.12.3, PyTorch 2.11.0", or ""
};

nlohmann::json to_json(const DeviceInfo& device);
DeviceInfo device_info_from_json(const nlohmann::json& json);

/// Called with a stage, what is done and what there is to do.
using Progress = std::function<void(std::string_view stage, int done, int total)>;

/// How long a sample of timed calls is: where a call takes less than `shortest_call`, a sample has several, until it
/// lasts about `sample`. Both in seconds. Where caches are to be warm, the buffers of all of them together have at most
/// `cached_bytes`.
struct SampleLength {
    double shortest_call = 0;
    double sample = 0;
    double cached_bytes = 0;
};

/// The process in which kernels run: this program's own, or a Python interpreter, which runs those of every language.
enum class ExecutorKind { native, python };

/// What an executor is to run. One in Python may have served others before, if all the files that it executed are among
/// `files`: what they changed in PyTorch stays.
struct ExecutorUse {
    ExecutorKind kind = ExecutorKind::native;
    std::vector<std::string> files = {};
};

/// To call all of these.
ExecutorUse use_for(const std::vector<const Implementation*>& implementations);
/// To judge by this one: nothing else has been executed there, another version of its text neither.
ExecutorUse use_for_judge(const Implementation& reference);

/// What verifying and timing must know of a kind of device.
struct BackendTraits {
    bool guards_pages = false;       ///< runs can end at unreadable pages
    bool interprets_triton = false;  ///< a millisecond a program
    bool is_host = false;            ///< kernels run on this machine's processors and take its memory
};

/// One kind of device with the languages that run on it. Thread safe but for `start_executor`'s result.
class Backend {
public:
    virtual ~Backend() = default;

    virtual std::string kind() const = 0;  ///< "cpu", "cuda"
    virtual BackendTraits traits() const { return {}; }
    virtual std::vector<DeviceInfo> devices() = 0;
    /// Builds, or answers from the cache. `cancelled` when stopped. `progress`, which may be empty, hears of waiting.
    virtual BuildResult build(const BuildRequest& request, const Progress& progress, std::stop_token stop) = 0;
    /// An executor of the device; one in Python goes back when it is let go.
    virtual Result<std::shared_ptr<Executor>> start_executor(const std::string& device, const ExecutorUse& use,
                                                             std::stop_token stop) = 0;
    virtual SampleLength sample_length(const std::string& device) const = 0;
    /// Counters of one call of what is in a slot of an executor whose buffers are prepared; never of a timed call.
    virtual Counters count(Executor& executor, int slot, const std::string& device, const Artifact& artifact,
                           const Call& call, std::stop_token stop) = 0;
    /// Measures afresh and stores what it found in the cache.
    virtual Result<Ceilings> measure_ceilings(const std::string& device, const Progress& progress,
                                              std::stop_token stop) = 0;
};

using Backends = std::vector<std::unique_ptr<Backend>>;

/// The backend of a device, or null.
Backend* find_backend(const Backends& backends, std::string_view device);

}  // namespace kernelgen
