// SPDX-License-Identifier: Apache-2.0
#include "core/gate/check.h"

#include <algorithm>
#include <cmath>
#include <format>
#include <nlohmann/json.hpp>

#include "core/base/text.h"
#include "core/gate/first_slower.h"
#include "core/project/project_file.h"

namespace kernelgen {
namespace {

constexpr int most_timings = 3;
constexpr const char* stored_name = "stored";

/// What all steps of a check need.
struct Job {
    const StoredBaseline& stored;
    const GateOptions& options;
    std::span<const GateCheck> past;
    WorkerClient& worker;
    const Progress& progress;
    std::stop_token stop;
};

/// How far earlier checks in pairs found the case from 1, where nothing had changed. Checks of changed sources teach
/// nothing: a kernel that becomes slower step by step would raise its own threshold.
std::vector<double> changes_of(std::span<const GateCheck> past, const Case& binding, const std::string& environment) {
    std::vector<double> changes;
    for (const GateCheck& check : past) {
        if (check.archived || !check.unchanged || check.environment != environment) continue;
        for (const GatedCase& each : check.cases) {
            if (is_same_case(each.binding, binding) && each.runs > 0)
                changes.push_back(std::abs(each.ratio.median - 1));
        }
    }
    return changes;
}

Threshold threshold_of(const Case& binding, const std::string& environment, const Job& job) {
    if (job.options.threshold) return {*job.options.threshold, "given"};
    const StoredCase* stored = job.stored.find(binding);
    if (stored != nullptr && stored->threshold) return {*stored->threshold, "stored"};
    return learned_threshold(changes_of(job.past, binding, environment));
}

void judge_accuracy(GatedCase& checked, const StoredCase* stored, const VerifyResult& verified) {
    checked.accuracy_now = accuracy_of(verified, checked.binding);
    if (stored == nullptr) return;
    checked.accuracy_then = stored->accuracy;
    checked.worse_in = worse_in(checked.accuracy_now, stored->accuracy, stored->limits);
}

/// The stored cases that the project does not have any more, where all of its cases are checked.
void add_missing(std::vector<GatedCase>& cases, const Job& job) {
    for (const StoredCase& stored : job.stored.cases) {
        const bool is_there =
            std::ranges::any_of(cases, [&](const GatedCase& each) { return job.stored.find(each.binding) == &stored; });
        if (!is_there)
            cases.push_back(
                {.binding = stored.binding, .reason = "the stored case is not one of the project any more"});
    }
}

/// The cases of a round, each with its threshold and accuracy; not yet judged by time.
/// Errors of another operator are compared with nothing.
std::vector<GatedCase> cases_of(const RoundDetail& detail, const RunPlan& plan, const Job& job,
                                bool is_same_operator = true) {
    std::vector<GatedCase> cases;
    for (const Case& binding : plan.cases) {
        GatedCase& checked = cases.emplace_back();
        checked.binding = binding;
        checked.threshold = threshold_of(binding, detail.round.environment, job);
        judge_accuracy(checked, is_same_operator ? job.stored.find(binding) : nullptr, detail.verification);
    }
    if (plan.options.cases.empty()) add_missing(cases, job);
    return cases;
}

const BenchResult* timing_of(const RoundDetail& detail, const Case& binding) {
    const auto found = std::ranges::find(detail.timings, binding, &BenchResult::binding);
    return found == detail.timings.end() || found->status != Status::ok ? nullptr : &*found;
}

/// The verdicts on one case, timing by timing.
struct Verdicts {
    std::vector<Verdict> all = {};

    /// The verdict on which two agree; `same` decides alone.
    std::optional<Verdict> decided() const {
        if (all.front() == Verdict::same) return Verdict::same;
        for (const Verdict each : all) {
            if (std::ranges::count(all, each) >= 2) return each;
        }
        return std::nullopt;
    }
};

void judge(GatedCase& checked, const BenchResult& timing, Verdicts& verdicts) {
    const Ratio ratio{timing.speedup.median, timing.speedup.lower, timing.speedup.upper};
    const Verdict verdict = judge_pairs(ratio, checked.threshold.share);
    verdicts.all.push_back(verdict);
    ++checked.runs;
    const std::optional<Verdict> decided = verdicts.decided();
    if (!decided || *decided == verdict) checked.ratio = ratio;
    checked.verdict = decided.value_or(Verdict::ambiguous);
}

void fail_with(GateCheck& check, const RoundDetail& detail) {
    check.status = detail.round.status;
    check.reason = detail.round.reason;
}

/// Times the undecided cases again until two timings of each agree.
void repeat_undecided(GateCheck& check, RunPlan plan, std::vector<Verdicts>& verdicts, const Job& job) {
    for (int timing = 1; timing < most_timings; ++timing) {
        plan.cases.clear();
        for (std::size_t i = 0; i < check.cases.size(); ++i) {
            if (check.cases[i].runs > 0 && !verdicts[i].decided()) plan.cases.push_back(check.cases[i].binding);
        }
        if (plan.cases.empty() || job.stop.stop_requested()) return;
        const RoundDetail detail = run_round(plan, job.worker, job.progress, job.stop);
        for (std::size_t i = 0; i < check.cases.size(); ++i) {
            const bool asked = std::ranges::contains(plan.cases, check.cases[i].binding);
            const BenchResult* timed = timing_of(detail, check.cases[i].binding);
            if (asked && timed != nullptr) judge(check.cases[i], *timed, verdicts[i]);
        }
        if (detail.round.status != Status::ok) return fail_with(check, detail);
    }
}

/// Whether the stored sources could be timed, or the present ones are at fault.
bool check_in_pairs(GateCheck& check, RunPlan plan, const Job& job) {
    plan.baseline = job.stored.implementation;
    plan.baseline->variant.name = stored_name;
    const RoundDetail detail = run_round(plan, job.worker, job.progress, job.stop);
    check.environment = detail.round.environment;
    const bool stored_failed = detail.round.status != Status::ok && detail.verification.status == Status::ok &&
                               detail.verification.checks > 0 && detail.timings.empty();
    if (stored_failed && !job.stop.stop_requested()) {
        check.reason = say("the stored sources cannot be timed any more: {}", detail.round.reason);
        return false;
    }
    check.cases = cases_of(detail, plan, job);
    if (detail.round.status != Status::ok) {
        fail_with(check, detail);
        return true;
    }
    std::vector<Verdicts> verdicts(check.cases.size());
    for (std::size_t i = 0; i < check.cases.size(); ++i) {
        if (const BenchResult* timed = timing_of(detail, check.cases[i].binding))
            judge(check.cases[i], *timed, verdicts[i]);
    }
    plan.verified = detail.verification;
    repeat_undecided(check, std::move(plan), verdicts, job);
    return true;
}

void judge_with_archive(GatedCase& checked, const BenchResult& timing, const StoredCase* stored, const Said& why_not) {
    if (!why_not.empty() || stored == nullptr) {
        checked.reason = why_not.empty() ? "the case is not stored" : why_not;
        return;
    }
    const Speedup& now = timing.speedup;
    checked.runs = 1;
    checked.ratio = {now.median / stored->speedup, now.lower / stored->speedup_upper,
                     now.upper / stored->speedup_lower};
    checked.verdict = judge_archived(checked.ratio, checked.threshold.share);
}

void check_with_archive(GateCheck& check, const RunPlan& plan, const Job& job) {
    check.archived = true;
    RunOptions options = plan.options;
    options.baseline = job.stored.baseline;
    Validated<RunPlan> own = plan_run(plan.project, options);
    if (!own) {
        check.status = Status::unavailable;
        check.reason = to_string(own.error());
        return;
    }
    const RoundDetail detail = run_round(*own, job.worker, job.progress, job.stop);
    check.environment = detail.round.environment;
    const bool is_same_operator = hash_of_definition(plan.project.definition) == job.stored.definition;
    check.cases = cases_of(detail, *own, job, is_same_operator);
    if (detail.round.status != Status::ok) return fail_with(check, detail);
    Said why_not;
    if (check.environment != job.stored.environment) why_not = "the baseline was recorded in another environment";
    if (!is_same_operator) why_not = "the definition has changed since the baseline was recorded";
    for (GatedCase& each : check.cases) {
        if (const BenchResult* timed = timing_of(detail, each.binding))
            judge_with_archive(each, *timed, job.stored.find(each.binding), why_not);
    }
}

}  // namespace

namespace {

/// Whether both are built of the same sources with the same configuration, on whatever device.
bool are_alike(Implementation one, Implementation other) {
    one.device = other.device = {};
    return to_json(one) == to_json(other);
}

}  // namespace

bool is_worse(const GatedCase& checked) { return checked.verdict == Verdict::slower || checked.less_accurate(); }

GateOutcome outcome_of(const GateCheck& check) {
    if (check.status != Status::ok) return GateOutcome::failed;
    if (std::ranges::any_of(check.cases, is_worse)) return GateOutcome::slower;
    const bool unsure = std::ranges::contains(check.cases, Verdict::ambiguous, &GatedCase::verdict);
    return unsure ? GateOutcome::ambiguous : GateOutcome::passed;
}

GateCheck check_gate(const RunPlan& asked, const StoredBaseline& stored, const GateOptions& options,
                     std::span<const GateCheck> past, WorkerClient& worker, const Progress& progress,
                     std::stop_token stop) {
    RunPlan plan = asked;
    plan.options.counters = false;
    GateCheck check;
    check.project = plan.project.definition.name;
    check.variant = plan.candidate.variant.name;
    check.device = plan.options.device;
    check.time = now_utc();
    check.source = plan.candidate.variant.source;
    check.round = stored.round;
    check.unchanged = are_alike(plan.candidate, stored.implementation);
    const Job job{stored, options, past, worker, progress, stop};
    if (options.archived || !check_in_pairs(check, plan, job)) check_with_archive(check, plan, job);
    if (outcome_of(check) == GateOutcome::slower) check.hint = first_slower_round(plan.project.folder, stored, check);
    return check;
}

}  // namespace kernelgen
