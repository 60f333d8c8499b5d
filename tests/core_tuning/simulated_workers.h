// SPDX-License-Identifier: Apache-2.0
// A project that workers tune who build and run nothing: they sleep as long as a recorded tuning says.
#pragma once

#include <gmock/gmock.h>

#include <chrono>
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/base/file.h"
#include "core/project/project_file.h"
#include "core/tune/tuning_file.h"
#include "core/tuning/tune.h"
#include "core/tuning/worker_pool.h"
#include "tests/core_round/temporary_folder.h"

namespace kernelgen {

inline constexpr std::int64_t values_of_each = 32;  ///< of two tunables

namespace simulated {

inline nlohmann::json variant(const std::string& name) {
    return {{"name", name},
            {"language", "cpp"},
            {"source", "small.cpp"},
            {"entry", "small"},
            {"launch", {{"grid", {"P"}}, {"args", {"x", "out", "P", "D"}}}}};
}

inline nlohmann::json tunable(const std::string& name) {
    nlohmann::json values = nlohmann::json::array();
    for (std::int64_t i = 1; i <= values_of_each; ++i) values.push_back(i);
    return {{"name", name}, {"values", values}, {"value", 1}};
}

inline nlohmann::json of_cuda(nlohmann::json variant) {
    variant["language"] = "cuda";
    variant["source"] = "small.cu";
    variant["launch"]["block"] = {64};
    return variant;
}

inline nlohmann::json project_document() {
    nlohmann::json tuned = variant("tuned"), tuned_cuda = of_cuda(variant("tuned_cuda"));
    tuned["tunables"] = tuned_cuda["tunables"] = {tunable("A"), tunable("B")};
    const nlohmann::json tensor = {{"name", "x"}, {"shape", {"P", "D"}}},
                         out = {{"name", "out"}, {"shape", {"P", "D"}}};
    return {{"schema", "kernelgen.project/1"},
            {"operator",
             {{"name", "small"},
              {"symbols", {"P", "D"}},
              {"inputs", {tensor}},
              {"outputs", {out}},
              {"body", "out = x + 1"}}},
            {"cases", {{{"name", "timed"}, {"dtype", "f32"}, {"P", 1000}, {"D", 1000}}}},
            {"performance", {{"baseline", {{"cpu", "naive"}, {"cuda", "naive_cuda"}}}, {"budget_seconds", 0.1}}},
            {"variants", {variant("naive"), tuned, of_cuda(variant("naive_cuda")), tuned_cuda}}};
}

}  // namespace simulated

inline double seconds_of(const Configuration& configuration) {
    const double a = static_cast<double>(configuration.at("A")), b = static_cast<double>(configuration.at("B"));
    return 1e-3 * (2 + std::abs(a - 20) / 10 + std::abs(b - 7) / 5);
}

inline void on_a_gpu(TuneOptions& options) {
    options.run.device = "cuda:0";
    options.run.variant = "tuned_cuda";
}

class SimulatedWorkers : public InFolder {
protected:
    void SetUp() override {
        project_folder = folder / "small";
        std::filesystem::create_directories(project_folder);
        for (const char* source : {"small.cpp", "small.cu"})
            ASSERT_TRUE(write_file_atomic(project_folder / source, "// never built\n"));
        document = simulated::project_document();
        save();
        record(0.01);
    }

    void save() const { ASSERT_TRUE(write_file_atomic(project_folder / "project.json", document.dump(2))); }

    /// Records a space in which a configuration makes the workers sleep for three steps of `step` seconds: build,
    /// screen and race.
    void record(double step) {
        TuningHead head{.number = 1, .first = 1, .time = "2026-11-23T02:00:00Z"};
        head.variant = "tuned";
        head.binding = {"timed", DType::f32, {{"P", 1000}, {"D", 1000}}};
        head.cases = {head.binding};
        std::ofstream file(folder / "recorded.jsonl");
        file << to_json(head).dump() << "\n";
        for (std::int64_t a = 1; a <= values_of_each; ++a) {
            for (std::int64_t b = 1; b <= values_of_each; ++b) {
                Tried tried{.configuration = {{"A", a}, {"B", b}}};
                tried.seconds = tried.objective = seconds_of(tried.configuration);
                tried.build_seconds = tried.screen_seconds = tried.race_seconds = step;
                file << to_json(tried).dump() << "\n";
            }
        }
    }

    WorkerSource worker(const std::string& name, const std::vector<std::string>& words = {}) const {
        WorkerSource source{.name = name, .command = {KERNELGEN_FAKE_WORKER, (folder / "recorded.jsonl").string()}};
        source.command.insert(source.command.end(), words.begin(), words.end());
        return source;
    }

    Result<std::vector<CaseTuning>> tune_with(std::vector<WorkerSource> sources, int evaluations,
                                              const std::function<void(TuneOptions&)>& change = {}) {
        TuneOptions options;
        options.run.variant = "tuned";
        options.strategy = Strategy::exhaustive;
        options.evaluations = evaluations;
        if (change) change(options);
        const Validated<TunePlan> plan = plan_tuning(load_project(project_folder).value(), options);
        if (!plan) return fail(to_string(plan.error()));
        WorkerPool pool(std::move(sources), options.run.device);
        const TuneProgress progress = [this](const TuneState& state) {
            most_workers = std::max(most_workers, state.workers);
            told_stages.insert(state.stage);
            told.insert(told.end(), state.news.begin(), state.news.end());
        };
        return tune(*plan, pool, progress, {});
    }

    /// The lines of configurations, by worker.
    std::map<std::string, std::vector<Tried>> lines_of(int number) const {
        std::map<std::string, std::vector<Tried>> lines;
        const Tuning tuning = load_tuning(project_folder, number).value();
        for (const Tried& each : tuning.tried) lines[each.worker].push_back(each);
        return lines;
    }

    /// Tried configurations in a second, until the last result of the search.
    double rate(int number) const {
        const Tuning tuning = load_tuning(project_folder, number).value();
        return static_cast<double>(tuning.tried.size()) / tuning.tried.back().elapsed_seconds;
    }

    std::filesystem::path project_folder;
    nlohmann::json document;  ///< of the project
    int most_workers = 0;
    std::set<std::string> told_stages;
    std::vector<Tried> told;  ///< of all results, in order
};

}  // namespace kernelgen
