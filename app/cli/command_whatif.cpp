// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/print_whatif.h"
#include "core/base/duration.h"
#include "core/base/text.h"
#include "core/engine/device_numbers.h"
#include "core/engine/usage.h"
#include "core/project/by_case.h"
#include "core/project/project_file.h"
#include "core/report/sentences.h"
#include "core/tuning/hampered_tuning.h"
#include "gpu/cuda/residency.h"

namespace kernelgen::cli {

namespace {

constexpr const char* whatif_examples = R"(Examples:
  kernelgen whatif projects/softmax --bandwidth 0.7              the newest round's kernel, on less bandwidth
  kernelgen whatif projects/softmax 3 --threads 0.5 --json       round 3, on half of the CPU's threads
  kernelgen whatif projects/softmax --bandwidth 0.7 --measure    predicted, and timed beside a neighbour for real
  kernelgen whatif projects/softmax --bandwidth 0.7 --tune 2m    and tuned anew beside that neighbour: how much comes back

Factors are shares of what the device has, from 0.001 to 16. See docs/WHATIF.md.)";

struct WhatifOptions {
    CommonOptions common;
    std::optional<int> round;
    std::map<Resource, double> factors;
    std::string device_model, language = "en";
    bool measure = false;
    std::string tune;  ///< --tune, as written
    std::optional<double> tune_seconds = {};
};

/// Reads what is written as text.
Validated<Factors> checked_factors(WhatifOptions& options) {
    Diagnostics diagnostics;
    if (!options.tune.empty()) {
        options.measure = true;
        options.tune_seconds = parse_duration(options.tune);
        if (!options.tune_seconds)
            diagnostics.push_back(usage("--tune", "`" + options.tune + "` is no time",
                                        "seconds, or a number with s, m or h, such as --tune 2m"));
    }
    for (const auto& [resource, factor] : options.factors) {
        if (const auto problem = factor_problem(factor))
            diagnostics.push_back(usage(flag_of(resource), *problem, say("such as {} 0.7", flag_of(resource))));
    }
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    return options.factors;
}

/// Rounds of older versions do not have the numbers of their device; its installed model has.
void complete_numbers(RoundDetail& round) {
    if (!round.candidate.device.empty()) return;
    if (const auto model = model_of(round.environment)) round.candidate.device = numbers_of(*model);
}

/// Why --measure cannot imitate a device; nothing where it can.
std::optional<Error> unmakeable(const OtherDevice& other) {
    for (const auto& [resource, factor] : other.factors) {
        if (factor > 1)
            return Error{
                say("{} × {:.3g} cannot be made: --measure can only take something away; give a share "
                    "of at most 1, or leave --measure out",
                    to_string(resource), factor)};
    }
    if (other.arithmetic != 1)
        return Error{"--measure cannot make another FLOP rate: leave it out, or `gflops` out of the file"};
    return std::nullopt;
}

/// The described device, with these shares of what it has.
Validated<OtherDevice> other_device(const WhatifOptions& options, const Factors& factors, const RoundDetail& round) {
    OtherDevice other;
    if (!options.device_model.empty()) {
        const Validated<DeviceDescription> described = read_device_description(options.device_model);
        if (!described) return std::unexpected(described.error());
        const Result<OtherDevice> compared = compared_with_round(*described, round);
        if (!compared) return std::unexpected(as_diagnostics(compared.error()));
        other = *compared;
    } else if (factors.empty()) {
        return std::unexpected(Diagnostics{{"", "kernelgen whatif", "nothing is asked",
                                            "say what the other device has, such as --bandwidth 0.7, --threads 0.5 or "
                                            "--device-model FILE"}});
    }
    for (const auto& [resource, factor] : factors)
        other.factors[resource] = factor_of(other.factors, resource) * factor;
    if (const auto problem = factors_problem(other.factors, round)) return std::unexpected(as_diagnostics(*problem));
    if (const auto problem = options.measure ? unmakeable(other) : std::nullopt)
        return std::unexpected(as_diagnostics(*problem));
    return other;
}

/// Keeps only the cases that were asked for.
std::optional<Error> keep_cases(ForecastBase& base, const std::vector<std::string>& names) {
    std::vector<std::string> known;
    for (const TimedSample& each : base.samples) known.push_back(each.binding.name);
    for (const std::string& name : names) {
        if (!std::ranges::contains(known, name))
            return Error{say("round {} has no timed case `{}`; there are: {}", base.round.round.number, name,
                             join(known, "; "))};
    }
    std::erase_if(base.samples, [&](const TimedSample& each) {
        return !names.empty() && !std::ranges::contains(names, each.binding.name);
    });
    return std::nullopt;
}

/// The round's kernel, to be run again.
Validated<RunPlan> plan_of_round(const Project& project, const ForecastBase& base, const RunOptions& options) {
    RunOptions own = options;
    own.device = base.round.round.device;
    own.variant = base.round.round.variant;
    own.from = "round:" + std::to_string(base.round.round.number);
    Validated<RunPlan> plan = plan_run(project, own);
    if (!plan) return plan;
    plan->cases.clear();
    for (const TimedSample& each : base.samples) plan->cases.push_back(each.binding);
    return plan;
}

/// Times all cases on the hampered device.
class Measuring {
public:
    Measuring(WhatifAnswer& answer, RunPlan plan, WorkerClient& worker, const Context& context)
        : answer_(answer), worker_(worker), context_(context), stop_(context.interrupted.get_token()) {
        plan_ = with_device_numbers(std::move(plan), worker, stop_);
        const auto threads = plan_.candidate.device.find("threads");
        if (threads != plan_.candidate.device.end()) threads_ = static_cast<int>(threads->second);
    }

    void measure();
    /// Tunes all measured cases anew, within so many seconds.
    void tune(double seconds);

private:
    HamperResult timed_held_back(WhatifCase& each);
    HamperResult timed(const Case& binding, const std::vector<Implementation>& others) {
        HamperResult result =
            time_hampered(plan_, answer_.other.factors, binding, others, threads_, worker_, terminal_progress(), stop_);
        clear_progress();
        return result;
    }
    Result<TunedAgain> tuned(const WhatifCase& asked, double seconds);

    WhatifAnswer& answer_;
    WorkerClient& worker_;
    const Context& context_;
    std::stop_token stop_;
    RunPlan plan_;
    int threads_ = 1;
};

HamperResult Measuring::timed_held_back(WhatifCase& each) {
    const Case& binding = each.asked.binding;
    const Result<HeldBack> held = held_back(answer_.base.round, binding.dtype, answer_.other.factors);
    if (!held) {
        HamperResult result;
        result.status = Status::unavailable;
        result.reason = held.error().message;
        return result;
    }
    each.held = *held;
    HamperResult result = time_held_back(plan_, held->more_shared_bytes, binding, worker_, terminal_progress(), stop_);
    clear_progress();
    return result;
}

void Measuring::measure() {
    for (std::size_t i = 0; i < answer_.cases.size(); ++i) {
        WhatifCase& each = answer_.cases[i];
        if (!runs_on_host(plan_.options.device) && !answer_.other.factors.contains(Resource::bandwidth)) {
            each.measured = timed_held_back(each);
            continue;
        }
        each.measured = timed(each.asked.binding, {});
        if (each.measured->status == Status::ok)
            each.as_measured = predict(answer_.base.model, answer_.base.samples[i], ratios_left(*each.measured));
    }
}

Result<TunedAgain> Measuring::tuned(const WhatifCase& asked, double seconds) {
    constexpr double final_seconds = 1;  // of the tuning's last comparison
    TunePlan plan{.run = plan_, .options = {.run = plan_.options}, .budget_seconds = seconds};
    plan.options.run.budget_seconds = plan.run.project.performance.budget_seconds = final_seconds;
    plan.run.cases = {asked.asked.binding};
    const TakenFromCpu taken{
        answer_.other.factors.contains(Resource::threads) ? threads_with(answer_.other.factors, threads_) : 0,
        asked.measured->neighbour};
    const auto unheard = [](const TuneState&) {};
    Result<Tuning> tuning = tune_hampered(std::move(plan), taken, {context_.program, "worker"}, unheard, stop_);
    if (!tuning) return std::unexpected(tuning.error());
    const Result<Implementation> best = with_fixed(plan_.candidate, tuning->outcome->configuration);
    if (!best) return std::unexpected(best.error());
    return TunedAgain{std::move(*tuning), timed(asked.asked.binding, {*best})};
}

void Measuring::tune(double seconds) {
    for (WhatifCase& each : answer_.cases) {
        if (each.measured && each.measured->status == Status::ok)
            each.tuned = tuned(each, seconds / static_cast<double>(answer_.cases.size()));
    }
}

/// A worker that is started when it is first needed.
class LazyWorker {
public:
    explicit LazyWorker(const Context& context) : context_(context) {}

    Result<WorkerClient*> get() {
        if (!worker_) {
            Result<std::unique_ptr<WorkerClient>> started = context_.start_worker();
            if (!started) return std::unexpected(started.error());
            worker_ = std::move(*started);
        }
        return worker_.get();
    }

private:
    const Context& context_;
    std::unique_ptr<WorkerClient> worker_;
};

/// Builds what an older round of a GPU has nothing of, where the factors ask for it.
std::optional<Error> complete(ForecastBase& base, const Factors& factors, LazyWorker& worker, const Context& context) {
    const bool is_asked =
        std::ranges::any_of(factors, [](const auto& each) { return each.first != Resource::bandwidth; });
    const bool is_known = std::ranges::all_of(base.samples, [&](const TimedSample& each) {
        return base.round.verification.builds.contains(each.binding.dtype);
    });
    if (!is_asked || is_known || base.round.candidate.variant.language != Language::cuda) return std::nullopt;
    const Result<WorkerClient*> started = worker.get();
    if (!started) return started.error();
    const auto built = complete_builds(base, **started, terminal_progress(), context.interrupted.get_token());
    clear_progress();
    return built ? std::nullopt : std::optional(built.error());
}

/// Builds a CUDA kernel with fewer registers: where there is no such GPU, this is what can be made real.
std::optional<Error> make_capped(WhatifAnswer& answer, LazyWorker& worker, const Context& context) {
    const Result<WorkerClient*> started = worker.get();
    if (!started) return started.error();
    Result<std::vector<CappedBuild>> built =
        build_capped(answer.base, factor_of(answer.other.factors, Resource::registers), **started, terminal_progress(),
                     context.interrupted.get_token());
    clear_progress();
    if (!built) return built.error();
    for (std::size_t i = 0; i < built->size(); ++i) answer.cases[i].capped = std::move((*built)[i]);
    return std::nullopt;
}

/// Whether this machine has the round's device.
bool is_here(const RoundDetail& round, WorkerClient& worker) {
    const Result<std::vector<WorkerDevice>> devices = worker.devices();
    return devices && std::ranges::any_of(*devices, [&](const WorkerDevice& each) {
               return each.info.name == round.round.device && each.info.available &&
                      each.info.environment.hardware == round.environment.hardware;
           });
}

/// Makes real what can be made of the device that was asked for: builds with fewer registers; timings, and a tuning,
/// beside a neighbour that takes a device's resources; timings on a GPU that holds fewer blocks. Errors: what cannot be
/// made.
std::optional<Error> make_real(WhatifAnswer& answer, const RunPlan& plan, const WhatifOptions& options,
                               LazyWorker& worker, Context& context) {
    const bool is_gpu = !runs_on_host(plan.options.device);
    if (is_gpu && options.tune_seconds)
        return Error{"--tune works for rounds of a CPU: a GPU's kernel is only timed as it is; leave --tune out"};
    const bool only_registers = answer.other.factors.size() == 1 && answer.other.factors.contains(Resource::registers);
    if (only_registers) {
        if (const auto problem = make_capped(answer, worker, context)) return problem;
    }
    const Result<WorkerClient*> started = worker.get();
    if (!started) return started.error();
    if (const auto problem = hampering_problem(plan, answer.other.factors)) return problem;
    if (is_gpu && !is_here(answer.base.round, **started)) {
        if (only_registers) return std::nullopt;
        return Error{
            say("`{}` of round {} ({}) is not here: --registers alone builds for it; the others are timed on it",
                plan.options.device, answer.base.round.round.number, answer.base.round.environment.hardware)};
    }
    Measuring measuring(answer, plan, **started, context);
    measuring.measure();
    if (options.tune_seconds) measuring.tune(*options.tune_seconds);
    return std::nullopt;
}

int status_of_cases(const WhatifAnswer& answer) {
    Status status = Status::ok;
    for (const WhatifCase& each : answer.cases) {
        if (each.measured) status = worst(status, each.measured->status);
    }
    return exit_status_of(status);
}

/// Reports reasons in the language that was asked for.
class Refusal {
public:
    Refusal(const Context& context, Tongue tongue) : context_(context), tongue_(tongue) {}

    int operator()(const Error& error, int status = exit_usage) const {
        return report(context_, Error{in_tongue(error.message, tongue_)}, status);
    }
    int operator()(Diagnostics diagnostics) const {
        for (Diagnostic& each : diagnostics) {
            each.message = in_tongue(each.message, tongue_);
            each.suggestion = in_tongue(each.suggestion, tongue_);
        }
        return report(context_, diagnostics);
    }

private:
    const Context& context_;
    Tongue tongue_;
};

int whatif_command(WhatifOptions& options, Context& context) {
    const Tongue tongue = options.language == "zh" ? Tongue::chinese : Tongue::english;
    const Refusal refuse(context, tongue);
    const Validated<Factors> factors = checked_factors(options);
    if (!factors) return refuse(factors.error());
    const Validated<Project> project = load_chosen(options.common);
    if (!project) return refuse(project.error());
    Result<ForecastBase> base = forecast_base(*project, options.round);
    if (!base) return refuse(base.error());
    for (const Said& warning : base->warnings) complain(Error{in_tongue(warning, tongue)});
    complete_numbers(base->round);
    const Validated<OtherDevice> other = other_device(options, *factors, base->round);
    if (!other) return refuse(other.error());
    if (const auto problem = keep_cases(*base, options.common.run.cases)) return refuse(*problem);
    const InterruptGuard guard(context.interrupted);
    LazyWorker worker(context);
    if (const auto problem = complete(*base, other->factors, worker, context)) return refuse(*problem);
    const Result<std::vector<CasePrediction>> predictions = predict_all(*base, *other, residency_with);
    if (!predictions) return refuse(predictions.error());
    WhatifAnswer answer{std::move(*base), *other, {}};
    for (const CasePrediction& each : *predictions) answer.cases.push_back({.asked = each});
    if (options.measure) {
        const Validated<RunPlan> plan = plan_of_round(*project, answer.base, options.common.run);
        if (!plan) return refuse(plan.error());
        if (const auto problem = make_real(answer, *plan, options, worker, context))
            return refuse(*problem, exit_not_run);
    }
    if (context.json) print_json(whatif_document(answer));
    else print_whatif(std::cout, answer, Phrases(tongue));
    return status_of_cases(answer);
}

}  // namespace

void add_whatif(CLI::App& app, Context& context) {
    auto options = std::make_shared<WhatifOptions>();
    CLI::App* command = app.add_subcommand("whatif", "What a round's kernel would take on a device with less");
    add_project(*command, options->common.project);
    command->add_option("ROUND", options->round, "The round's number; the newest that was timed where it is left out");
    for (const Resource resource : all_resources) {
        command->add_option_function<double>(
            flag_of(resource), [options, resource](double factor) { options->factors[resource] = factor; },
            std::format("Share of the device's {} that the other one has", to_string(resource)));
    }
    command->add_option(
        "--device-model", options->device_model,
        "A JSON file that describes the other device; the factors are then shares of what that one has");
    command->add_option("--case", options->common.run.cases, "Only the case of this name; repeatable")
        ->allow_extra_args(false);
    command->add_flag("--measure", options->measure,
                      "Time it for real: with threads (on a CPU), registers or shared memory capped, or beside a "
                      "neighbour that takes bandwidth");
    command->add_option("--tune", options->tune,
                        "Tune it anew on the hampered device for so long, such as 2m, and time what came back; implies "
                        "--measure");
    command->add_option("--budget", options->common.budget, "With --measure: time for the samples of a case");
    command->add_option("--lang", options->language, "en or zh")
        ->check(CLI::IsMember({"en", "zh"}))
        ->capture_default_str();
    command->footer(whatif_examples);
    command->callback([options, &context] { context.exit_status = whatif_command(*options, context); });
}

}  // namespace kernelgen::cli
