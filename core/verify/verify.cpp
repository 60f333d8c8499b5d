// SPDX-License-Identifier: Apache-2.0
#include "core/verify/verify.h"

#include <algorithm>
#include <chrono>
#include <format>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <new>
#include <span>
#include <tuple>

#include "core/base/sentences.h"
#include "core/project/values.h"
#include "core/project/why_not_on.h"
#include "core/verify/awkward_sizes.h"
#include "core/verify/callable_case.h"
#include "core/verify/check.h"

namespace kernelgen {
namespace {

constexpr std::uint64_t seeds[] = {1, 2, 3, 4, 5};
constexpr int most_failures = 3;  ///< of awkward sizes, after which the rest is left out
constexpr int most_deaths = 2;    ///< of executors
constexpr std::int64_t most_asked =
    1 << 22;  ///< elements of a tensor in family `custom`, up to which `mixed` and `large` run
constexpr InputSet callable_sets[] = {InputSet::negative, InputSet::zeros, InputSet::tiny,
                                      InputSet::wide,     InputSet::nan,   InputSet::infinity};
constexpr std::int64_t small_case = 1 << 18;  ///< elements of a tensor, up to which every input set takes no time

/// The dtypes of cases, each once, in order of appearance.
std::vector<DType> dtypes_of(const std::vector<Case>& cases) {
    std::vector<DType> dtypes;
    for (const Case& each : cases) {
        if (std::ranges::find(dtypes, each.dtype) == dtypes.end()) dtypes.push_back(each.dtype);
    }
    return dtypes;
}

struct ByName {
    bool operator()(const Case& a, const Case& b) const {
        return std::tie(a.name, a.dtype, a.sizes) < std::tie(b.name, b.dtype, b.sizes);
    }
};

class Verification {
public:
    Verification(const VerifyRequest& request, std::unique_ptr<Yardstick> yardstick, Backend& backend,
                 const Progress& progress, std::stop_token stop);

    VerifyResult run();

private:
    std::vector<Check> own_checks() const;
    std::vector<Check> further_checks();
    std::vector<Check> edge_checks_of_one_size();
    std::vector<Check> screen_checks();
    std::vector<Check> callable_checks();
    std::vector<Check> other_checks();
    AwkwardSizes sizes_for(DType dtype);
    std::vector<Case> own_cases(DType dtype) const;
    void add_all_sets(const Check& first, std::vector<Check>& checks) const;
    void add_own(const Case& binding, bool sizes_are_fixed, std::vector<Check>& checks) const;
    bool is_of_use(InputSet set) const;

    void run_own(const std::vector<Check>& checks);
    void run_further(const std::vector<Check>& checks);
    void record_edges(const std::vector<Check>& checks);
    CaseAccuracy check(const Check& check);
    CaseAccuracy not_run(const Check& check, Status status, Said reason) const;
    void refuse_constant_references();
    void add_remarks();
    VerifyResult finish();

    const VerifyRequest& request_;
    const Progress& progress_;
    std::stop_token stop_;
    KernelRunner runner_;
    std::unique_ptr<Yardstick> yardstick_;
    Checker checker_;
    VerifyResult result_;
    std::map<Case, std::vector<std::uint64_t>, ByName> digests_;  ///< of references, of each case's checks
    int done_ = 0, total_ = 0;
    int left_out_ = 0;  ///< checks on whose inputs the operator is not defined
};

Verification::Verification(const VerifyRequest& request, std::unique_ptr<Yardstick> yardstick, Backend& backend,
                           const Progress& progress, std::stop_token stop)
    : request_(request),
      progress_(progress),
      stop_(stop),
      runner_(backend, request.definition, request.candidate, request.device, request.timeout_seconds, progress, stop),
      yardstick_(std::move(yardstick)),
      checker_(request.definition, request.candidate, runner_, *yardstick_, request.dump_folder) {}

/// Triton's interpreter takes about a millisecond a program, which may be one row.
constexpr std::int64_t most_rows = 1000;

/// The rows of the first output: the product of all its axes but the last.
std::int64_t rows_of(const Operator& definition, const Case& binding) {
    const std::vector<std::int64_t> sizes = extents(definition.outputs[0], binding.sizes);
    std::int64_t rows = 1;
    for (std::size_t axis = 0; axis + 1 < sizes.size(); ++axis) rows *= sizes[axis];
    return rows;
}

/// The number of elements of the first output. One that does not fit into 64 bits counts as the largest number, so that
/// it sorts last.
std::int64_t output_elements(const Operator& definition, const Case& binding) {
    return element_count(definition.outputs[0], binding.sizes).value_or(std::numeric_limits<std::int64_t>::max());
}

/// The number of elements of the largest input or output.
std::int64_t most_elements_of(const Operator& definition, const Case& binding) {
    std::int64_t most = output_elements(definition, binding);
    for (const Tensor& input : definition.inputs) {
        most = std::max(most, element_count(input, binding.sizes).value_or(std::numeric_limits<std::int64_t>::max()));
    }
    return most;
}

VerifyResult Verification::run() {
    const std::vector<Check> own = own_checks();
    const std::vector<Check> others = other_checks();
    total_ = static_cast<int>(own.size() + others.size());
    run_own(own);
    const bool passed =
        std::ranges::all_of(result_.cases, [](const CaseAccuracy& each) { return each.status == Status::ok; });
    if (passed && request_.own_cases_only) record_edges(others);
    if (passed && !request_.own_cases_only) run_further(others);
    return finish();
}

std::vector<Check> Verification::own_checks() const {
    std::vector<Check> checks;
    // A definition in a file has no other sizes to be screened on.
    if (request_.is_screen && !has_file(request_.definition.family)) return checks;
    for (const Case& each : request_.cases)
        checks.push_back({each, InputSet::normal, seeds[0], true, runner_.can_guard()});
    if (runner_.is_interpreted()) {
        std::ranges::stable_sort(checks, {},
                                 [&](const Check& each) { return output_elements(request_.definition, each.binding); });
    }
    return checks;
}

AwkwardSizes Verification::sizes_for(DType dtype) {
    AwkwardSizes sizes =
        awkward_sizes(request_.definition, yardstick_->body(), request_.candidate, dtype, own_cases(dtype));
    if (sizes.skipped > 0) {
        result_.warnings.push_back(say(sentences::sizes_left_out, sizes.skipped, to_string(dtype)));
    }
    if (runner_.is_interpreted()) {
        const auto is_slow = [&](const Case& each) { return rows_of(request_.definition, each) > most_rows; };
        const std::size_t slow = std::erase_if(sizes.cases, is_slow) + std::erase_if(sizes.further, is_slow);
        if (slow > 0) result_.warnings.push_back(say(sentences::sizes_not_interpreted, slow, to_string(dtype)));
    }
    return sizes;
}

std::vector<Case> Verification::own_cases(DType dtype) const {
    std::vector<Case> own;
    std::ranges::copy_if(request_.cases, std::back_inserter(own),
                         [&](const Case& each) { return each.dtype == dtype; });
    return own;
}

/// Whether a set differs from `normal`: where every input has a domain, NaN and Inf are planted nowhere, and no value
/// is made negative.
bool Verification::is_of_use(InputSet set) const {
    const bool needs_freedom = set == InputSet::nan || set == InputSet::infinity || set == InputSet::negative;
    return !needs_freedom ||
           std::ranges::any_of(request_.definition.inputs, [](const Tensor& each) { return !each.domain; });
}

/// Adds checks with every edge set and every other seed. `first` is the check with `normal` and the first seed.
void Verification::add_all_sets(const Check& first, std::vector<Check>& checks) const {
    Check check = first;
    check.guarded = false;
    for (const std::uint64_t seed : std::span(seeds).subspan(1)) {
        check.seed = seed;
        checks.push_back(check);
    }
    check.seed = seeds[0];
    for (const InputSet set : edge_sets) {
        check.set = set;
        if (is_of_use(set)) checks.push_back(check);
    }
}

/// An own case beyond the check that judges it: with every set and seed where it is small, else with `mixed`, and where
/// the definition allows no other sizes, with every set and one seed more.
void Verification::add_own(const Case& binding, bool sizes_are_fixed, std::vector<Check>& checks) const {
    if (runner_.is_interpreted() && rows_of(request_.definition, binding) > most_rows) return;
    Check check{binding};
    if (most_elements_of(request_.definition, binding) <= small_case) return add_all_sets(check, checks);
    // On inputs of the sets `mixed` and `large`, a reference is called some twenty times to find out what may overflow
    // (OverflowMarks).
    const bool asks_too_much =
        yardstick_->body() == nullptr && most_elements_of(request_.definition, binding) > most_asked;
    if (!asks_too_much) checks.push_back({binding, InputSet::mixed, seeds[1]});
    if (asks_too_much || sizes_are_fixed) checks.push_back({binding, InputSet::normal, seeds[1]});
    if (!sizes_are_fixed) return;
    for (const InputSet set : edge_sets) {
        check.set = set;
        if (is_of_use(set) && !(asks_too_much && set == InputSet::large)) checks.push_back(check);
    }
}

std::vector<Check> Verification::further_checks() {
    std::vector<Check> checks;
    for (const DType dtype : dtypes_of(request_.cases)) {
        const AwkwardSizes sizes = sizes_for(dtype);
        for (const Case& binding : own_cases(dtype)) add_own(binding, sizes.cases.empty(), checks);
        for (const Case& binding : sizes.cases) {
            checks.push_back({binding, InputSet::normal, seeds[0], false, runner_.can_guard()});
            add_all_sets(checks.back(), checks);
        }
        for (std::size_t i = 0; i < sizes.further.size(); ++i) {
            checks.push_back(
                {sizes.further[i], InputSet::normal, seeds[i % std::size(seeds)], false, runner_.can_guard()});
            for (std::size_t set = i % 2; set < std::size(edge_sets); set += 2) {
                if (is_of_use(edge_sets[set])) checks.push_back({sizes.further[i], edge_sets[set], seeds[0]});
            }
        }
    }
    return checks;
}

/// The checks of a screen: awkward sizes, with ordinary values. Errors at the borders of tiles are the most frequent
/// ones.
std::vector<Check> Verification::screen_checks() {
    std::vector<Check> checks;
    for (const DType dtype : dtypes_of(request_.cases)) {
        for (const Case& binding : sizes_for(dtype).cases) {
            checks.push_back({binding, InputSet::normal, seeds[0], false, runner_.can_guard()});
        }
    }
    return checks;
}

/// The checks of a `callable` operator. Its file's own generator makes the inputs, so the checks are further seeds, and
/// inputs that are scaled or into which values are planted. Small cases are checked with four further seeds, large ones
/// with one.
std::vector<Check> Verification::callable_checks() {
    std::vector<Check> checks;
    for (const Case& binding : request_.cases) {
        if (runner_.is_interpreted() && rows_of(request_.definition, binding) > most_rows) {
            result_.warnings.emplace_back(sentences::variations_not_interpreted);
            continue;
        }
        const bool is_small = most_elements_of(request_.definition, binding) <= small_case;
        for (const std::uint64_t seed : std::span(seeds).subspan(1, is_small ? std::size(seeds) - 1 : 1))
            checks.push_back({binding, InputSet::normal, seed});
        for (const InputSet set : callable_sets) checks.push_back({binding, set, seeds[0]});
    }
    return checks;
}

std::vector<Check> Verification::other_checks() {
    if (has_file(request_.definition.family))
        return request_.own_cases_only || request_.is_screen ? std::vector<Check>() : callable_checks();
    if (request_.own_cases_only) return edge_checks_of_one_size();
    return request_.is_screen ? screen_checks() : further_checks();
}

std::vector<Check> Verification::edge_checks_of_one_size() {
    std::vector<Check> checks;
    for (const DType dtype : dtypes_of(request_.cases)) {
        const std::vector<Case> cases =
            awkward_sizes(request_.definition, yardstick_->body(), request_.candidate, dtype).cases;
        if (cases.empty()) continue;
        const Case& binding = cases[std::min<std::size_t>(1, cases.size() - 1)];  // primes, where there are any
        for (const InputSet set : edge_sets) checks.push_back({binding, set, seeds[0], false, false});
    }
    return checks;
}

CaseAccuracy Verification::check(const Check& check) {
    if (request_.give_way) {
        if (const Outcome given = request_.give_way(); !given.ok()) return not_run(check, given.status, given.reason);
    }
    CaseAccuracy accuracy = checker_.run(check, stop_);
    accuracy.build_key = runner_.build_key();
    ++result_.checks;
    // Of a `callable` operator only ordinary inputs count for the question whether a reference is constant: planted NaN
    // changes the output of a constant one, too.
    const bool counts = !has_file(request_.definition.family) || check.set == InputSet::normal;
    if (counts && accuracy.reference != ReferenceFacts{}) digests_[check.binding].push_back(accuracy.reference.digest);
    progress_("verify", ++done_, total_);
    return accuracy;
}

CaseAccuracy Verification::not_run(const Check& check, Status status, Said reason) const {
    CaseAccuracy accuracy;
    accuracy.binding = check.binding;
    accuracy.seed = check.seed;
    accuracy.own_case = check.own_case;
    accuracy.status = status;
    accuracy.reason = std::move(reason);
    return accuracy;
}

void Verification::run_own(const std::vector<Check>& checks) {
    CaseAccuracy last;
    bool failed = false;
    const Restrictions restrictions(request_.candidate.variant);
    for (const Check& each : checks) {
        const auto violated = restrictions.violated(request_.candidate, each.binding);
        if (violated) {
            result_.cases.push_back(not_run(each, Status::restricted, *violated));
        } else if (stop_.stop_requested()) {
            result_.cases.push_back(not_run(each, Status::cancelled, "stopped before it was run"));
        } else if (runner_.is_interpreted() && failed) {
            result_.cases.push_back(not_run(each, Status::cancelled, sentences::case_not_interpreted));
        } else if (runner_.deaths() >= most_deaths) {
            result_.cases.push_back(
                not_run(each, last.status, say("not run: twice before the kernel's process ended: {}", last.reason)));
        } else {
            last = check(each);
            failed = failed || last.status != Status::ok;
            result_.cases.push_back(last);
        }
    }
}

void Verification::run_further(const std::vector<Check>& checks) {
    int failures = 0;
    const int deaths = runner_.deaths();
    for (const Check& each : checks) {
        if (!yardstick_->applies(each)) {
            ++left_out_;
            progress_("verify", ++done_, total_);
            continue;
        }
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
        result_.warnings.push_back(say(sentences::edge_deviation, to_string(each.set), each.binding.name,
                                       to_string(accuracy.status), accuracy.reason));
        if (runner_.deaths() >= most_deaths) return;
    }
}

/// Refuses own cases of which every input set has the same reference: any kernel that writes it would pass.
void Verification::refuse_constant_references() {
    if (request_.definition.inputs.empty() && !has_file(request_.definition.family)) return;
    for (CaseAccuracy& each : result_.cases) {
        const auto known = digests_.find(each.binding);
        if (!each.own_case || each.status != Status::ok || known == digests_.end() || known->second.size() < 2)
            continue;
        const bool differ = std::ranges::adjacent_find(known->second, std::not_equal_to()) != known->second.end();
        if (differ) continue;
        each.status = Status::unavailable;
        each.reason = say(sentences::constant_reference, known->second.size());
    }
}

/// Adds what is no fault, but should be known of a candidate of a `callable` operator that passed.
void Verification::add_remarks() {
    if (result_.status != Status::ok || !has_file(request_.definition.family)) return;
    if (request_.own_cases_only || request_.is_screen) return;
    for (const CaseAccuracy& each : result_.cases) {
        if (!each.remark.empty()) result_.warnings.push_back(say(sentences::of_case, each.binding.name, each.remark));
    }
    const Result<Call> call = make_call(request_.definition, request_.candidate, request_.cases.front());
    std::vector<Said> remarks;
    const Outcome observed =
        call ? runner_.observe(*call, remarks) : Outcome{Status::unavailable, call.error().message};
    if (!observed.ok()) result_.warnings.push_back(say(sentences::not_observed, observed.reason));
    std::ranges::move(remarks, std::back_inserter(result_.warnings));
}

VerifyResult Verification::finish() {
    refuse_constant_references();
    for (const CaseAccuracy& each : result_.cases) {
        if (worst(result_.status, each.status) == result_.status) continue;
        result_.status = each.status;
        result_.reason = say(sentences::of_case, each.binding.name, each.reason);
    }
    result_.printed = runner_.printed();
    if (left_out_ > 0) result_.warnings.push_back(say(sentences::variations_left_out, left_out_));
    if (const std::string note = yardstick_->note(); !note.empty()) result_.warnings.push_back(note);
    result_.builds = runner_.builds();
    add_remarks();
    return std::move(result_);
}

VerifyResult failed(Status status, Said reason) {
    VerifyResult result;
    result.status = status;
    result.reason = std::move(reason);
    return result;
}

VerifyResult verify_by_reference(const VerifyRequest& request, Backend& backend, const Progress& progress,
                                 std::stop_token stop) {
    if (request.cases.empty()) return failed(Status::unavailable, "there is no case to verify on; give `cases` one");
    if (const Variant& variant = request.candidate.variant; !runs_on(variant, backend.kind()))
        return failed(Status::unavailable, why_not_on(variant, request.device));
    const YardstickRequest wanted{request.definition, request.accuracy,        request.reference,
                                  request.device,     request.timeout_seconds, request.references};
    std::unique_ptr<Yardstick> yardstick;
    const Outcome made = make_yardstick(wanted, backend, progress, stop, yardstick);
    if (!made.ok()) return failed(made.status, made.reason);
    return Verification(request, std::move(yardstick), backend, progress, stop).run();
}

/// Adds the results of verifying one more case.
void add(VerifyResult& all, VerifyResult&& more) {
    all.checks += more.checks;
    std::ranges::move(more.cases, std::back_inserter(all.cases));
    for (Said& each : more.warnings) {
        if (!std::ranges::contains(all.warnings, each)) all.warnings.push_back(std::move(each));
    }
    all.builds.merge(more.builds);
    if (!more.printed.empty()) all.printed = std::move(more.printed);
    if (worst(all.status, more.status) == all.status) return;
    all.status = more.status;
    all.reason = std::move(more.reason);
}

/// A case of a `callable` operator, once its file has said what its inputs and outputs are.
VerifyResult verify_on(const VerifyRequest& request, const Case& binding, const CallableCase& found, Backend& backend,
                       const Progress& progress, std::stop_token stop) {
    VerifyRequest one = request;
    one.definition = found.definition;
    one.cases = {binding};
    one.accuracy = accuracy_of(request.accuracy, found);
    one.candidate = found.side(request.candidate);
    one.reference = found.side(*request.reference);
    VerifyResult result = verify_by_reference(one, backend, progress, std::move(stop));
    const bool is_whole = result.status == Status::ok && !request.own_cases_only && !request.is_screen;
    if (is_whole) std::ranges::copy(found.remarks, std::back_inserter(result.warnings));
    return result;
}

VerifyResult verify_described(const VerifyRequest& request, const Case& binding, Backend& backend,
                              const Progress& progress, std::stop_token stop, CallableCase& found) {
    const Outcome described = describe_case(request.definition, request.reference, binding, backend, request.device,
                                            request.timeout_seconds, stop, found);
    if (!described.ok()) return failed(described.status, say("{}: {}", binding.name, described.reason));
    return verify_on(request, binding, found, backend, progress, std::move(stop));
}

/// Makes one check of a `callable` operator on each awkward size, with what its file says of the first case beside
/// sizes. A size that the definition does not take is left out: it says nothing of the candidate.
void verify_awkward_sizes(const VerifyRequest& request, Backend& backend, const Progress& progress,
                          std::stop_token stop, VerifyResult& all) {
    const Case& own = request.cases.front();
    VerifyRequest one = request;
    one.own_cases_only = true;
    int left_out = 0;
    Said first_left_out;
    for (const Case& each :
         awkward_sizes(request.definition, nullptr, request.candidate, own.dtype, request.cases).cases) {
        CallableCase described;
        const Outcome taken = describe_case(one.definition, one.reference, {own.name, each.dtype, each.sizes}, backend,
                                            one.device, one.timeout_seconds, stop, described);
        if (!taken.ok() && taken.status != Status::cancelled) {
            if (left_out++ == 0) first_left_out = say("{}: {}", each.name, taken.reason);
            continue;
        }
        VerifyResult found =
            taken.ok() ? verify_on(one, each, described, backend, progress, stop) : failed(taken.status, taken.reason);
        if (found.status == Status::ok) found.cases.clear();
        for (CaseAccuracy& failed : found.cases) failed.own_case = false;
        add(all, std::move(found));
        if (all.status != Status::ok) return;
    }
    if (left_out > 0) all.warnings.push_back(say(sentences::sizes_not_taken, left_out, first_left_out));
}

/// Checks a candidate on each of a few sizes that the definition's file does not have. A kernel may be written only for
/// the sizes that the file has, so errors on others are a warning, and nothing else.
void remark_on_other_sizes(const VerifyRequest& request, Backend& backend, const Progress& progress,
                           std::stop_token stop, VerifyResult& all) {
    if (!request.definition.symbols.empty() || request.candidate.variant.compile) return;
    VerifyRequest one = request;
    one.own_cases_only = true;
    int right = 0;
    std::string first;
    for (const SizedCase& each : other_sizes(request.definition, *request.reference, request.cases.front(), backend,
                                             request.device, request.timeout_seconds, stop)) {
        const VerifyResult found = verify_on(one, each.binding, each.described, backend, progress, stop);
        if (found.status == Status::cancelled) continue;
        all.checks += found.checks;
        if (found.status != Status::ok) {
            all.warnings.push_back(say(sentences::only_own_sizes, to_string(found.status), found.reason));
            return;
        }
        if (right++ == 0) first = each.binding.name;
    }
    if (right > 0) all.warnings.push_back(say(sentences::other_sizes_right, right, first));
}

VerifyResult verify_each_case(const VerifyRequest& request, Backend& backend, const Progress& progress,
                              std::stop_token stop) {
    std::vector<ExecutorUse> uses = {use_for({&request.candidate})};
    if (request.reference) uses.push_back(use_for_judge(*request.reference));
    backend.expect(request.device, uses);
    if (!has_file(request.definition.family) || request.cases.empty())
        return verify_by_reference(request, backend, progress, stop);
    VerifyResult all;
    CallableCase described;  // the last case; of the file all say the same
    for (const Case& each : request.cases)
        add(all, verify_described(request, each, backend, progress, stop, described));
    if (all.status == Status::ok && !request.own_cases_only && !request.is_screen) {
        if (!described.only_cases) verify_awkward_sizes(request, backend, progress, stop, all);
        remark_on_other_sizes(request, backend, progress, stop, all);
    }
    return all;
}

}  // namespace

VerifyResult verify(const VerifyRequest& request, Backend& backend, const Progress& progress, std::stop_token stop) {
    const auto start = std::chrono::steady_clock::now();
    VerifyResult result;
    try {
        result = verify_each_case(request, backend, progress, stop);
    } catch (const std::bad_alloc&) {
        result = failed(Status::over_limit, "no memory is left to verify with");
    } catch (const std::exception& error) {
        result = failed(Status::unavailable, say("the verification broke off: {}", error.what()));
    }
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

}  // namespace kernelgen
