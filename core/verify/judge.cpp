// SPDX-License-Identifier: Apache-2.0
#include "core/verify/judge.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cmath>
#include <format>
#include <limits>
#include <mutex>
#include <utility>
#include <vector>

#include "core/base/verdict_sentences.h"
#include "core/verify/error_statistics.h"
#include "core/verify/held_bits.h"
#include "core/verify/parallel.h"
#include "core/verify/stretch.h"
#include "core/verify/tolerance.h"

namespace kernelgen {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::size_t most_mismatches = 8;
constexpr std::int64_t claim_elements = 1 << 17;

std::string text_of(double value) { return std::isnan(value) ? "nan" : std::format("{:.9g}", value); }

/// The limits and dtype that hold for every element of an output.
struct Rule {
    DType dtype;
    Tolerance tolerance;
    double floor;
    double lowest, largest;  ///< finite numbers of the dtype
    bool f64_arithmetic;
};

/// An element: `scale` is the least s under which it passes; 0: under any, infinity: under none.
struct Verdict {
    double scale = 0;
    bool excluded = false;
};

/// An expected value as the output's dtype stores it, where that differs: integers, and values beyond the largest
/// finite one. Other values stay as they are.
double as_stored(const Rule& rule, double expected) {
    if (is_integer(rule.dtype) || !(std::abs(expected) <= rule.largest)) return round_to(rule.dtype, expected);
    return expected;
}

/// Whether an element was stored as an end of its dtype's range, although its reference is finite.
bool is_clipped(const Rule& rule, double exact, double actual) {
    return (actual >= rule.largest || actual <= rule.lowest) && std::isfinite(exact);
}

/// `allowance`: what an element may differ by, whatever the tolerance.
double least_scale(const Rule& rule, double expected, double actual, double allowance) {
    if (is_integer(rule.dtype)) return actual == expected ? 0 : infinity;
    if (!std::isfinite(expected)) {
        return (std::isnan(expected) ? std::isnan(actual) : actual == expected) ? 0 : infinity;
    }
    const double error = std::abs(actual - expected);
    const double beyond = error - rule.tolerance.rtol * std::abs(expected);
    if (beyond <= 0 || error <= allowance) return 0;
    return std::isfinite(error) && rule.tolerance.atol > 0 ? beyond / rule.tolerance.atol : infinity;
}

/// The parts of an integer (HeldBits) that have come so far. All of them lie in one stretch.
struct WholeInteger {
    std::array<double, 8> expected{}, actual{};
    bool excluded = false;  ///< is any of them
};

/// An element of an output: its reference, and that as it is stored.
struct Expected {
    std::size_t output, element;  ///< the element's place in the stretch
    double exact, stored;
};

/// Whether an element is near the end of its dtype's range, and what it may differ by decides whether it overflows.
bool is_at_overflow(const Rule& rule, const Expected& expected, double actual, double allowance) {
    if (is_integer(rule.dtype) || !std::isfinite(expected.exact) || std::isnan(actual)) return false;
    const bool are_alike = std::isinf(expected.stored) == std::isinf(actual);
    if (are_alike && !(std::isinf(actual) && expected.stored != actual)) return false;  // or infinities of both signs
    const double size = std::abs(expected.exact), sign = std::copysign(1, expected.exact);
    return sign * actual >= round_to(rule.dtype, size - allowance) &&
           sign * actual <= round_to(rule.dtype, size + allowance);
}

Verdict judge_element(const Rule& rule, const Expected& expected, double actual, double allowance,
                      StretchEvaluator& evaluator) {
    const auto& [output, element, exact, stored] = expected;
    if (is_at_overflow(rule, expected, actual, allowance)) return {};
    const double scale = least_scale(rule, stored, actual, allowance);
    if (scale == 0) return {};
    if (evaluator.own_is_of_another_kind(output, element, stored)) return {0, true};
    const bool is_infinite = !std::isfinite(stored) || !std::isfinite(actual);
    if (is_infinite && evaluator.contractions_decide_kind(output, element, stored)) return {0, true};
    const bool overflow_can_matter = scale > 1 && (rule.f64_arithmetic || std::isfinite(exact));
    return {scale, overflow_can_matter && evaluator.may_overflow()};
}

/// The largest error of the rounded evaluation in each row and output. Kept only of long rows, which several stretches
/// share.
class RowErrors {
public:
    RowErrors(const Stretches& stretches, std::size_t outputs)
        : outputs_(outputs),
          errors_(stretches.per_row > 1 ? static_cast<std::size_t>(stretches.space.rows) * outputs : 0) {}

    void raise(std::int64_t row, std::size_t output, double error) {
        if (errors_.empty()) return;
        std::atomic<double>& known = errors_[static_cast<std::size_t>(row) * outputs_ + output];
        for (double old = known; old < error && !known.compare_exchange_weak(old, error);) continue;
    }
    /// The row's largest error over all stretches, at least `own` (the error in this stretch).
    double of(std::int64_t row, std::size_t output, double own) const {
        return errors_.empty() ? own : std::max(own, errors_[static_cast<std::size_t>(row) * outputs_ + output].load());
    }

private:
    std::size_t outputs_;
    std::vector<std::atomic<double>> errors_;
};

/// Stretches of which some elements pass only if s is at least `scale` (of each output).
struct Doubtful {
    Range stretches;
    std::vector<double> scales;
};

/// The findings of one sweep: first of one thread, then merged of all.
struct Findings {
    ErrorStatistics statistics;
    std::vector<double> squares;         ///< of each output: Σ ref² of finite references
    std::vector<std::int64_t> finite;    ///< and how many
    std::vector<std::uint64_t> digests;  ///< of each output's reference, whatever the order of its parts
    std::vector<Doubtful> doubtful;
    std::vector<std::int64_t> mismatches;
    std::vector<std::pair<std::int64_t, Mismatch>> first;  ///< with the stretch

    explicit Findings(std::size_t outputs) : squares(outputs), finite(outputs), digests(outputs), mismatches(outputs) {}
    void merge(Findings other);
};

void Findings::merge(Findings other) {
    statistics.merge(other.statistics);
    for (std::size_t i = 0; i < squares.size(); ++i) {
        squares[i] += other.squares[i];
        finite[i] += other.finite[i];
        digests[i] += other.digests[i];
        mismatches[i] += other.mismatches[i];
    }
    doubtful.insert(doubtful.end(), std::make_move_iterator(other.doubtful.begin()),
                    std::make_move_iterator(other.doubtful.end()));
    first.insert(first.end(), std::make_move_iterator(other.first.begin()), std::make_move_iterator(other.first.end()));
}

/// A hash of an element and its value; all NaN are one.
std::uint64_t digest_of(std::int64_t element, double value) {
    const std::uint64_t bits = std::isnan(value) ? 1 : std::bit_cast<std::uint64_t>(value + 0.0);  // -0 as 0
    const std::uint64_t mixed = (bits ^ (bits >> 29) ^ static_cast<std::uint64_t>(element)) * 0xbf58476d1ce4e5b9ull;
    return (mixed ^ (mixed >> 31)) * 0x94d049bb133111ebull;
}

std::vector<std::int64_t> index_of(const Tensor& tensor, const Sizes& sizes, std::int64_t element) {
    std::vector<std::int64_t> index = extents(tensor, sizes);
    for (std::size_t i = index.size(); i-- > 0;) {
        const std::int64_t extent = index[i];
        index[i] = element % extent;
        element /= extent;
    }
    return index;
}

/// Judges in two sweeps, because s is known only when the whole reference is. The first gathers statistics and, of each
/// range of stretches, the least s under which all its elements pass; the second visits those that need a larger one.
class Judge {
public:
    Judge(const Criteria& criteria, std::span<const std::byte* const> outputs, std::stop_token stop)
        : criteria_(criteria),
          outputs_(outputs),
          stop_(std::move(stop)),
          stretches_(*space_of(criteria.body, criteria.binding.sizes)),
          row_errors_(stretches_, outputs.size()),
          found_(outputs.size()) {
        const bool f64_arithmetic = arithmetic_of(criteria.definition, criteria.binding) == DType::f64;
        for (const Tensor& output : criteria.definition.outputs) {
            const DType dtype = dtype_of(output, criteria.binding);
            rules_.push_back({dtype, tolerance_for(criteria.accuracy, dtype), absolute_floor(dtype),
                              lowest_finite(dtype), largest_finite(dtype), f64_arithmetic});
        }
        for (std::size_t i = 0; i < criteria.records.size(); ++i) make_room(criteria.records[i], i);
    }

    CaseAccuracy run() {
        const std::int64_t columns = std::min(stretches_.space.columns, Stretch::most_columns);
        Claims all(count(), std::max<std::int64_t>(1, claim_elements / columns), stop_);
        sweep(all, [&](StretchEvaluator& evaluator, Range claim, Findings& findings) {
            survey(evaluator, claim, findings);
        });
        const std::vector<double> scales = scales_of_references();
        const std::vector<Doubtful> doubtful = std::move(found_.doubtful);
        Claims again(static_cast<std::int64_t>(doubtful.size()), 1, stop_);
        sweep(again, [&](StretchEvaluator& evaluator, Range claim, Findings& findings) {
            const Doubtful& range = doubtful[static_cast<std::size_t>(claim.first)];
            if (!std::ranges::equal(range.scales, scales, std::less_equal<>())) {
                collect(evaluator, range.stretches, scales, findings);
            }
        });
        return verdict(scales);
    }

private:
    void make_room(ElementRecord& record, std::size_t output) const {
        const Tensor& tensor = criteria_.definition.outputs[output];
        const auto elements = static_cast<std::size_t>(*element_count(tensor, criteria_.binding.sizes));
        record.expected.assign(elements, 0);
        record.actual.assign(elements, 0);
        record.judged.assign(elements, Judged::right);
    }

    /// Records an element. No lock is needed: each element belongs to one thread.
    void note(std::size_t output, std::int64_t element, double expected, double actual, Judged judged) const {
        if (criteria_.records.empty()) return;
        ElementRecord& record = criteria_.records[output];
        const auto place = static_cast<std::size_t>(element);
        record.expected[place] = expected;
        record.actual[place] = actual;
        record.judged[place] = judged;
    }

    /// Stretches to be judged, and the one at a place among them.
    std::int64_t count() const {
        return criteria_.stretches.empty() ? stretches_.total() : static_cast<std::int64_t>(criteria_.stretches.size());
    }
    Stretch stretch_at(std::int64_t place) const {
        return stretches_[criteria_.stretches.empty() ? place : criteria_.stretches[static_cast<std::size_t>(place)]];
    }

    /// Calls `visit` with every claim, on all cores, and merges what was found.
    template <class Visit>
    void sweep(Claims& claims, const Visit& visit) {
        if (claims.count() == 0) return;
        on_all_cores(claims, [&](Claims& mine) {
            StretchEvaluator evaluator(criteria_);
            Findings findings(outputs_.size());
            while (const std::optional<Range> claim = mine.next()) visit(evaluator, *claim, findings);
            const std::lock_guard lock(mutex_);
            found_.merge(std::move(findings));
        });
    }

    /// Judges one output of the evaluator's stretch; `visit` is given the element, what is expected, what is there and
    /// the verdict. Where an element needs an s above `most_scale`, the stretch is doubted first: the rounded
    /// evaluation may be right by luck.
    template <class Visit>
    void judge_stretch(StretchEvaluator& evaluator, std::size_t output, std::int64_t row, double most_scale,
                       const Visit& visit) {
        const Rule& rule = rules_[output];
        const std::span<const double> expected = evaluator.expected(output);
        if (expected.empty()) return;
        const std::vector<double>& actual = actual_values(evaluator, output);
        const std::int64_t first = evaluator.first_element(output);
        double allowance = allowance_of(evaluator, output, row);
        bool doubted = false;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const Expected each{output, i, expected[i], as_stored(rule, expected[i])};
            const std::int64_t element = first + static_cast<std::int64_t>(i);
            Verdict verdict = judge_unless_exempt(each, element, actual[i], allowance, evaluator);
            if (verdict.scale > most_scale && !verdict.excluded && !doubted) {
                doubted = true;
                evaluator.doubt();
                row_errors_.raise(row, output, evaluator.own_error(output));
                allowance = allowance_of(evaluator, output, row);
                verdict = judge_unless_exempt(each, element, actual[i], allowance, evaluator);
            }
            visit(element, each, actual[i], verdict);
        }
    }

    double allowance_of(const StretchEvaluator& evaluator, std::size_t output, std::int64_t row) const {
        return std::max(rules_[output].floor, 4 * row_errors_.of(row, output, evaluator.own_error(output)));
    }

    Verdict judge_unless_exempt(const Expected& expected, std::int64_t element, double actual, double allowance,
                                StretchEvaluator& evaluator) const {
        if (!criteria_.exempt.empty() && criteria_.exempt[static_cast<std::size_t>(element)] != 0) return {0, true};
        Verdict verdict = judge_element(rules_[expected.output], expected, actual, allowance, evaluator);
        if (verdict.scale > 0)
            verdict.scale = std::min(verdict.scale, other_scale(expected, element, actual, allowance));
        return verdict;
    }

    /// The least s under which an element passes as one of the other values, or as an integer between them.
    double other_scale(const Expected& expected, std::int64_t element, double actual, double allowance) const {
        double least = expected.stored, most = expected.stored, scale = infinity;
        for (const Elements& values : criteria_.also_right) {
            double other = 0;
            values(0, element, std::span(&other, 1));
            least = std::min(least, other);
            most = std::max(most, other);
            scale = std::min(scale, least_scale(rules_[expected.output], other, actual, allowance));
        }
        const bool is_between = is_integer(rules_[expected.output].dtype) && least <= actual && actual <= most;
        return is_between ? 0 : scale;
    }

    /// The kernel's values in the evaluator's stretch; valid until the next call.
    const std::vector<double>& actual_values(const StretchEvaluator& evaluator, std::size_t output) const {
        thread_local std::vector<double> actual;
        const DType dtype = rules_[output].dtype;
        actual.resize(evaluator.expected(output).size());
        decode(dtype, outputs_[output] + static_cast<std::size_t>(evaluator.first_element(output)) * size_of(dtype),
               std::span(actual));
        return actual;
    }

    void survey(StretchEvaluator& evaluator, Range claim, Findings& findings) {
        std::vector<double> scales(outputs_.size(), 0);
        for (std::int64_t number = claim.first; number < claim.end; ++number) {
            const Stretch stretch = stretch_at(number);
            evaluator.evaluate(stretch);
            for (std::size_t output = 0; output < outputs_.size(); ++output) {
                row_errors_.raise(stretch.row, output, evaluator.own_error(output));
                if (all_pass_plainly(evaluator, output, stretch.row)) count_all(evaluator, output, findings);
                else survey_elements(evaluator, output, stretch.row, scales[output], findings);
            }
        }
        if (std::ranges::any_of(scales, [](double scale) { return scale > 0; })) {
            findings.doubtful.push_back({claim, std::move(scales)});
        }
    }

    /// Whether the evaluator's stretch has nothing but finite numbers that pass under any s, as most have: they are
    /// counted several times as fast as one by one.
    bool all_pass_plainly(const StretchEvaluator& evaluator, std::size_t output, std::int64_t row) const {
        const Rule& rule = rules_[output];
        const bool is_plain = criteria_.records.empty() && criteria_.exempt.empty() && !is_integer(rule.dtype) &&
                              criteria_.definition.outputs[output].bits.dtype.empty();
        if (!is_plain) return false;
        const std::span<const double> expected = evaluator.expected(output);
        const std::span<const double> actual = actual_values(evaluator, output);
        const double allowance = allowance_of(evaluator, output, row);
        bool all_pass = true;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            const double size = std::abs(expected[i]), error = std::abs(actual[i] - expected[i]);
            const bool is_finite = size <= rule.largest && std::abs(actual[i]) < rule.largest;  // false of NaN
            all_pass &= is_finite && error <= std::max(rule.tolerance.rtol * size, allowance);
        }
        return all_pass;
    }

    void count_all(const StretchEvaluator& evaluator, std::size_t output, Findings& findings) const {
        const std::span<const double> expected = evaluator.expected(output);
        findings.statistics.add_all(expected, actual_values(evaluator, output));
        std::uint64_t digest = 0;
        double squares = 0;
        std::int64_t element = evaluator.first_element(output);
        for (const double value : expected) {
            digest += digest_of(element++, value);
            squares += value * value;
        }
        findings.squares[output] += squares;
        findings.finite[output] += static_cast<std::int64_t>(expected.size());
        findings.digests[output] += digest;
    }

    /// Raises `scale` to the least s under which all elements of the evaluator's stretch pass.
    void survey_elements(StretchEvaluator& evaluator, std::size_t output, std::int64_t row, double& scale,
                         Findings& findings) {
        const bool is_in_parts = !criteria_.definition.outputs[output].bits.dtype.empty();
        double squares = 0;
        std::int64_t finite = 0;
        std::uint64_t digest = 0;
        WholeInteger integer;
        judge_stretch(evaluator, output, row, 1,
                      [&](std::int64_t element, const Expected& each, double actual, Verdict verdict) {
                          const double expected = each.stored;
                          digest += digest_of(element, expected);
                          note(output, element, expected, actual, verdict.excluded ? Judged::excluded : Judged::right);
                          if (is_in_parts) count_part(element, each, actual, verdict, integer, findings.statistics);
                          else count_element(each, actual, verdict, findings.statistics);
                          if (verdict.excluded) return;
                          scale = std::max(scale, verdict.scale);
                          if (!std::isfinite(expected)) return;
                          squares += expected * expected;
                          ++finite;
                      });
        findings.squares[output] += squares;
        findings.finite[output] += finite;
        findings.digests[output] += digest;
    }

    void count_element(const Expected& each, double actual, Verdict verdict, ErrorStatistics& statistics) const {
        if (is_clipped(rules_[each.output], each.exact, actual)) statistics.add_clipped();
        if (verdict.excluded) return statistics.add_excluded();
        if (!std::isfinite(each.stored)) return statistics.add_not_finite(verdict.scale == 0);
        statistics.add(each.stored, actual);
    }

    /// Counts an integer that the judge holds in parts as one element, when its last part has come.
    void count_part(std::int64_t element, const Expected& each, double actual, Verdict verdict, WholeInteger& integer,
                    ErrorStatistics& statistics) const {
        const HeldBits& bits = criteria_.definition.outputs[each.output].bits;
        const auto parts = static_cast<std::size_t>(bits.parts);
        const std::size_t part = static_cast<std::size_t>(element) % parts;
        integer.expected[part] = each.stored;
        integer.actual[part] = actual;
        integer.excluded = verdict.excluded || (part > 0 && integer.excluded);
        if (part + 1 < parts) return;
        if (integer.excluded) return statistics.add_excluded();
        statistics.add(whole_value(bits, std::span(integer.expected).first(parts)),
                       whole_value(bits, std::span(integer.actual).first(parts)));
    }

    void collect(StretchEvaluator& evaluator, Range claim, const std::vector<double>& scales, Findings& findings) {
        std::size_t kept = 0;
        for (std::int64_t number = claim.first; number < claim.end; ++number) {
            const Stretch stretch = stretch_at(number);
            evaluator.evaluate(stretch);
            for (std::size_t output = 0; output < outputs_.size(); ++output) {
                const int parts = criteria_.definition.outputs[output].bits.parts;
                std::int64_t last = -1;  // of several wrong parts of an element the first counts
                judge_stretch(evaluator, output, stretch.row, scales[output],
                              [&](std::int64_t element, const Expected& each, double actual, Verdict verdict) {
                                  if (verdict.excluded || verdict.scale <= scales[output]) return;
                                  note(output, element, each.stored, actual, Judged::wrong);
                                  if (std::exchange(last, element / parts) == element / parts) return;
                                  ++findings.mismatches[output];
                                  if (kept++ >= most_mismatches) return;
                                  findings.first.push_back({number, mismatch_of(evaluator, each, element, actual)});
                              });
            }
        }
    }

    /// An element whose parts are in the evaluator's stretch is told as a whole.
    Mismatch mismatch_of(const StretchEvaluator& evaluator, const Expected& expected, std::int64_t element,
                         double actual) const {
        const Tensor& tensor = criteria_.definition.outputs[expected.output];
        Mismatch found{tensor.name, index_of(tensor, criteria_.binding.sizes, element), expected.stored, actual};
        const auto parts = static_cast<std::size_t>(tensor.bits.parts);
        const std::size_t part = static_cast<std::size_t>(element) % parts;
        const std::span<const double> expecteds = evaluator.expected(expected.output);
        if (part > expected.element || expected.element - part + parts > expecteds.size()) return found;
        const std::span<const double> actuals = actual_values(evaluator, expected.output);
        const std::size_t first = expected.element - part;
        found.expected = whole_value(tensor.bits, expecteds.subspan(first, parts));
        found.actual = whole_value(tensor.bits, actuals.subspan(first, parts));
        found.index = without_parts(tensor.bits, std::move(found.index));
        return found;
    }

    /// s of each output.
    std::vector<double> scales_of_references() const {
        if (!criteria_.scales.empty()) return criteria_.scales;
        std::vector<double> scales;
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            const double mean = found_.finite[i] ? found_.squares[i] / static_cast<double>(found_.finite[i]) : 0;
            scales.push_back(std::min(1.0, std::sqrt(mean)));
        }
        return scales;
    }

    CaseAccuracy verdict(const std::vector<double>& scales) {
        CaseAccuracy accuracy;
        accuracy.binding = criteria_.binding;
        accuracy.metrics = found_.statistics.metrics();
        accuracy.scales = scales;
        accuracy.reference = facts();
        if (stop_.stop_requested()) {
            accuracy.status = Status::cancelled;
            accuracy.reason = "stopped while outputs were judged";
            return accuracy;
        }
        for (const std::int64_t count : found_.mismatches) accuracy.metrics.mismatches += count;
        if (accuracy.metrics.mismatches == 0) return accuracy;
        std::ranges::stable_sort(found_.first, {}, [](const auto& each) { return each.first; });
        for (auto& [stretch, mismatch] : found_.first) {
            if (accuracy.first_mismatches.size() < most_mismatches)
                accuracy.first_mismatches.push_back(std::move(mismatch));
        }
        accuracy.status = Status::mismatch;
        accuracy.reason = explain(accuracy.first_mismatches.front(), scales);
        return accuracy;
    }

    ReferenceFacts facts() const {
        ReferenceFacts facts;
        for (std::size_t i = 0; i < outputs_.size(); ++i) {
            facts.digest = facts.digest * 31 + found_.digests[i];
            if (found_.finite[i] > 0 || !facts.says_nothing_in.empty()) continue;
            facts.says_nothing_in = criteria_.definition.outputs[i].name;
        }
        return facts;
    }

    Said explain(const Mismatch& mismatch, const std::vector<double>& scales) const {
        std::size_t output = 0;
        while (criteria_.definition.outputs[output].name != mismatch.output) ++output;
        const Rule& rule = rules_[output];
        std::string index;
        for (const std::int64_t i : mismatch.index) index += (index.empty() ? "" : ", ") + std::to_string(i);
        const Tensor& tensor = criteria_.definition.outputs[output];
        const std::int64_t total = *element_count(tensor, criteria_.binding.sizes) / tensor.bits.parts;
        const Said strictness = is_integer(rule.dtype) ? "exactly those"
                                                       : say(sentences::within_tolerance, rule.tolerance.rtol,
                                                             rule.tolerance.atol, scales[output]);
        return say(sentences::mismatch, found_.mismatches[output], total, mismatch.output, strictness, index,
                   text_of(mismatch.expected), text_of(mismatch.actual));
    }

    const Criteria& criteria_;
    std::span<const std::byte* const> outputs_;
    std::stop_token stop_;
    Stretches stretches_;
    std::vector<Rule> rules_;
    RowErrors row_errors_;
    Findings found_;
    std::mutex mutex_;
};

}  // namespace

Elements generated_inputs(const Operator& definition, const Case& binding, InputSet set, std::uint64_t seed) {
    struct Made {
        DType dtype;
        std::optional<Domain> domain;
        InputSet set;
    };
    std::vector<Made> all;
    for (const Tensor& input : definition.inputs) {
        const std::int64_t elements = element_count(input, binding.sizes).value_or(0);
        all.push_back({dtype_of(input, binding), input.domain, set_for(set, elements)});
    }
    return [all = std::move(all), seed](int tensor, std::int64_t first, std::span<double> values) {
        const Made& made = all[static_cast<std::size_t>(tensor)];
        generate(made.set, seed, tensor, made.dtype, first, values, made.domain);
    };
}

CaseAccuracy judge(const Criteria& criteria, std::span<const std::byte* const> outputs, std::stop_token stop) {
    return Judge(criteria, outputs, std::move(stop)).run();
}

}  // namespace kernelgen
