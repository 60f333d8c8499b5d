// SPDX-License-Identifier: Apache-2.0
#include "core/explain/explain.h"

#include <algorithm>
#include <chrono>
#include <format>
#include <map>
#include <memory>
#include <set>

#include "core/base/cause_sentences.h"
#include "core/explain/launch_check.h"
#include "core/explain/replayer.h"
#include "core/project/by_case.h"
#include "core/verify/awkward_sizes.h"
#include "core/verify/callable_case.h"
#include "core/verify/check.h"

namespace kernelgen {

namespace {

using Clock = std::chrono::steady_clock;

/// A replay with at most so many elements, and at least so many rows and columns, tells causes apart.
constexpr std::int64_t most_typical_elements = 1 << 17;
constexpr std::int64_t least_typical_side = 4;
constexpr int most_shrinking_checks = 80;
constexpr std::int64_t most_interpreted_rows = 100;

/// The sizes in the operator's order: "P=1, D=257".
std::string sizes_text(const Operator& definition, const Sizes& sizes) {
    std::string text;
    for (const std::string& symbol : definition.symbols)
        text += std::format("{}{}={}", text.empty() ? "" : ", ", symbol, sizes.at(symbol));
    return text;
}

bool is_failing(Status status) { return can_explain(status); }

class Investigation {
public:
    Investigation(const ExplainRequest& request, std::unique_ptr<Yardstick> yardstick, Backend& backend,
                  const Progress& progress, std::stop_token stop)
        : request_(request),
          asked_(request.verification),
          progress_(progress),
          stop_(stop),
          runner_(backend, asked_.definition, asked_.candidate, asked_.device, asked_.timeout_seconds, progress, stop),
          yardstick_(std::move(yardstick)),
          checker_(asked_.definition, asked_.candidate, runner_, *yardstick_, ""),
          replayer_(asked_.definition, asked_.candidate, runner_, *yardstick_) {}

    Explanation run();

private:
    Check failing_check_again() const {
        return {request_.binding, request_.set, request_.seed, false, runner_.can_guard()};
    }
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
    bool is_time_left(double share) const {
        return !stop_.stop_requested() && seconds() < share * request_.most_seconds;
    }
    CaseAccuracy check(const Check& check);
    std::vector<Case> sizes_to_try() const;
    void survey();
    std::optional<Case> typical_case() const;
    bool tells_causes_apart(const Case& binding) const;
    std::int64_t elements_of(const Case& binding) const;
    void shrink();
    bool fails(const Sizes& sizes);
    bool shrink_symbol(const std::string& symbol, Sizes& sizes);
    std::set<std::int64_t> smaller_sizes(std::int64_t than) const;
    void describe(const Replay& failing, const Replay& typical);

    const ExplainRequest& request_;
    const VerifyRequest& asked_;
    const Progress& progress_;
    std::stop_token stop_;
    const Clock::time_point start_ = Clock::now();
    KernelRunner runner_;
    std::unique_ptr<Yardstick> yardstick_;
    Checker checker_;
    Replayer replayer_;
    std::vector<SizeOutcome> sizes_;
    InputSet shrinking_set_ = InputSet::normal;
    int shrinking_checks_ = 0;
    bool fails_again_ = false;     ///< the check that is explained
    bool is_cut_short_ = false;    ///< the shrinking, by time or number of checks
    std::map<Sizes, bool> known_;  ///< whether sizes fail on the shrinking set
    Explanation explanation_;
};

Explanation Investigation::run() {
    explanation_.binding = request_.binding;
    explanation_.set = request_.set;
    explanation_.seed = request_.seed;
    const CaseAccuracy again = check(failing_check_again());
    explanation_.status = again.status;
    fails_again_ = is_failing(again.status);
    if (!fails_again_)
        explanation_.remarks.emplace_back(again.status == Status::ok ? Said(sentences::not_failed_again)
                                                                     : again.reason);
    Replay failing = replayer_.run(failing_check_again(), stop_);
    if (again.status != Status::ok) {  // a run between unreadable pages may have failed, too
        failing.status = again.status;
        failing.reason = again.reason;
    } else if (failing.status == Status::ok) {  // what failed once is right now, on the same inputs
        failing.status = Status::nondeterministic;
        failing.reason = sentences::not_failed_again;
    }
    if (elements_of(request_.binding) > Replayer::most_elements)
        explanation_.remarks.emplace_back(sentences::too_large_to_explain);
    if (!has_file(asked_.definition.family)) {
        survey();
        shrink();
    }
    const std::optional<Case> other = typical_case();
    if (!other) {
        describe(failing, failing);
        return std::move(explanation_);
    }
    explanation_.remarks.push_back(say(sentences::explained_smaller, sizes_text(asked_.definition, other->sizes)));
    const Replay typical = replayer_.run({*other}, stop_);
    describe(failing, typical);
    return std::move(explanation_);
}

CaseAccuracy Investigation::check(const Check& check) {
    if (asked_.give_way) {
        if (const Outcome given = asked_.give_way(); !given.ok()) {
            CaseAccuracy none;
            none.status = given.status;
            none.reason = given.reason;
            return none;
        }
    }
    return checker_.run(check, stop_);
}

/// The small cases that were verified, which may be the only ones of whole tiles, and the awkward sizes.
std::vector<Case> Investigation::sizes_to_try() const {
    constexpr std::int64_t most_elements = 1 << 20;
    const DType dtype = request_.binding.dtype;
    std::vector<Case> all;
    for (const Case& each : asked_.cases) {
        const bool is_other = each.dtype == dtype && each.sizes != request_.binding.sizes;
        if (is_other && elements_of(each) <= most_elements) all.push_back(each);
    }
    AwkwardSizes awkward = awkward_sizes(asked_.definition, yardstick_->body(), asked_.candidate, dtype);
    for (std::vector<Case>* more : {&awkward.cases, &awkward.further}) {
        std::ranges::copy_if(*more, std::back_inserter(all),
                             [&](const Case& each) { return !std::ranges::contains(all, each.sizes, &Case::sizes); });
    }
    return all;
}

/// Runs other sizes on ordinary values.
void Investigation::survey() {
    const std::vector<Case> all = sizes_to_try();
    for (std::size_t i = 0; i < all.size() && is_time_left(0.4); ++i) {
        progress_("explain", static_cast<int>(i), static_cast<int>(all.size()));
        if (runner_.is_interpreted() &&
            grid_of(extents(asked_.definition.outputs[0], all[i].sizes)).rows > most_interpreted_rows)
            continue;
        const CaseAccuracy found = check({all[i], InputSet::normal, 1, false, runner_.can_guard()});
        sizes_.push_back({all[i], found.status, found.metrics.max_relative});
    }
    explanation_.sizes_tried = static_cast<int>(sizes_.size());
    explanation_.sizes_failed = static_cast<int>(
        std::ranges::count_if(sizes_, [](const SizeOutcome& each) { return is_failing(each.status); }));
}

std::int64_t Investigation::elements_of(const Case& binding) const {
    return element_count(asked_.definition.outputs.front(), binding.sizes).value_or(INT64_MAX);
}

bool Investigation::tells_causes_apart(const Case& binding) const {
    const Grid grid = grid_of(extents(asked_.definition.outputs.front(), binding.sizes));
    const bool is_one_row = asked_.definition.outputs.front().shape.size() < 2;
    return grid.columns >= least_typical_side && (is_one_row || grid.rows >= least_typical_side) &&
           grid.elements() <= most_typical_elements;
}

/// The largest sizes that fail on ordinary values and tell causes apart; nothing where the failing check has such sizes
/// itself, or where there are none.
std::optional<Case> Investigation::typical_case() const {
    const bool is_itself = request_.set == InputSet::normal && tells_causes_apart(request_.binding);
    const SizeOutcome* best = nullptr;
    for (const SizeOutcome& each : sizes_) {
        if (each.status != Status::mismatch && each.status != Status::nondeterministic &&
            each.status != Status::unwritten)
            continue;
        if (!tells_causes_apart(each.binding)) continue;
        if (best == nullptr || elements_of(each.binding) > elements_of(best->binding)) best = &each;
    }
    return is_itself || best == nullptr ? std::nullopt : std::optional(best->binding);
}

/// Makes one symbol after the other as small as it can be while the check fails.
void Investigation::shrink() {
    const SizeOutcome* smallest = nullptr;
    for (const SizeOutcome& each : sizes_) {
        if (!is_failing(each.status)) continue;
        if (smallest == nullptr || elements_of(each.binding) < elements_of(smallest->binding)) smallest = &each;
    }
    Sizes sizes = request_.binding.sizes;
    shrinking_set_ = smallest != nullptr ? InputSet::normal : request_.set;
    if (smallest != nullptr) sizes = smallest->binding.sizes;
    bool is_smaller = true;
    while (is_smaller && !is_cut_short_) {
        is_smaller = false;
        for (const std::string& symbol : asked_.definition.symbols)
            is_smaller = shrink_symbol(symbol, sizes) || is_smaller;
    }
    const bool is_told = (!is_cut_short_ && (fails_again_ || smallest != nullptr)) || sizes != request_.binding.sizes;
    if (is_cut_short_) explanation_.remarks.emplace_back(sentences::not_made_smaller);
    if (is_told && !asked_.definition.symbols.empty()) explanation_.smallest = sizes_text(asked_.definition, sizes);
}

bool Investigation::fails(const Sizes& sizes) {
    if (const auto known = known_.find(sizes); known != known_.end()) return known->second;
    const auto binding =
        allowed_case(asked_.definition, yardstick_->body(), asked_.candidate, request_.binding.dtype, sizes);
    if (!binding) return false;
    if (shrinking_checks_ >= most_shrinking_checks || !is_time_left(0.8)) {
        is_cut_short_ = true;
        return false;
    }
    ++shrinking_checks_;
    progress_("shrink", shrinking_checks_, most_shrinking_checks);
    const CaseAccuracy found = check({*binding, shrinking_set_, request_.seed, false, runner_.can_guard()});
    return known_[sizes] = is_failing(found.status);
}

/// Sizes to try in place of `than`: those around powers of 2 and around values of the configuration.
std::set<std::int64_t> Investigation::smaller_sizes(std::int64_t than) const {
    std::set<std::int64_t> all;
    const auto add = [&](std::int64_t around) {
        for (const std::int64_t size : {around - 1, around, around + 1}) {
            if (size >= 1 && size < than) all.insert(size);
        }
    };
    for (std::int64_t size = 1; size < than; size *= 2) add(size);
    for (const auto& [name, value] : asked_.candidate.configuration) add(value);
    return all;
}

bool Investigation::shrink_symbol(const std::string& symbol, Sizes& sizes) {
    const std::int64_t before = sizes.at(symbol);
    std::int64_t passing = 0;
    const auto with = [&](std::int64_t size) {
        Sizes changed = sizes;
        changed[symbol] = size;
        return changed;
    };
    for (const std::int64_t size : smaller_sizes(before)) {
        if (!fails(with(size))) {
            passing = size;
            continue;
        }
        sizes = with(size);
        break;
    }
    while (sizes.at(symbol) - passing > 1) {  // between a size that passes and one that fails
        const std::int64_t middle = passing + (sizes.at(symbol) - passing) / 2;
        if (fails(with(middle))) sizes = with(middle);
        else passing = middle;
    }
    return sizes.at(symbol) < before;
}

void Investigation::describe(const Replay& failing, const Replay& typical) {
    const Implementation candidate = for_case(asked_.candidate, request_.binding);
    const WrongOutput evidence{.definition = asked_.definition,
                               .body = yardstick_->body(),
                               .candidate = candidate,
                               .failing = failing,
                               .typical = typical.has_elements() ? typical : failing,
                               .sizes = sizes_};
    explanation_.causes = find_causes(evidence);
    const Replay& shown = failing.has_elements() ? failing : typical;
    for (std::size_t i = 0; i < shown.outputs.size(); ++i) {
        if (shown.outputs[i].wrong().empty()) continue;
        const Tiles tiles = tiles_of(candidate, asked_.definition.outputs[i]);
        const std::int64_t most_bins = shown.outputs.size() > 2 ? 32 : shown.outputs.size() > 1 ? 48 : 64;
        explanation_.maps.push_back(map_of(shown.outputs[i], tiles, most_bins));
    }
}

Explanation unexplained(const ExplainRequest& request, const Outcome& why) {
    Explanation explanation{.binding = request.binding, .set = request.set, .seed = request.seed};
    explanation.status = why.status;
    explanation.remarks.push_back(why.reason);
    return explanation;
}

Explanation investigate(const ExplainRequest& request, Backend& backend, const Progress& progress,
                        std::stop_token stop) {
    const VerifyRequest& asked = request.verification;
    const YardstickRequest wanted{asked.definition, asked.accuracy,        asked.reference,
                                  asked.device,     asked.timeout_seconds, asked.references};
    std::unique_ptr<Yardstick> yardstick;
    const Outcome made = make_yardstick(wanted, backend, progress, stop, yardstick);
    if (!made.ok()) return unexplained(request, made);
    Explanation found = Investigation(request, std::move(yardstick), backend, progress, stop).run();
    check_launches(request, backend, progress, stop, found);
    if (found.causes.empty()) found.remarks.emplace_back(sentences::no_cause);
    return found;
}

/// A case of a `callable` operator, once its file has said what its inputs and outputs are.
Explanation investigate_described(const ExplainRequest& request, Backend& backend, const Progress& progress,
                                  std::stop_token stop) {
    const VerifyRequest& asked = request.verification;
    CallableCase found;
    const Outcome described = describe_case(asked.definition, asked.reference, request.binding, backend, asked.device,
                                            asked.timeout_seconds, stop, found);
    if (!described.ok()) return unexplained(request, described);
    ExplainRequest one = request;
    one.verification.definition = found.definition;
    one.verification.accuracy = accuracy_of(asked.accuracy, found);
    one.verification.candidate = found.side(asked.candidate);
    one.verification.reference = found.side(*asked.reference);
    return investigate(one, backend, progress, std::move(stop));
}

}  // namespace

Explanation explain(const ExplainRequest& request, Backend& backend, const Progress& progress, std::stop_token stop) {
    try {
        const bool is_in_file = has_file(request.verification.definition.family);
        return is_in_file ? investigate_described(request, backend, progress, stop)
                          : investigate(request, backend, progress, stop);
    } catch (const std::exception& error) {
        return unexplained(request, {Status::unavailable, std::string("the explanation broke off: ") + error.what()});
    }
}

}  // namespace kernelgen
