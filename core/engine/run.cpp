// SPDX-License-Identifier: Apache-2.0
#include "core/engine/run.h"

#include <algorithm>
#include <format>

#include "core/base/sentences.h"
#include "core/base/text.h"
#include "core/engine/build.h"
#include "core/engine/device_numbers.h"
#include "core/engine/explain_failure.h"
#include "core/engine/origin.h"
#include "core/engine/requests.h"
#include "core/engine/usage.h"
#include "core/generate/torch_writer.h"
#include "core/lang/analysis.h"
#include "core/project/by_case.h"
#include "core/project/header_names.h"
#include "core/project/project_file.h"
#include "core/project/source_files.h"
#include "core/project/tunable_macros.h"
#include "core/project/validate.h"

namespace kernelgen {

namespace {

/// The variant that an option names, or the one that the project itself chooses.
const Variant* choose_variant(const Project& project, const std::string& name, const char* option,
                              const Variant* fallback, Diagnostics& diagnostics) {
    if (name.empty()) return fallback;
    const Variant* found = project.find_variant(name);
    if (found == nullptr) {
        diagnostics.push_back(
            usage(option, say("unknown variant {}", "`" + name + "`"), choice(name, names_of(project.variants))));
    }
    return found;
}

std::vector<Case> choose_cases(const RunOptions& options, const Project& project, Diagnostics& diagnostics) {
    if (options.cases.empty()) return project.cases;
    std::vector<Case> cases;
    for (const std::string& text : options.cases) {
        if (const Case* known = project.find_case(text)) {
            cases.push_back(*known);
        } else if (text.find('=') != std::string::npos) {
            const Result<Case> made = parse_ad_hoc_case(text, project.definition);
            if (made) cases.push_back(*made);
            else diagnostics.push_back(usage("--case", made.error().message, ""));
        } else {
            diagnostics.push_back(
                usage("--case", say("unknown case `{}`", text), choice(text, names_of(project.cases))));
        }
    }
    return cases;
}

/// The kind must be known; whether the device itself is there, the worker says.
void check_device(const std::string& device, Diagnostics& diagnostics) {
    const std::vector<std::string> kinds(std::begin(device_kinds), std::end(device_kinds));
    const std::string kind = kind_of_device(device);
    if (std::ranges::contains(kinds, kind)) return;
    const std::string near = did_you_mean(kind, kinds);
    diagnostics.push_back(usage("--device", "no device is called `" + device + "`",
                                (near.empty() ? "" : near + " ") + "Devices are cpu, cuda:0, …; "
                                                                   "`kernelgen devices` lists those of this machine"));
}

void take_budget(const RunOptions& options, Performance& performance, Diagnostics& diagnostics) {
    if (!options.budget_seconds) return;
    performance.budget_seconds = *options.budget_seconds;
    if (const auto problem = budget_problem(performance.budget_seconds)) {
        diagnostics.push_back(usage("--budget", *problem, "such as --budget 10s"));
    }
}

/// An implementation that was read, with the changes that are for it.
std::optional<Implementation> with_changes_of(Result<Implementation> made, const std::string& where,
                                              const Configuration& changes, Diagnostics& diagnostics) {
    if (!made) {
        diagnostics.push_back(usage(where, made.error().message, ""));
        return std::nullopt;
    }
    Result<Implementation> fixed = with_fixed(std::move(*made), changes);
    if (!fixed) {
        diagnostics.push_back(usage("--set", fixed.error().message, ""));
        return std::nullopt;
    }
    for (const Diagnostics& wrong : {overridden_tunables(*fixed).always, tunables_in_headers(*fixed)})
        diagnostics.insert(diagnostics.end(), wrong.begin(), wrong.end());
    return std::move(*fixed);
}

/// A variant with its texts and configuration; `changes` are applied where they are for it.
std::optional<Implementation> implement(const Project& project, const Variant& variant, const Configuration& changes,
                                        Diagnostics& diagnostics) {
    return with_changes_of(read_implementation(project, variant), "variant " + variant.name, changes, diagnostics);
}

std::optional<Implementation> implement_candidate(const Project& project, const Variant& variant,
                                                  const RunOptions& options, Diagnostics& diagnostics) {
    if (options.from.empty()) return implement(project, variant, options.changes, diagnostics);
    Result<Implementation> was = original(project, options.from, variant.name).transform([](const Original& found) {
        return found.implementation;
    });
    return with_changes_of(std::move(was), "--from", options.changes, diagnostics);
}

/// The baseline as it was in a round or in a commit, under a name that tells which it was.
std::optional<Implementation> implement_origin(const Project& project, const std::string& origin,
                                               const std::string& variant, Diagnostics& diagnostics) {
    Result<Original> was = original(project, origin, variant);
    if (!was) {
        diagnostics.push_back(usage("--baseline", was.error().message, ""));
        return std::nullopt;
    }
    was->implementation.variant.name = was->name;
    return std::move(was->implementation);
}

/// Keeps the first status that is not ok in the order of Status, with its reason.
void take_status(Round& round, Status status, const Said& reason) {
    if (worst(round.status, status) == round.status) return;
    round.status = status;
    round.reason = reason;
}

/// The device's environment, and its ceilings where they have been measured. Where it cannot be used, that is the
/// round's status.
void survey_device(RoundDetail& detail, const RunPlan& plan, const Result<std::vector<WorkerDevice>>& devices,
                   std::stop_token stop) {
    const std::string& device = detail.round.device;
    if (!devices) {
        return take_status(detail.round, stop.stop_requested() ? Status::cancelled : Status::crashed,
                           devices.error().message);
    }
    const auto found = std::ranges::find(*devices, device, [](const WorkerDevice& each) { return each.info.name; });
    if (found == devices->end() || !found->info.available) {
        return take_status(detail.round, Status::unavailable,
                           found == devices->end() ? say(sentences::no_device, device) : found->info.reason);
    }
    detail.environment = found->info.environment;
    const bool baseline_is_python = plan.baseline && runs_in_python(plan.baseline->variant.language);
    if (runs_in_python(plan.candidate.variant.language) || baseline_is_python) {
        std::string& libraries = detail.environment.libraries;
        libraries += (libraries.empty() ? "" : ", ") + found->info.python;
    }
    detail.round.environment = fingerprint(detail.environment);
    detail.ceilings = found->ceilings;
    if (!detail.ceilings.measured() && plan.ceilings) detail.ceilings = *plan.ceilings;
}

/// One round of several that run together: all with one baseline, and the same cases and device.
struct Attempt {
    const RunPlan* plan = nullptr;
    RoundDetail detail;

    bool ok() const { return detail.round.status == Status::ok; }
};

using Attempts = std::vector<Attempt>;

/// The attempts that have not failed so far.
std::vector<Attempt*> right_ones(Attempts& attempts) {
    std::vector<Attempt*> right;
    for (Attempt& each : attempts) {
        if (each.ok()) right.push_back(&each);
    }
    return right;
}

void warn(const std::vector<Attempt*>& attempts, const Said& warning) {
    for (Attempt* each : attempts) each->detail.verification.warnings.push_back(warning);
}

/// Measures the device's ceilings where nobody has. Without them there is no roofline, but the round still counts; why
/// is said among the warnings.
void require_ceilings(const std::vector<Attempt*>& attempts, WorkerClient& worker, const Progress& progress,
                      std::stop_token stop) {
    const RoundDetail& first = attempts.front()->detail;
    if (has_file(first.definition.family)) return;  // a Python file is on no roofline
    if (!first.ceilings.measured()) {
        const Result<Ceilings> measured = worker.measure_ceilings(first.round.device, progress, stop);
        if (!measured) return warn(attempts, say(sentences::no_ceilings, measured.error().message));
        for (Attempt* each : attempts) each->detail.ceilings = *measured;
    }
    if (!first.ceilings.quiet) warn(attempts, sentences::ceilings_kept_briefly);
}

void verify_baseline(const std::vector<Attempt*>& attempts, WorkerClient& worker, const Progress& progress,
                     std::stop_token stop) {
    const RunPlan& plan = *attempts.front()->plan;
    VerifyRequest request = verify_request(plan, *plan.baseline);
    request.own_cases_only = true;
    const VerifyResult result = worker.verify(request, progress, stop);
    const std::string& name = plan.baseline->variant.name;
    for (const Said& warning : result.warnings) {
        warn(attempts, say(sentences::of_baseline, name, warning));
    }
    for (Attempt* each : attempts) {
        each->detail.baseline_builds = result.builds;
        take_status(each->detail.round, result.status, say(sentences::baseline_failed, name, result.reason));
    }
    const bool converts =
        std::ranges::any_of(plan.cases, [&](const Case& each) { return converts_first(*plan.baseline, each.dtype); });
    if (converts) warn(attempts, say(sentences::of_baseline, name, sentences::converts_first));
}

BenchRequest bench_request(const std::vector<Attempt*>& attempts, const Case& binding) {
    std::vector<Implementation> candidates;
    for (const Attempt* each : attempts) candidates.push_back(each->plan->candidate);
    const RunPlan& plan = *attempts.front()->plan;
    return bench_request(plan, std::move(candidates), *plan.baseline, binding);
}

void time_cases(const std::vector<Attempt*>& attempts, WorkerClient& worker, const Progress& progress,
                std::stop_token stop) {
    for (const Case& binding : attempts.front()->plan->cases) {
        const Progress named = [&](std::string_view stage, int done, int total) {
            progress(std::string(stage) + " " + binding.name, done, total);
        };
        std::vector<BenchResult> timings = worker.bench(bench_request(attempts, binding), named, stop);
        for (std::size_t i = 0; i < attempts.size(); ++i) {
            RoundDetail& detail = attempts[i]->detail;
            timings[i].binding = binding;
            take_status(detail.round, timings[i].status, say(sentences::of_case, binding.name, timings[i].reason));
            detail.timings.push_back(std::move(timings[i]));
        }
        if (stop.stop_requested()) return;
    }
}

/// The point of a case's timing on the roofline.
RooflinePoint place_of(const RoundDetail& detail, const Body& body, const Case& binding, double seconds) {
    return place_on_roofline(analyse_case(detail.definition, body, binding), arithmetic_of(detail.definition, binding),
                             seconds, detail.ceilings);
}

/// Whether a timing moves more bytes than the device can, where the definition proves that it must: all inputs are
/// needed, caches are cold, and bandwidths were measured at such sizes.
bool is_impossible(const RoundDetail& detail, const Body& body, const RunPlan& plan, const BenchResult& timing) {
    if (timing.status != Status::ok || plan.project.performance.warm_caches) return false;
    if (!needs_all_inputs(body, timing.binding.sizes)) return false;
    const double bytes = analyse_case(detail.definition, body, timing.binding).bytes();
    const RooflinePoint point = place_of(detail, body, timing.binding, timing.candidate.p50);
    return point.has_ceilings && bytes >= detail.ceilings.all_threads.front().bytes &&
           point.bandwidth_gbps > most_plausible_fraction * point.bandwidth_ceiling_gbps;
}

/// A timing that stays above ceilings which were measured in quiet is `implausible`.
void refuse_impossible(RoundDetail& detail, const Body& body, const RunPlan& plan) {
    for (BenchResult& timing : detail.timings) {
        if (!is_impossible(detail, body, plan, timing)) continue;
        const RooflinePoint point = place_of(detail, body, timing.binding, timing.candidate.p50);
        timing.status = Status::implausible;
        timing.reason = say(sentences::above_ceiling, point.bandwidth_gbps, point.bandwidth_ceiling_gbps);
        take_status(detail.round, timing.status, say(sentences::of_case, timing.binding.name, timing.reason));
    }
}

/// A result above what the device can move casts doubt on one of the two: a shared machine's memory may have been
/// slower when the ceilings were measured. They are measured once more.
void reconsider_ceilings(const std::vector<Attempt*>& attempts, WorkerClient& worker, const Progress& progress,
                         std::stop_token stop) {
    const RoundDetail& first = attempts.front()->detail;
    const Validated<Body> body = analyse(first.definition);
    if (!body || !has_body(first.definition.family) || !first.ceilings.measured()) return;
    const auto has_impossible = [&](const Attempt* each) {
        return std::ranges::any_of(each->detail.timings, [&](const BenchResult& timing) {
            return is_impossible(each->detail, *body, *each->plan, timing);
        });
    };
    if (std::ranges::none_of(attempts, has_impossible) || stop.stop_requested()) return;
    // A command that measured them beside other programs has no quiet moment for its rounds either.
    const std::optional<Ceilings>& beforehand = attempts.front()->plan->ceilings;
    if (beforehand && !beforehand->quiet) return warn(attempts, std::string(sentences::ceilings_not_quiet));
    const Result<Ceilings> measured = worker.measure_ceilings(first.round.device, progress, stop);
    if (!measured) return warn(attempts, say(sentences::ceilings_in_doubt, measured.error().message));
    if (!measured->quiet) return warn(attempts, sentences::ceilings_not_quiet);
    warn(attempts, sentences::ceilings_again);
    for (Attempt* each : attempts) {
        each->detail.ceilings = *measured;
        refuse_impossible(each->detail, *body, *each->plan);
    }
}

/// The configuration of all these cases, if it is the same for all; otherwise the tunables' own values.
Configuration common_configuration(const Implementation& implementation, const std::vector<Case>& cases) {
    const auto on = [&](const Case& each) { return for_case(implementation, each).configuration; };
    const Configuration first = cases.empty() ? implementation.configuration : on(cases.front());
    return std::ranges::all_of(cases, [&](const Case& each) { return on(each) == first; })
               ? first
               : implementation.configuration;
}

RoundCase summarise_case(const Case& binding, const RoundDetail& detail) {
    RoundCase summary{.binding = binding, .configuration = {}, .roofline = {}};
    Configuration own = for_case(detail.candidate, binding).configuration;
    if (own != detail.round.configuration) summary.configuration = std::move(own);
    bool was_checked = false;
    for (const CaseAccuracy& accuracy : detail.verification.cases) {
        if (!accuracy.own_case || accuracy.binding != binding) continue;
        was_checked = true;
        summary.status = worst(summary.status, accuracy.status);
        summary.max_absolute_error = std::max(summary.max_absolute_error, accuracy.metrics.max_absolute);
    }
    if (!was_checked) summary.status = detail.round.status;
    for (const BenchResult& timing : detail.timings) {
        if (timing.binding != binding) continue;
        summary.status = worst(summary.status, timing.status);
        if (timing.status != Status::ok) continue;
        summary.speedup = timing.speedup.median;
        summary.speedup_lower = timing.speedup.lower;
        summary.speedup_upper = timing.speedup.upper;
        summary.seconds = timing.candidate.p50;
        summary.baseline_seconds = timing.baseline_summary.p50;
        summary.rsd = timing.candidate.relative_standard_deviation;
        summary.baseline_rsd = timing.baseline_summary.relative_standard_deviation;
        if (const Validated<Body> body = analyse(detail.definition)) {
            summary.roofline = place_of(detail, *body, binding, summary.seconds);
        }
    }
    return summary;
}

void summarise_round(RoundDetail& detail, const RunPlan& plan) {
    Round& round = detail.round;
    for (const Case& binding : plan.cases) round.cases.push_back(summarise_case(binding, detail));
    round.case_count = static_cast<int>(round.cases.size());
    round.target_reached = round.status == Status::ok && !detail.timings.empty();
    for (const RoundCase& each : round.cases) {
        if (each.speedup_lower < round.target_speedup) round.target_reached = false;
    }
}

}  // namespace

Validated<RunPlan> plan_run(const Project& project, const RunOptions& options) {
    Diagnostics diagnostics;
    RunPlan plan{.project = project, .candidate = {}, .baseline = {}, .cases = {}, .options = options};
    const bool from_elsewhere = is_origin(options.baseline);
    const Variant* baseline = choose_variant(project, from_elsewhere ? "" : options.baseline, "--baseline",
                                             baseline_for(project, options.device), diagnostics);
    const Variant* candidate =
        choose_variant(project, options.variant, "--variant", candidate_for(project, options.device), diagnostics);
    plan.cases = choose_cases(options, project, diagnostics);
    check_device(options.device, diagnostics);
    take_budget(options, plan.project.performance, diagnostics);
    if (diagnostics.empty() && candidate == nullptr) {
        diagnostics.push_back(usage("--device",
                                    say("no variant of this project but the baseline is for `{}`", options.device),
                                    say("there are: {}", join(names_of(project.variants), ", "))));
    }
    if (diagnostics.empty() && plan.cases.empty()) {
        diagnostics.push_back(
            usage("--case", "the project has no case", "give one: --case \"P=1024,D=1024,dtype=f32\""));
    }
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    const auto made = implement_candidate(project, *candidate, options, diagnostics);
    if (made) plan.candidate = *made;
    if (from_elsewhere) {
        plan.baseline = implement_origin(project, options.baseline, candidate->name, diagnostics);
    } else if (baseline != nullptr) {
        // A kernel against itself is a control of the measurement: both sides take the changes.
        plan.baseline =
            implement(project, *baseline, baseline == candidate ? options.changes : Configuration{}, diagnostics);
    }
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    return plan;
}

VerifyResult verify_candidate(const RunPlan& asked, WorkerClient& worker, const Progress& progress,
                              std::stop_token stop) {
    const RunPlan plan = with_device_numbers(asked, worker, stop);
    VerifyRequest request = verify_request(plan, plan.candidate);
    request.own_cases_only = plan.options.as_baseline;
    VerifyResult result = worker.verify(request, progress, stop);
    result.warnings.insert(result.warnings.begin(), plan.remarks.begin(), plan.remarks.end());
    return result;
}

namespace {

/// A round before anything was done.
RoundDetail begin_round(const RunPlan& plan) {
    RoundDetail detail;
    detail.definition = plan.project.definition;
    detail.candidate = plan.candidate;
    Round& round = detail.round;
    round.time = now_utc();
    round.device = plan.options.device;
    round.variant = plan.candidate.variant.name;
    round.configuration = common_configuration(plan.candidate, plan.cases);
    round.note = plan.note.empty() ? Said(plan.options.note) : plan.note;
    round.target_speedup = plan.project.performance.target_speedup;
    round.budget_seconds = plan.project.performance.budget_seconds;
    round.source_hash = hash_of_sources(plan.candidate);
    if (plan.baseline) {
        detail.baseline = *plan.baseline;
        round.baseline = plan.baseline->variant.name;
    }
    return detail;
}

void verify_attempt(Attempt& attempt, WorkerClient& worker, const Progress& progress, std::stop_token stop) {
    RoundDetail& detail = attempt.detail;
    if (attempt.ok()) {
        const std::optional<VerifyResult>& known = attempt.plan->verified;
        detail.verification = known ? *known : verify_candidate(*attempt.plan, worker, progress, stop);
        take_status(detail.round, detail.verification.status, detail.verification.reason);
        if (attempt.plan->options.explain)
            detail.explanation = explain_failure(*attempt.plan, detail.verification, worker, progress, stop);
    } else {
        detail.verification.status = detail.round.status;
        detail.verification.reason = detail.round.reason;
    }
    if (attempt.ok() && !attempt.plan->baseline) {
        take_status(detail.round, Status::unavailable, say(sentences::no_baseline, detail.round.device));
    }
}

std::vector<RoundDetail> details_of(Attempts& attempts, std::stop_token stop) {
    std::vector<RoundDetail> details;
    for (Attempt& attempt : attempts) {
        if (stop.stop_requested()) {
            attempt.detail.round.status = Status::cancelled;
            attempt.detail.round.reason = "cancelled by the user";
        }
        summarise_round(attempt.detail, *attempt.plan);
        details.push_back(std::move(attempt.detail));
    }
    return details;
}

}  // namespace

std::vector<RoundDetail> run_rounds(std::span<const RunPlan> asked, WorkerClient& worker, const Progress& progress,
                                    const VerifiedSoFar& so_far, std::stop_token stop) {
    Attempts attempts;
    const Result<std::vector<WorkerDevice>> devices = worker.devices(stop);
    std::vector<RunPlan> plans;
    for (const RunPlan& each : asked) plans.push_back(with_device_numbers(each, worker, stop));
    std::optional<BuildsAhead> builds;
    const auto try_plan = [&](const RunPlan& plan) {
        Attempt made{&plan, begin_round(plan)};
        survey_device(made.detail, plan, devices, stop);
        if (attempts.empty() && made.ok() && !builds) builds.emplace(plans, worker, stop);
        const Progress named = [&](std::string_view stage, int done, int total) {
            const std::string prefix = plans.size() > 1 ? plan.candidate.variant.name + ": " : "";
            progress(prefix + std::string(stage), done, total);
        };
        verify_attempt(made, worker, named, stop);
        return made;
    };
    for (const RunPlan& plan : plans) {
        attempts.push_back(try_plan(plan));
        if (builds && attempts.back().detail.round.status == Status::over_limit) {
            builds->wait();  // what runs beside may have had the memory
            attempts.back() = try_plan(plan);
        }
        if (so_far) {
            RoundDetail known = attempts.back().detail;
            summarise_round(known, plan);
            so_far(known);
        }
        if (stop.stop_requested()) break;
    }
    if (builds && !right_ones(attempts).empty()) builds->wait();
    builds.reset();  // nothing else may run while kernels are timed
    if (!right_ones(attempts).empty()) verify_baseline(right_ones(attempts), worker, progress, stop);
    if (const std::vector<Attempt*> right = right_ones(attempts); !right.empty()) {
        require_ceilings(right, worker, progress, stop);
        time_cases(right, worker, progress, stop);
        reconsider_ceilings(right, worker, progress, stop);
    }
    return details_of(attempts, stop);
}

RoundDetail run_round(const RunPlan& plan, WorkerClient& worker, const Progress& progress, std::stop_token stop) {
    return std::move(run_rounds({&plan, 1}, worker, progress, {}, stop).front());
}

bool was_refused(const RoundDetail& detail) {
    return detail.round.status == Status::unavailable && detail.round.environment.empty();
}

}  // namespace kernelgen
