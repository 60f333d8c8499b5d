// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/backend/backend.h"

namespace kernelgen {

/// One implementation on one device, ready to be called: builds it once for each dtype and configuration that the cases
/// ask for, and keeps an executor alive in which the right build is loaded.
class KernelRunner {
public:
    /// `judge`: its process executes only the files of its implementation.
    enum class Role { judged, judge };

    /// `definition`, `implementation` and `progress` must outlive it. `timeout_seconds` is the limit of one call.
    KernelRunner(Backend& backend, const Operator& definition, const Implementation& implementation, std::string device,
                 double timeout_seconds, const Progress& progress, std::stop_token stop, Role role = Role::judged);

    /// Starts, builds and loads what `call` needs and does not have yet, and gives the arena `bytes`. Errors: the
    /// build's, with the compiler's first messages; unavailable; over_limit with what was asked.
    Outcome prepare(const Call& call, DType dtype, std::size_t bytes, const Judging& judges = {});

    /// Calls the kernel once on the arena's buffers, after `prepare`.
    Outcome run(const Call& call, const Layout& layout, Placement placement = Placement::shared);

    /// After a call: observes one more call of a `callable` operator's kernel, and takes the executor's remarks on it.
    Outcome observe(const Call& call, std::vector<Said>& remarks);

    /// Whether the kernel can run at the edge of unreadable pages. A library's cannot: what it reads beside its buffers
    /// is not the user's to mend.
    bool can_guard() const;
    bool is_interpreted() const;  ///< a Triton kernel, in Triton's interpreter

    std::byte* arena() { return executor_->arena().data(); }
    int deaths() const { return deaths_; }                 ///< executors that crashed or hung
    Builds builds() const;                                 ///< of each dtype, in one of the configurations
    const std::string& build_key() const { return key_; }  ///< of the last `prepare`
    std::string printed() const { return executor_ ? executor_->printed() : ""; }

private:
    using BuildKey = std::pair<DType, Configuration>;
    const BuildResult& build(const Call& call, const BuildKey& key);
    std::size_t bytes_beside(const Call& call) const;
    Outcome start();

    Backend& backend_;
    const Operator& definition_;
    const Implementation& implementation_;
    std::string device_;
    double timeout_seconds_;
    const Progress& progress_;
    std::stop_token stop_;
    Role role_;
    std::map<BuildKey, BuildResult> builds_;
    std::string key_;
    std::shared_ptr<Executor> executor_;
    std::optional<std::pair<BuildKey, Judging>> loaded_[2];  ///< by slot: as it stands, and as a judge
    int slot_ = 0;                                           ///< of the last `prepare`
    int deaths_ = 0;
};

}  // namespace kernelgen
