// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/cli/context.h"
#include "core/backend/backend.h"
#include "core/engine/hostile.h"

namespace kernelgen::cli {

/// The result of one kernel of the selftest.
struct SelftestResult {
    std::string part, project, variant;
    std::vector<Status> expected;
    Status status = Status::ok;
    std::string reason;
    int checks = 0;
    double seconds = 0;                      ///< time of the whole attempt
    std::map<std::string, double> speedups;  ///< of timed cases, by name
    bool is_too_fast = false;                ///< it ended `ok` and was faster than the honest kernel

    bool as_expected() const;
};

nlohmann::ordered_json to_json(const SelftestResult& result);

/// Runs kernels on one device, one after another. Prints a line for each kernel when it has ended.
class Selftest {
public:
    Selftest(DeviceInfo device, Context& context, std::unique_ptr<WorkerClient> worker);

    /// Verifies every kernel of a sample that the device can run, on awkward sizes and edge values in each dtype.
    void run_sample(const Project& project);
    /// Runs the attempts of a hostile project that the device can run; `part` is the project's name.
    void run_hostile(const std::string& part, const HostileProject& hostile);

    /// Only these variants are tried; empty: all.
    void only(std::vector<std::string> variants) { only_ = std::move(variants); }
    const std::vector<SelftestResult>& results() const { return results_; }
    std::size_t left_out() const { return left_out_; }  ///< kernels whose language the device does not have

private:
    bool is_wanted(const Variant& variant) const;
    bool has_language(const Variant& variant) const;
    bool need_worker(SelftestResult& result);
    SelftestResult attempt(const Project& project, const RunOptions& options, bool is_timed, SelftestResult result);
    void finish(SelftestResult result);
    void verify(const RunPlan& plan, SelftestResult& result);
    void time(const RunPlan& plan, SelftestResult& result);
    SelftestResult attempt_hostile(const std::string& part, const HostileProject& hostile,
                                   const HostileAttempt& attempt);
    void hold_to_pace(SelftestResult& result, const std::string& part, const HostileProject& hostile,
                      Language language);
    void keep_pace(const SelftestResult& result, Language language);
    bool is_too_fast(const SelftestResult& result, Language language) const;

    DeviceInfo device_;
    Context& context_;
    std::unique_ptr<WorkerClient> worker_;
    std::vector<std::string> only_;
    std::vector<SelftestResult> results_;
    std::map<Language, std::map<std::string, double>> paces_;  ///< the highest speedups of honest kernels, by case
    std::size_t left_out_ = 0;
};

}  // namespace kernelgen::cli
