// SPDX-License-Identifier: Apache-2.0
#include "core/engine/run.h"

#include <algorithm>
#include <format>

#include "core/base/sentences.h"
#include "core/base/text.h"
#include "core/generate/torch_writer.h"
#include "core/lang/analysis.h"
#include "core/project/project_file.h"

namespace kernelgen {

namespace {

std::vector<std::string> names_of(const auto& items) {
    std::vector<std::string> names;
    for (const auto& item : items) names.push_back(item.name);
    return names;
}

std::string choice(std::string_view word, const std::vector<std::string>& known) {
    const std::string near = did_you_mean(word, known);
    return near.empty() ? "there are: " + join(known, ", ") : near;
}

Diagnostic usage(std::string where, std::string message, std::string suggestion) {
    return {"", std::move(where), std::move(message), std::move(suggestion)};
}

/// The variant that an option names, or the one that the project itself chooses.
const Variant* choose_variant(const Project& project, const std::string& name, const char* option,
                              const Variant* fallback, Diagnostics& diagnostics) {
    if (name.empty()) return fallback;
    const Variant* found = project.find_variant(name);
    if (found == nullptr) {
        diagnostics.push_back(
            usage(option, "unknown variant `" + name + "`", choice(name, names_of(project.variants))));
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
                usage("--case", "unknown case `" + text + "`", choice(text, names_of(project.cases))));
        }
    }
    return cases;
}

/// A variant with its text and configuration; `changes` are applied where they are for it.
std::optional<Implementation> implement(const Project& project, const Variant& variant, const Configuration& changes,
                                        Diagnostics& diagnostics) {
    Result<std::string> text = source_text(project, variant);
    if (!text) diagnostics.push_back(usage("variant " + variant.name, text.error().message, ""));
    Result<Configuration> configuration = with_changes(variant, configuration_of(variant), changes);
    if (!configuration) diagnostics.push_back(usage("--set", configuration.error().message, ""));
    if (!text || !configuration) return std::nullopt;
    return Implementation{variant, std::move(*text), std::move(*configuration)};
}

/// The variant that judges where the operator has no body.
std::optional<Implementation> reference_of(const Project& project) {
    const Variant* judge = project.find_variant(project.definition.reference);
    if (judge == nullptr) return std::nullopt;
    Diagnostics ignored;  // load_project has read this source already
    return implement(project, *judge, {}, ignored);
}

VerifyRequest verify_request(const RunPlan& plan, const Implementation& implementation) {
    VerifyRequest request;
    request.definition = plan.project.definition;
    request.cases = plan.cases;
    request.accuracy = plan.project.accuracy;
    request.candidate = implementation;
    request.reference = reference_of(plan.project);
    request.device = plan.options.device;
    request.timeout_seconds = plan.options.timeout_seconds;
    request.dump_folder = plan.options.dump_folder;
    return request;
}

/// Keeps the first status that is not ok in DESIGN's order, with its reason.
void take_status(Round& round, Status status, const std::string& reason) {
    if (worst(round.status, status) == round.status) return;
    round.status = status;
    round.reason = reason;
}

/// The device's environment, and its ceilings where they have been measured. False ends the round.
bool survey_device(RoundDetail& detail, const RunPlan& plan, WorkerClient& worker, std::stop_token stop) {
    const std::string& device = detail.round.device;
    const Result<std::vector<WorkerDevice>> devices = worker.devices(stop);
    if (!devices) {
        take_status(detail.round, stop.stop_requested() ? Status::cancelled : Status::crashed, devices.error().message);
        return false;
    }
    const auto found = std::ranges::find(*devices, device, [](const WorkerDevice& each) { return each.info.name; });
    if (found == devices->end() || !found->info.available) {
        take_status(detail.round, Status::unavailable,
                    found == devices->end() ? std::format(sentences::no_device, device) : found->info.reason);
        return false;
    }
    detail.environment = found->info.environment;
    const bool baseline_is_python = plan.baseline && is_python(plan.baseline->variant.language);
    if (is_python(plan.candidate.variant.language) || baseline_is_python) {
        std::string& libraries = detail.environment.libraries;
        libraries += (libraries.empty() ? "" : ", ") + found->info.python;
    }
    detail.round.environment = fingerprint(detail.environment);
    detail.ceilings = found->ceilings;
    return true;
}

/// Measures the device's ceilings where nobody has. Without them there is no roofline, but the round still counts; why
/// is said among the warnings.
void require_ceilings(RoundDetail& detail, WorkerClient& worker, const Progress& progress, std::stop_token stop) {
    if (detail.ceilings.measured()) return;
    Result<Ceilings> measured = worker.measure_ceilings(detail.round.device, progress, stop);
    if (measured) detail.ceilings = std::move(*measured);
    else detail.verification.warnings.push_back(std::format(sentences::no_ceilings, measured.error().message));
}

bool verify_baseline(RoundDetail& detail, const RunPlan& plan, WorkerClient& worker, const Progress& progress,
                     std::stop_token stop) {
    VerifyRequest request = verify_request(plan, *plan.baseline);
    request.own_cases_only = true;
    const VerifyResult result = worker.verify(request, progress, stop);
    for (const std::string& warning : result.warnings) {
        detail.verification.warnings.push_back(
            std::format(sentences::of_baseline, plan.baseline->variant.name, warning));
    }
    const bool converts = std::ranges::any_of(
        plan.cases, [&](const Case& each) { return converts_first(*plan.baseline, each.dtype); });
    if (converts) {
        detail.verification.warnings.push_back(
            std::format(sentences::of_baseline, plan.baseline->variant.name, sentences::converts_first));
    }
    if (result.status == Status::ok) return true;
    take_status(detail.round, result.status,
                std::format(sentences::baseline_failed, plan.baseline->variant.name, result.reason));
    return false;
}

BenchRequest bench_request(const RunPlan& plan, const Case& binding) {
    return {.definition = plan.project.definition,
            .binding = binding,
            .accuracy = plan.project.accuracy,
            .performance = plan.project.performance,
            .candidate = plan.candidate,
            .baseline = *plan.baseline,
            .reference = reference_of(plan.project),
            .device = plan.options.device,
            .timeout_seconds = plan.options.timeout_seconds,
            .counters = plan.options.counters};
}

void time_cases(RoundDetail& detail, const RunPlan& plan, WorkerClient& worker, const Progress& progress,
                std::stop_token stop) {
    for (const Case& binding : plan.cases) {
        const Progress named = [&](std::string_view stage, int done, int total) {
            progress(std::string(stage) + " " + binding.name, done, total);
        };
        BenchResult timing = worker.bench(bench_request(plan, binding), named, stop);
        timing.binding = binding;
        take_status(detail.round, timing.status, std::format(sentences::of_case, binding.name, timing.reason));
        detail.timings.push_back(std::move(timing));
        if (stop.stop_requested()) return;
    }
}

/// A result above the ceilings casts doubt on one of the two: a shared machine's memory may have been slower when they
/// were measured. They are measured once more; a result that stays above them is flagged.
void reconsider_ceilings(RoundDetail& detail, WorkerClient& worker, const Progress& progress, std::stop_token stop) {
    const Checked<Body> body = analyse(detail.definition);
    if (!body || !detail.ceilings.measured()) return;
    const bool above = std::ranges::any_of(detail.timings, [&](const BenchResult& timing) {
        return timing.status == Status::ok && place_on_roofline(analyse_case(detail.definition, *body, timing.binding),
                                                                arithmetic_of(detail.definition, timing.binding),
                                                                timing.candidate.p50, detail.ceilings)
                                                  .implausible;
    });
    if (!above || stop.stop_requested()) return;
    Result<Ceilings> measured = worker.measure_ceilings(detail.round.device, progress, stop);
    if (!measured) return;
    detail.ceilings = std::move(*measured);
    detail.verification.warnings.push_back(std::string(sentences::ceilings_again));
}

RoundCase summarise_case(const Case& binding, const RoundDetail& detail) {
    RoundCase summary{.binding = binding, .roofline = {}};
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
        if (const Checked<Body> body = analyse(detail.definition)) {
            summary.roofline =
                place_on_roofline(analyse_case(detail.definition, *body, binding),
                                  arithmetic_of(detail.definition, binding), summary.seconds, detail.ceilings);
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

Checked<RunPlan> plan_run(const Project& project, const RunOptions& options) {
    Diagnostics diagnostics;
    RunPlan plan{.project = project, .candidate = {}, .baseline = {}, .cases = {}, .options = options};
    const Variant* baseline =
        choose_variant(project, options.baseline, "--baseline", baseline_for(project, options.device), diagnostics);
    const Variant* candidate =
        choose_variant(project, options.variant, "--variant", candidate_for(project, options.device), diagnostics);
    plan.cases = choose_cases(options, project, diagnostics);
    if (diagnostics.empty() && candidate == nullptr) {
        diagnostics.push_back(usage("--device",
                                    "no variant of this project but the baseline is for `" + options.device + "`",
                                    "there are: " + join(names_of(project.variants), ", ")));
    }
    if (diagnostics.empty() && plan.cases.empty()) {
        diagnostics.push_back(
            usage("--case", "the project has no case", "give one: --case \"P=1024,D=1024,dtype=f32\""));
    }
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    const auto made = implement(project, *candidate, options.changes, diagnostics);
    if (made) plan.candidate = *made;
    if (baseline != nullptr) {
        // A kernel against itself is a control of the measurement: both sides take the changes.
        plan.baseline =
            implement(project, *baseline, baseline == candidate ? options.changes : Configuration{}, diagnostics);
    }
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    return plan;
}

VerifyResult verify_candidate(const RunPlan& plan, WorkerClient& worker, const Progress& progress,
                              std::stop_token stop) {
    VerifyRequest request = verify_request(plan, plan.candidate);
    request.own_cases_only = plan.options.as_baseline;
    return worker.verify(request, progress, stop);
}

RoundDetail run_round(const RunPlan& plan, WorkerClient& worker, const Progress& progress, std::stop_token stop) {
    RoundDetail detail;
    detail.definition = plan.project.definition;
    detail.candidate = plan.candidate;
    Round& round = detail.round;
    round.time = now_utc();
    round.device = plan.options.device;
    round.variant = plan.candidate.variant.name;
    round.configuration = plan.candidate.configuration;
    round.note = plan.options.note;
    round.target_speedup = plan.project.performance.target_speedup;
    round.source_hash = hash_hex(plan.candidate.text);
    if (plan.baseline) {
        detail.baseline = *plan.baseline;
        round.baseline = plan.baseline->variant.name;
    }
    if (survey_device(detail, plan, worker, stop)) {
        detail.verification = verify_candidate(plan, worker, progress, stop);
        take_status(round, detail.verification.status, detail.verification.reason);
    } else {
        detail.verification.status = round.status;
        detail.verification.reason = round.reason;
    }
    if (round.status == Status::ok && !plan.baseline) {
        take_status(round, Status::unavailable, std::format(sentences::no_baseline, round.device));
    }
    if (round.status == Status::ok && verify_baseline(detail, plan, worker, progress, stop)) {
        require_ceilings(detail, worker, progress, stop);
        time_cases(detail, plan, worker, progress, stop);
        if (!plan.options.ceilings_settled) reconsider_ceilings(detail, worker, progress, stop);
    }
    if (stop.stop_requested()) {
        round.status = Status::cancelled;
        round.reason = "cancelled by the user";
    }
    summarise_round(detail, plan);
    return detail;
}

}  // namespace kernelgen
