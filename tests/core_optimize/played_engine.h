// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <functional>

#include "core/optimize/engine.h"
#include "core/project/by_case.h"
#include "core/project/values.h"

namespace kernelgen {

/// An engine that builds and runs nothing: a formula says how long a configuration takes.
class PlayedEngine final : public OptimizeEngine {
public:
    /// Seconds of a call. The fastest possible are `best_seconds`, the roofline's.
    std::function<double(const Implementation&, const Case&)> seconds = [](const Implementation& made, const Case&) {
        return made.variant.tunables.empty() ? 16e-3 : 1e-3;
    };
    double best_seconds = 1e-3, baseline_seconds = 2e-3;
    std::function<Status(const Implementation&)> status = [](const Implementation&) { return Status::ok; };
    std::function<void(int)> before_run = [](int) {};  ///< with the number of the run
    int runs = 0, searches = 0;
    int search_size = 40;  ///< configurations that a search tries

    RunPlan with_numbers(RunPlan plan) override {
        plan.candidate.device = {{"threads", 8}};
        return plan;
    }

    RoundDetail run(const RunPlan& plan) override {
        before_run(runs++);
        RoundDetail detail;
        detail.definition = plan.project.definition;
        detail.candidate = plan.candidate;
        detail.environment.hardware = "a played device";
        Round& round = detail.round;
        round.time = "2026-11-25T02:00:00Z";
        round.device = plan.options.device;
        round.variant = plan.candidate.variant.name;
        round.baseline = plan.baseline->variant.name;
        round.configuration = plan.candidate.configuration;
        round.environment = "played";
        round.source_hash = hash_of_sources(plan.candidate);
        round.status = status(plan.candidate);
        if (round.status == Status::unavailable) round.environment = "";  // as where the device is not there
        round.target_speedup = plan.project.performance.target_speedup;
        round.case_count = static_cast<int>(plan.cases.size());
        for (const Case& each : plan.cases) round.cases.push_back(timed(plan.candidate, each, round.status));
        return detail;
    }

    /// Tries configurations at even distances over the space.
    Result<std::vector<Tuning>> search(const RunPlan& plan, double) override {
        ++searches;
        std::vector<Tuning> tunings;
        for (const Case& each : plan.cases) tunings.push_back(searched(plan, each));
        return tunings;
    }

private:
    RoundCase timed(const Implementation& candidate, const Case& binding, Status status) const {
        RoundCase timed{.binding = binding, .configuration = {}, .status = status, .roofline = {}};
        if (status != Status::ok) return timed;
        timed.seconds = seconds(for_case(candidate, binding), binding);
        timed.baseline_seconds = baseline_seconds;
        timed.speedup = baseline_seconds / timed.seconds;
        timed.speedup_lower = timed.speedup * 0.997;
        timed.speedup_upper = timed.speedup * 1.003;
        timed.roofline.has_ceilings = true;
        timed.roofline.fraction = best_seconds / timed.seconds;
        timed.roofline.bandwidth_gbps = 100 * timed.roofline.fraction;
        timed.roofline.bandwidth_ceiling_gbps = timed.roofline.attainable_gbps = 100;
        return timed;
    }

    Tuning searched(const RunPlan& plan, const Case& binding) const {
        Tuning tuning;
        tuning.head.variant = plan.candidate.variant.name;
        tuning.head.device = plan.options.device;
        tuning.head.binding = binding;
        tuning.head.parameters = plan.candidate.variant.tunables;
        tuning.head.source_hash = hash_of_sources(plan.candidate);
        tuning.head.incumbent = plan.candidate.configuration;
        std::uint64_t all = 1;
        for (const Tunable& each : tuning.head.parameters) all *= each.values.size();
        tuning.head.configurations = all;
        add(plan, binding, plan.candidate.configuration, tuning);
        for (int i = 0; i < search_size; ++i) add(plan, binding, at(tuning, all * i / search_size), tuning);
        const auto best = std::ranges::min_element(tuning.tried, {}, &Tried::seconds);
        tuning.outcome = TuningOutcome{.kind = TuningOutcome::Kind::winner, .configuration = best->configuration};
        return tuning;
    }

    static Configuration at(const Tuning& tuning, std::uint64_t index) {
        Configuration configuration;
        for (const Tunable& each : tuning.head.parameters) {
            configuration[each.name] = each.values[index % each.values.size()];
            index /= each.values.size();
        }
        return configuration;
    }

    void add(const RunPlan& plan, const Case& binding, const Configuration& configuration, Tuning& tuning) const {
        Implementation made = for_case(plan.candidate, binding);
        made.configuration = configuration;
        if (violated_restriction(made, binding)) return;
        Tried tried{.configuration = configuration};
        tried.seconds = tried.objective = seconds(made, binding);
        tuning.tried.push_back(std::move(tried));
    }
};

}  // namespace kernelgen
