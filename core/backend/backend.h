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
#include "core/base/said.h"
#include "core/measure/ceilings.h"
#include "core/measure/environment.h"
#include "core/measure/result.h"

namespace kernelgen {

/// A device that variants run on, or the reason why it cannot be used.
struct DeviceInfo {
    std::string name;  ///< "cpu", "cuda:0"
    bool available = false;
    bool builds_only = false;  ///< a device model: kernels are built for it and cannot run
    Said reason;               ///< where the device cannot be used: what is missing and how to get it
    std::string description;
    std::vector<Language> languages;  ///< languages that it can run now; of a device model: that can be built for it
    std::vector<Said> notes;          ///< what is missing for other languages, or what works less well
    Environment environment;
    Sizes numbers;       ///< "multiprocessors", "threads", …: what launches may name, after `device.`
    std::string python;  ///< the interpreter of its Python languages, "Python 3.12.3, PyTorch 2.11.0", or ""
};

nlohmann::json to_json(const DeviceInfo& device);
DeviceInfo device_info_from_json(const nlohmann::json& json);

/// Called with the name of a stage, the number of steps that are done, and the number of all steps.
using Progress = std::function<void(std::string_view stage, int done, int total)>;

/// The length of a sample of timed calls. A call that takes less than `shortest_call` is made several times in a
/// sample, so that the sample lasts about `sample`. Both are in seconds. With warm caches, the buffers of all these
/// calls together have at most `cached_bytes`.
struct SampleLength {
    double shortest_call = 0;
    double sample = 0;
    double cached_bytes = 0;
};

/// The process in which kernels run: this program, or a Python interpreter. An executor in Python runs kernels of every
/// language.
enum class ExecutorKind { native, python };

/// What an executor is started for. It may have served other requests before if all code that it has loaded is among
/// `code`, since a file may have changed PyTorch, and a kernel may have changed its process.
struct ExecutorUse {
    ExecutorKind kind = ExecutorKind::native;
    std::vector<std::string> code = {};  ///< names of Python files; language and hash of other sources
};

/// An executor that calls all of these artifacts.
ExecutorUse use_for(const std::vector<const Implementation*>& implementations);
/// An executor that judges by this artifact: it has loaded no other code, and no other version of this one.
ExecutorUse use_for_judge(const Implementation& reference);

/// The uses that need an executor in Python.
std::vector<ExecutorUse> python_uses(std::vector<ExecutorUse> uses);

/// What verifying and timing must know of a kind of device.
struct BackendTraits {
    bool guards_pages = false;       ///< runs can end at unreadable pages
    bool interprets_triton = false;  ///< Triton kernels run in its interpreter: slow, a millisecond for each program
    bool is_host = false;            ///< kernels run on this machine's processors and take its memory
};

/// A kind of device and the languages that run on it. All methods are thread safe; the executors that it returns are
/// not.
class Backend {
public:
    virtual ~Backend() = default;

    virtual std::string kind() const = 0;  ///< "cpu", "cuda"
    virtual BackendTraits traits() const { return {}; }
    virtual std::vector<DeviceInfo> devices() = 0;
    /// Builds, or returns the build in the cache. `cancelled` when `stop` is requested. `progress`, which may be empty,
    /// is called while the build waits.
    virtual BuildResult build(const BuildRequest& request, const Progress& progress, std::stop_token stop) = 0;
    /// Returns an executor of the device. An executor in Python or of a GPU goes back to the backend when the caller
    /// drops it, and serves again.
    virtual Result<std::shared_ptr<Executor>> start_executor(const std::string& device, const ExecutorUse& use,
                                                             std::stop_token stop) = 0;
    /// All these executors will soon be started: those in Python that are missing start in the background, side by
    /// side.
    virtual void expect(const std::string&, const std::vector<ExecutorUse>&) {}
    virtual SampleLength sample_length(const std::string& device) const = 0;
    /// Hardware counters of one extra call of the artifact in a slot; the executor's buffers must be prepared. Timed
    /// calls are never profiled.
    virtual Counters count(Executor& executor, int slot, const std::string& device, const Artifact& artifact,
                           const Call& call, std::stop_token stop) = 0;
    /// Called when nothing was asked for a while: gives back the devices' memory that is quickly had again.
    virtual void rest() {}
    /// Measures the ceilings again and stores them in the cache.
    virtual Result<Ceilings> measure_ceilings(const std::string& device, const Progress& progress,
                                              std::stop_token stop) = 0;
};

using Backends = std::vector<std::unique_ptr<Backend>>;

/// The backend of a device; null where there is none.
Backend* find_backend(const Backends& backends, std::string_view device);

}  // namespace kernelgen
