// SPDX-License-Identifier: Apache-2.0
#include "app/cli/selftest.h"

#include <algorithm>
#include <chrono>
#include <format>
#include <iostream>
#include <nlohmann/json.hpp>

#include "core/base/text.h"

namespace kernelgen::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr double kernel_limit_seconds = 5;  ///< one that hangs is ended then
constexpr std::string_view dtypes[] = {"f32", "f16", "bf16"};

/// A small case of each dtype: what matters is run on awkward sizes.
std::vector<std::string> small_cases(const Project& project) {
    std::vector<std::string> cases;
    for (const std::string_view dtype : dtypes) {
        std::string text;
        for (const std::string& symbol : project.definition.symbols) text += symbol + "=512,";
        cases.push_back(text + "dtype=" + std::string(dtype));
    }
    return cases;
}

std::vector<std::string> names_of(const std::vector<Status>& statuses) {
    std::vector<std::string> names;
    for (const Status status : statuses) names.emplace_back(to_string(status));
    return names;
}

std::string beginning_of(const std::string& text) {
    constexpr std::size_t longest = 100;
    std::string line(first_line(text));
    if (line.size() > longest) line = line.substr(0, longest) + "…";
    return line;
}

std::string verdict_of(const SelftestResult& result) {
    if (result.as_expected()) return "as expected";
    if (result.is_too_fast) return "TOO FAST";
    return "EXPECTED " + join(names_of(result.expected), " or ");
}

std::string remark_of(const SelftestResult& result) {
    std::string text;
    for (const auto& [name, speedup] : result.speedups) text += std::format("{:.2f}× ", speedup);
    return text + beginning_of(result.reason);
}

void print_line(const SelftestResult& result) {
    std::cout << std::format("{:<11} {:<22} {:>5} checks {:>6.1f} s  {:<16} {:<12} {}\n", result.project,
                             result.variant, result.checks, result.seconds, to_string(result.status),
                             verdict_of(result), remark_of(result))
              << std::flush;
}

}  // namespace

bool SelftestResult::as_expected() const { return !is_too_fast && std::ranges::contains(expected, status); }

nlohmann::ordered_json to_json(const SelftestResult& result) {
    return {{"part", result.part},
            {"operator", result.project},
            {"variant", result.variant},
            {"status", to_string(result.status)},
            {"expected", names_of(result.expected)},
            {"as_expected", result.as_expected()},
            {"too_fast", result.is_too_fast},
            {"speedups", result.speedups},
            {"checks", result.checks},
            {"seconds", result.seconds},
            {"reason", result.reason}};
}

Selftest::Selftest(DeviceInfo device, Context& context, std::unique_ptr<WorkerClient> worker)
    : device_(std::move(device)), context_(context), worker_(std::move(worker)) {}

bool Selftest::is_wanted(const Variant& variant) const {
    return runs_on(variant, device_.name) && (only_.empty() || std::ranges::contains(only_, variant.name));
}

bool Selftest::has_language(const Variant& variant) const {
    return std::ranges::contains(device_.languages, variant.language);
}

/// Runs the variants of a sample that are to be tested. What a library computes is the library's to test, and Triton's
/// kernels are not meant for its interpreter: both are left out.
void Selftest::run_sample(const Project& project) {
    for (const Variant& variant : project.variants) {
        const bool is_interpreted = variant.language == Language::triton && runs_on_host(device_.name);
        if (is_of_others(variant.language) || is_interpreted || !is_wanted(variant) || !has_language(variant)) continue;
        RunOptions options;
        options.variant = variant.name;
        options.cases = small_cases(project);
        finish(
            attempt(project, options, false, {.part = "samples", .variant = variant.name, .expected = {Status::ok}}));
    }
}

void Selftest::run_hostile(const std::string& part, const HostileProject& hostile) {
    for (const HostileAttempt& each : hostile.attempts) {
        const Variant& variant = *hostile.project.find_variant(each.variant);
        const bool is_elsewhere = !each.device.empty() && each.device != kind_of_device(device_.name);
        if (is_elsewhere || !is_wanted(variant)) continue;
        if (!has_language(variant)) {
            ++left_out_;
            continue;
        }
        SelftestResult result = attempt_hostile(part, hostile, each);
        if (each.spoils) worker_.reset();
        if (each.is_pace) keep_pace(result, variant.language);
        else if (hostile.is_timed && result.status == Status::ok) hold_to_pace(result, part, hostile, variant.language);
        finish(std::move(result));
    }
}

/// Says whether a result is faster than an honest kernel's of its language, which is timed where it was not, and again
/// where it seems slower: something else may have slowed it down.
void Selftest::hold_to_pace(SelftestResult& result, const std::string& part, const HostileProject& hostile,
                            Language language) {
    const auto is_pace = [&](const HostileAttempt& each) {
        return each.is_pace && hostile.project.find_variant(each.variant)->language == language;
    };
    const auto pace = std::ranges::find_if(hostile.attempts, is_pace);
    if (pace == hostile.attempts.end()) return;
    const auto time_pace = [&] {
        paces_[language].clear();
        keep_pace(attempt_hostile(part, hostile, *pace), language);
    };
    if (!paces_.contains(language)) time_pace();
    if (is_too_fast(result, language)) time_pace();
    result.is_too_fast = is_too_fast(result, language);
}

SelftestResult Selftest::attempt_hostile(const std::string& part, const HostileProject& hostile,
                                         const HostileAttempt& each) {
    RunOptions options;
    options.variant = each.variant;
    options.cases = each.cases;
    options.counters = false;
    return attempt(hostile.project, options, hostile.is_timed,
                   {.part = part, .variant = each.variant, .expected = each.ends});
}

/// The worker, or a new one where the last kernel has ended or spoilt it.
bool Selftest::need_worker(SelftestResult& result) {
    if (worker_ && worker_->alive()) return true;
    worker_.reset();
    auto started = context_.start_worker();
    if (started) worker_ = std::move(*started);
    else result.reason = started.error().message;
    return worker_ != nullptr;
}

SelftestResult Selftest::attempt(const Project& project, const RunOptions& options, bool is_timed,
                                 SelftestResult result) {
    result.project = project.definition.name;
    result.status = Status::unavailable;
    const Clock::time_point start = Clock::now();
    RunOptions complete = options;
    complete.device = device_.name;
    complete.timeout_seconds = kernel_limit_seconds;
    const Validated<RunPlan> plan = plan_run(project, complete);
    if (!plan) {
        result.reason = to_string(plan.error());
    } else if (!context_.interrupted.stop_requested() && need_worker(result)) {
        if (is_timed) time(*plan, result);
        else verify(*plan, result);
    }
    result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    clear_progress();
    return result;
}

/// Prints and keeps a result, unless the user has interrupted it.
void Selftest::finish(SelftestResult result) {
    if (context_.interrupted.stop_requested()) return;
    if (!context_.json) print_line(result);
    results_.push_back(std::move(result));
}

void Selftest::verify(const RunPlan& plan, SelftestResult& result) {
    const VerifyResult verified =
        verify_candidate(plan, *worker_, terminal_progress(), context_.interrupted.get_token());
    result.status = verified.status;
    result.reason = verified.reason;
    result.checks = verified.checks;
}

/// Times a plan as `kernelgen run` does, but records nothing.
void Selftest::time(const RunPlan& plan, SelftestResult& result) {
    const RoundDetail detail = run_round(plan, *worker_, terminal_progress(), context_.interrupted.get_token());
    result.status = detail.round.status;
    result.reason = detail.round.reason;
    result.checks = detail.verification.checks;
    for (const RoundCase& each : detail.round.cases) {
        if (each.speedup > 0) result.speedups[each.binding.name] = each.speedup;
    }
}

void Selftest::keep_pace(const SelftestResult& result, Language language) {
    std::map<std::string, double>& pace = paces_[language];
    for (const auto& [name, speedup] : result.speedups) pace[name] = std::max(pace[name], speedup);
}

/// Whether it ended `ok` with a speedup that no honest kernel of its language has.
bool Selftest::is_too_fast(const SelftestResult& result, Language language) const {
    const auto pace = paces_.find(language);
    return result.status == Status::ok && pace != paces_.end() && kernelgen::is_too_fast(result.speedups, pace->second);
}

}  // namespace kernelgen::cli
