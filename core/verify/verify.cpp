// SPDX-License-Identifier: Apache-2.0
#include "core/verify/verify.h"

#include <algorithm>
#include <chrono>
#include <format>
#include <limits>
#include <memory>
#include <new>

#include "core/base/sentences.h"
#include "core/verify/awkward_sizes.h"
#include "core/verify/check.h"

namespace kernelgen {
namespace {

constexpr std::uint64_t seeds[] = {1, 2, 3, 4, 5};
constexpr int most_failures = 3;  ///< of awkward sizes, after which the rest is left out
constexpr int most_deaths = 2;    ///< of executors

/// The dtypes of cases, each once, in order of appearance.
std::vector<DType> dtypes_of(const std::vector<Case>& cases) {
    std::vector<DType> dtypes;
    for (const Case& each : cases) {
        if (std::ranges::find(dtypes, each.dtype) == dtypes.end()) dtypes.push_back(each.dtype);
    }
    return dtypes;
}

class Verification {
public:
    Verification(const VerifyRequest& request, const Body* body, Backend& backend, const Progress& progress,
                 std::stop_token stop);

    VerifyResult run();

private:
    std::vector<Check> own_checks() const;
    std::vector<Check> awkward_checks();
    std::vector<Check> edge_checks_of_one_size();
    std::vector<Case> awkward_cases(DType dtype);

    void run_own(const std::vector<Check>& checks);
    void run_awkward(const std::vector<Check>& checks);
    void record_edges(const std::vector<Check>& checks);
    CaseAccuracy check(const Check& check);
    CaseAccuracy not_run(const Check& check, Status status, std::string reason) const;
    VerifyResult finish();

    const VerifyRequest& request_;
    const Body* body_;
    const Progress& progress_;
    std::stop_token stop_;
    bool can_guard_;
    bool is_interpreted_;  ///< by Triton, on a CPU
    KernelRunner runner_;
    std::unique_ptr<Yardstick> yardstick_;
    Checker checker_;
    VerifyResult result_;
    int done_ = 0, total_ = 0;
};

std::unique_ptr<Yardstick> make_yardstick(const VerifyRequest& request, const Body* body, Backend& backend,
                                          const Progress& progress, std::stop_token stop) {
    if (body != nullptr) return body_yardstick(request.definition, *body, request.accuracy);
    return variant_yardstick(request.definition, *request.reference, request.accuracy,
                             {backend, request.definition, *request.reference, request.device, request.timeout_seconds,
                              progress, std::move(stop)});
}

Verification::Verification(const VerifyRequest& request, const Body* body, Backend& backend, const Progress& progress,
                           std::stop_token stop)
    : request_(request),
      body_(body),
      progress_(progress),
      stop_(stop),
      // What a vendor's library reads beside its buffers is not the user's to mend.
      can_guard_(backend.kind() == "cpu" && request.candidate.variant.language != Language::library),
      is_interpreted_(backend.kind() == "cpu" && request.candidate.variant.language == Language::triton),
      runner_(backend, request.definition, request.candidate, request.device, request.timeout_seconds, progress, stop),
      yardstick_(make_yardstick(request, body, backend, progress, stop)),
      checker_(request.definition, request.candidate, runner_, *yardstick_, request.dump_folder) {}

/// Triton's interpreter takes about a millisecond a program, which may be one row.
constexpr std::int64_t most_rows = 1000;

/// Of the first output: the product of all its axes but the last.
std::int64_t rows_of(const Operator& definition, const Case& binding) {
    const std::vector<std::int64_t> sizes = extents(definition.outputs[0], binding.sizes);
    std::int64_t rows = 1;
    for (std::size_t axis = 0; axis + 1 < sizes.size(); ++axis) rows *= sizes[axis];
    return rows;
}

/// Of the first output, as far as 64 bits tell: what is beyond them is last.
std::int64_t output_elements(const Operator& definition, const Case& binding) {
    return element_count(definition.outputs[0], binding.sizes).value_or(std::numeric_limits<std::int64_t>::max());
}

VerifyResult Verification::run() {
    const std::vector<Check> own = own_checks();
    const std::vector<Check> others = request_.own_cases_only ? edge_checks_of_one_size() : awkward_checks();
    total_ = static_cast<int>(own.size() + others.size());
    run_own(own);
    const bool passed =
        std::ranges::all_of(result_.cases, [](const CaseAccuracy& each) { return each.status == Status::ok; });
    if (passed && request_.own_cases_only) record_edges(others);
    if (passed && !request_.own_cases_only) run_awkward(others);
    return finish();
}

std::vector<Check> Verification::own_checks() const {
    std::vector<Check> checks;
    for (const Case& each : request_.cases) checks.push_back({each, InputSet::normal, seeds[0], true, can_guard_});
    if (is_interpreted_) {
        std::ranges::stable_sort(checks, {},
                                 [&](const Check& each) { return output_elements(request_.definition, each.binding); });
    }
    return checks;
}

std::vector<Case> Verification::awkward_cases(DType dtype) {
    AwkwardSizes sizes = awkward_sizes(request_.definition, body_, request_.candidate, dtype);
    if (sizes.skipped > 0) {
        result_.warnings.push_back(std::format(sentences::sizes_left_out, sizes.skipped, to_string(dtype)));
    }
    if (is_interpreted_) {
        const std::size_t slow = std::erase_if(
            sizes.cases, [&](const Case& each) { return rows_of(request_.definition, each) > most_rows; });
        if (slow > 0) result_.warnings.push_back(std::format(sentences::sizes_not_interpreted, slow, to_string(dtype)));
    }
    return std::move(sizes.cases);
}

std::vector<Check> Verification::awkward_checks() {
    std::vector<Check> checks;
    for (const DType dtype : dtypes_of(request_.cases)) {
        for (const Case& binding : awkward_cases(dtype)) {
            for (const std::uint64_t seed : seeds) {
                checks.push_back({binding, InputSet::normal, seed, false, can_guard_ && seed == seeds[0]});
            }
            for (const InputSet set : edge_sets) checks.push_back({binding, set, seeds[0], false, false});
        }
    }
    return checks;
}

std::vector<Check> Verification::edge_checks_of_one_size() {
    std::vector<Check> checks;
    for (const DType dtype : dtypes_of(request_.cases)) {
        const std::vector<Case> cases = awkward_sizes(request_.definition, body_, request_.candidate, dtype).cases;
        if (cases.empty()) continue;
        const Case& binding = cases[std::min<std::size_t>(1, cases.size() - 1)];  // primes, where there are any
        for (const InputSet set : edge_sets) checks.push_back({binding, set, seeds[0], false, false});
    }
    return checks;
}

CaseAccuracy Verification::check(const Check& check) {
    CaseAccuracy accuracy = checker_.run(check, stop_);
    ++result_.checks;
    progress_("verify", ++done_, total_);
    return accuracy;
}

CaseAccuracy Verification::not_run(const Check& check, Status status, std::string reason) const {
    CaseAccuracy accuracy;
    accuracy.binding = check.binding;
    accuracy.seed = check.seed;
    accuracy.own_case = true;
    accuracy.status = status;
    accuracy.reason = std::move(reason);
    return accuracy;
}

void Verification::run_own(const std::vector<Check>& checks) {
    CaseAccuracy last;
    bool failed = false;
    for (const Check& each : checks) {
        const auto violated =
            violated_restriction(request_.candidate.variant, request_.candidate.configuration, each.binding.sizes);
        if (violated) {
            result_.cases.push_back(not_run(each, Status::restricted, *violated));
        } else if (stop_.stop_requested()) {
            result_.cases.push_back(not_run(each, Status::cancelled, "stopped before it was run"));
        } else if (is_interpreted_ && failed) {
            result_.cases.push_back(not_run(each, Status::cancelled, std::string(sentences::case_not_interpreted)));
        } else if (runner_.deaths() >= most_deaths) {
            result_.cases.push_back(
                not_run(each, last.status, "not run: twice before the kernel's process ended: " + last.reason));
        } else {
            last = check(each);
            failed = failed || last.status != Status::ok;
            result_.cases.push_back(last);
        }
    }
}

void Verification::run_awkward(const std::vector<Check>& checks) {
    int failures = 0;
    const int deaths = runner_.deaths();
    for (const Check& each : checks) {
        CaseAccuracy accuracy = check(each);
        if (accuracy.status == Status::ok) continue;
        const bool ends =
            accuracy.status == Status::cancelled || runner_.deaths() > deaths || ++failures == most_failures;
        result_.cases.push_back(std::move(accuracy));
        if (ends) return;
    }
}

void Verification::record_edges(const std::vector<Check>& checks) {
    for (const Check& each : checks) {
        const CaseAccuracy accuracy = check(each);
        if (accuracy.status == Status::ok) continue;
        if (accuracy.status == Status::cancelled) {
            result_.cases.push_back(accuracy);
            return;
        }
        result_.warnings.push_back(std::format(sentences::edge_deviation, to_string(each.set), each.binding.name,
                                               to_string(accuracy.status), accuracy.reason));
        if (runner_.deaths() >= most_deaths) return;
    }
}

VerifyResult Verification::finish() {
    for (const CaseAccuracy& each : result_.cases) {
        if (worst(result_.status, each.status) == result_.status) continue;
        result_.status = each.status;
        result_.reason = std::format("{}: {}", each.binding.name, each.reason);
    }
    if (const std::string printed = runner_.printed(); !printed.empty()) {
        result_.warnings.push_back("the kernel printed: " + printed);
    }
    if (const std::string note = yardstick_->note(); !note.empty()) result_.warnings.push_back(note);
    result_.built = runner_.build_keys();
    return std::move(result_);
}

VerifyResult failed(Status status, std::string reason) {
    VerifyResult result;
    result.status = status;
    result.reason = std::move(reason);
    return result;
}

VerifyResult verify_by_reference(const VerifyRequest& request, Backend& backend, const Progress& progress,
                                 std::stop_token stop) {
    if (request.cases.empty()) return failed(Status::unavailable, "there is no case to verify on; give `cases` one");
    if (request.definition.family == "custom") {
        if (request.reference) return Verification(request, nullptr, backend, progress, stop).run();
        return failed(Status::unavailable,
                      "family `custom` needs `reference` in the operator: the variant that judges");
    }
    const Checked<Body> body = analyse(request.definition);
    if (!body) return failed(Status::build_failed, to_string(body.error()));
    return Verification(request, &*body, backend, progress, stop).run();
}

}  // namespace

VerifyResult verify(const VerifyRequest& request, Backend& backend, const Progress& progress, std::stop_token stop) {
    const auto start = std::chrono::steady_clock::now();
    VerifyResult result;
    try {
        result = verify_by_reference(request, backend, progress, stop);
    } catch (const std::bad_alloc&) {
        result = failed(Status::over_limit, "no memory is left to verify with");
    } catch (const std::exception& error) {
        result = failed(Status::unavailable, std::string("the verification broke off: ") + error.what());
    }
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

}  // namespace kernelgen
