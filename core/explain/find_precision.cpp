// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <format>

#include "core/base/cause_sentences.h"
#include "core/base/mend_sentences.h"
#include "core/base/seen_sentences.h"
#include "core/explain/finders.h"

namespace kernelgen {

namespace {

/// Errors above this are no matter of precision.
constexpr double coarsest = 0.03;

class PrecisionFinder {
public:
    PrecisionFinder(const Subject& subject, Causes& causes) : subject_(subject), causes_(causes) {
        double largest = 0;
        for (const double each : subject.output.record.expected) {
            if (std::isfinite(each)) largest = std::max(largest, std::abs(each));
        }
        for (const std::int64_t element : subject.wrong) {
            const auto place = static_cast<std::size_t>(element);
            const double expected = subject.output.record.expected[place];
            const double error = std::abs(subject.output.record.actual[place] - expected);
            if (!std::isfinite(error)) continue;
            // A result of cancellation is small beside the values whose difference it is, and its error is not. So the
            // error is divided by at least a thousandth of the largest value.
            errors_.push_back(error / std::max(std::abs(expected), 1e-3 * largest));
        }
        std::ranges::sort(errors_);
    }

    void run() {
        if (errors_.size() < 4 || errors_.size() * 10 < subject_.wrong.size() * 9) return;
        if (median() > coarsest || is_integer(subject_.output.dtype)) return;
        if (find_narrow_values()) return;
        const bool grows = find_growth();
        const bool is_narrow = find_narrow_inside();
        if (!grows && !is_narrow) find_rest();
    }

private:
    double median() const { return errors_[errors_.size() / 2]; }

    void add(CauseKind kind, double confidence, Said text, std::vector<Said> seen, const Said& mend) {
        seen.push_back(say(sentences::seen_errors, median(), errors_.back()));
        causes_.push_back({.kind = kind,
                           .confidence = confidence,
                           .text = std::move(text),
                           .evidence = std::move(seen),
                           .advice = mend,
                           .places = places_of(subject_.evidence.candidate, kind, subject_.output.name)});
    }

    /// Whether all values of a wide output are those that a narrower dtype has.
    bool find_narrow_values() {
        for (const DType narrow : {DType::bf16, DType::f16, DType::f32}) {
            if (size_of(narrow) >= size_of(subject_.output.dtype)) continue;
            std::int64_t held = 0, reference_held = 0, total = 0;
            for (const std::int64_t element : subject_.wrong) {
                const auto place = static_cast<std::size_t>(element);
                const double actual = subject_.output.record.actual[place];
                const double expected = round_to(subject_.output.dtype, subject_.output.record.expected[place]);
                if (!std::isfinite(actual) || actual == 0) continue;
                ++total;
                held += round_to(narrow, actual) == actual;
                reference_held += round_to(narrow, expected) == expected;
            }
            if (total < 4 || held < total || reference_held * 2 > total) continue;
            const std::string name(to_string(narrow));
            add(CauseKind::narrow_precision, 0.95, say(sentences::cause_narrow, subject_.output.name, name),
                {say(sentences::seen_representable, held, total, name, reference_held)}, sentences::mend_narrow);
            return true;
        }
        return false;
    }

    /// Whether the largest error of a size grows with the length of its rows.
    bool find_growth() {
        const Body* body = subject_.evidence.body;
        if (body == nullptr || !body->has_reductions()) return false;
        const std::string& symbol = body->space.back();
        std::vector<std::pair<std::int64_t, double>> by_length;
        for (const SizeOutcome& each : subject_.evidence.sizes) {
            const auto size = each.binding.sizes.find(symbol);
            const bool is_number = each.max_relative > 0 && std::isfinite(each.max_relative);
            if (size != each.binding.sizes.end() && is_number) by_length.emplace_back(size->second, each.max_relative);
        }
        if (by_length.size() < 3) return false;
        std::ranges::sort(by_length);
        const auto [short_rows, small] = by_length[by_length.size() / 8];
        const auto [long_rows, large] = by_length.back();
        if (long_rows < 8 * short_rows || large < 8 * small) return false;
        add(CauseKind::precision_grows, 0.85, say(sentences::cause_precision_grows, subject_.output.name),
            {say(sentences::seen_growth, small, short_rows, large, long_rows)}, sentences::mend_precision);
        return true;
    }

    /// Whether errors are as large as those of a narrower dtype, which an intermediate value then has.
    bool find_narrow_inside() {
        for (const DType narrow : {DType::bf16, DType::f16, DType::f32}) {
            if (half_ulp(narrow) < 4 * half_ulp(subject_.output.dtype)) continue;
            const double unit = half_ulp(narrow);
            if (median() < unit / 8 || median() > unit * 4) continue;
            const std::string name(to_string(narrow));
            // Rounding rarely makes a value wrong by more than itself.
            const double confidence = errors_.back() > 1 ? 0.3 : 0.7;
            add(CauseKind::narrow_precision, confidence,
                say(sentences::cause_narrow_inside, subject_.output.name, name),
                {say(sentences::seen_half_unit, name, unit)}, sentences::mend_narrow);
            return true;
        }
        return false;
    }

    void find_rest() {
        const bool is_wide = subject_.replay.set == InputSet::wide || subject_.replay.set == InputSet::large ||
                             subject_.replay.set == InputSet::negative;
        const Body* body = subject_.evidence.body;
        const bool has_variance = body != nullptr && body->has_reductions();
        if (is_wide && has_variance)
            return add(CauseKind::precision_grows, 0.6, say(sentences::cause_cancellation, subject_.output.name), {},
                       sentences::mend_precision);
        const double confidence = median() < 1e-3 ? 0.6 : 0.35;
        add(CauseKind::approximation, confidence, say(sentences::cause_approximation, subject_.output.name), {},
            sentences::mend_approximation);
    }

    const Subject& subject_;
    Causes& causes_;
    std::vector<double> errors_;  ///< relative, of wrong elements, ascending
};

}  // namespace

void find_precision(const Subject& subject, Causes& causes) { PrecisionFinder(subject, causes).run(); }

}  // namespace kernelgen
