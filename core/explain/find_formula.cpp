// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <format>
#include <map>
#include <numbers>

#include "core/base/cause_sentences.h"
#include "core/base/mend_sentences.h"
#include "core/base/seen_sentences.h"
#include "core/explain/finders.h"
#include "core/explain/mutation.h"

namespace kernelgen {

namespace {

constexpr std::size_t most_mutations = 300;

}  // namespace

void find_formula(const Subject& subject, Causes& causes) {
    const WrongOutput& evidence = subject.evidence;
    if (evidence.body == nullptr) return;
    std::vector<Mutation> all = mutations_of(evidence.definition, *evidence.body, subject.replay.binding.sizes);
    if (all.size() > most_mutations) all.resize(most_mutations);
    for (const Mutation& each : all) {
        const Match match = test(subject, {.body = each.body, .sizes = subject.replay.binding.sizes});
        if (match.confidence() == 0) continue;
        const bool is_missing = !each.left_out.empty();
        // Where all that is known is NaN, what was left out is likelier than another operation.
        const double weight = match.told == 0 && !is_missing ? 0.9 * each.weight : each.weight;
        const CauseKind kind = is_missing ? CauseKind::missing_term : CauseKind::wrong_operation;
        causes.push_back({.kind = kind,
                          .confidence = weight * match.confidence(),
                          .text = is_missing
                                      ? say(sentences::cause_missing_term, each.left_out, each.after, each.before)
                                      : say(sentences::cause_wrong_operation, each.after, each.before),
                          .evidence = {seen_match(match)},
                          .advice = sentences::mend_formula,
                          .places = places_of(evidence.candidate, kind, subject.output.name)});
    }
}

namespace {

/// Wrong elements that can be divided by their reference.
struct Pair {
    std::int64_t element;
    double expected, actual;
};

std::vector<Pair> finite_pairs(const Subject& subject) {
    constexpr std::int64_t most_pairs = 1 << 16;
    const std::size_t step = subject.wrong.size() / most_pairs + 1;
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < subject.wrong.size(); i += step) {
        const auto place = static_cast<std::size_t>(subject.wrong[i]);
        const double expected = subject.output.record.expected[place], actual = subject.output.record.actual[place];
        if (std::isfinite(expected) && std::isfinite(actual) && subject.output.unwritten[place] == 0)
            pairs.push_back({subject.wrong[i], expected, actual});
    }
    return pairs;
}

double median_of(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

/// Names a factor that people know: ", which is 1/D".
Said known_factor(double factor, const Sizes& sizes) {
    const auto is = [factor](double value) { return std::abs(factor - value) <= 1e-4 * std::abs(value); };
    for (const auto& [name, size] : sizes) {
        const auto value = static_cast<double>(size);
        if (size < 3) continue;
        if (is(value)) return say(sentences::factor_is, name);
        if (is(1 / value)) return say(sentences::factor_is, "1/" + name);
        if (is(value / (value - 1))) return say(sentences::factor_is, name + "/(" + name + "-1)");
        if (is((value - 1) / value)) return say(sentences::factor_is, "(" + name + "-1)/" + name);
        if (is(std::sqrt(value))) return say(sentences::factor_is, "sqrt(" + name + ")");
    }
    constexpr auto known = std::to_array<std::pair<double, const char*>>({{std::numbers::ln2, "ln 2"},
                                                                          {std::numbers::log2e, "log2 e"},
                                                                          {std::numbers::sqrt2, "sqrt(2)"},
                                                                          {1 / std::numbers::sqrt2, "1/sqrt(2)"},
                                                                          {std::numbers::pi, "pi"}});
    for (const auto& [value, name] : known) {
        if (is(value)) return say(sentences::factor_is, name);
    }
    return "";
}

/// How many of `values` are within `spread` of their median.
struct Agreement {
    double median = 0;
    std::int64_t count = 0, total = 0;

    double share() const { return total > 0 ? static_cast<double>(count) / static_cast<double>(total) : 0; }
};

Agreement agreement_of(const std::vector<double>& values, double spread) {
    if (values.empty()) return {};
    Agreement found{.median = median_of(values), .count = 0, .total = static_cast<std::int64_t>(values.size())};
    found.count = std::ranges::count_if(values, [&](double each) { return std::abs(each - found.median) <= spread; });
    return found;
}

/// The precision to which ratios of values of a dtype can agree.
double ratio_spread(DType dtype) { return std::max(1e-5, 8 * half_ulp(dtype)); }

class ConstantFinder {
public:
    ConstantFinder(const Subject& subject, Causes& causes)
        : subject_(subject), causes_(causes), pairs_(finite_pairs(subject)) {}

    void run() {
        if (find_one_value() || pairs_.size() < 4) return;
        if (find_factor() || find_offset()) return;
        if (subject_.output.grid.columns >= 4 && subject_.output.grid.rows > 1) find_by_row();
    }

private:
    void add(CauseKind kind, double confidence, Said text, Said seen, const Said& mend) {
        causes_.push_back({.kind = kind,
                           .confidence = confidence,
                           .text = std::move(text),
                           .evidence = {std::move(seen)},
                           .advice = mend,
                           .places = places_of(subject_.evidence.candidate, kind, name_)});
    }

    bool find_one_value() {
        const std::vector<double>& actual = subject_.output.record.actual;
        const std::vector<double>& expected = subject_.output.record.expected;
        const auto same = [](const std::vector<double>& values) {
            return std::ranges::all_of(values, [&](double each) {
                return each == values.front() || (std::isnan(each) && std::isnan(values.front()));
            });
        };
        const bool is_unwritten = std::ranges::contains(subject_.output.unwritten, 1);
        if (actual.size() < 4 || is_unwritten || !same(actual) || same(expected)) return false;
        if (std::isnan(actual.front())) return false;  // find_special_values tells it
        add(CauseKind::constant_output, 0.9,
            say(sentences::cause_constant_output, name_, std::format("{:.6g}", actual.front())),
            say(sentences::seen_kinds, subject_.wrong.size(), actual.size()), sentences::mend_constant);
        return true;
    }

    bool find_factor() {
        std::vector<double> ratios;
        double largest = 0;
        for (const Pair& each : pairs_) largest = std::max(largest, std::abs(each.expected));
        for (const Pair& each : pairs_) {
            if (std::abs(each.expected) > 1e-3 * largest) ratios.push_back(each.actual / each.expected);
        }
        const double spread = ratio_spread(subject_.output.dtype);
        const double ratio = ratios.empty() ? 1 : median_of(ratios);
        const Agreement found = agreement_of(ratios, spread * std::abs(ratio));
        const bool is_factor =
            found.total >= 4 && found.share() > 0.95 && found.median != 0 && std::abs(found.median - 1) > 4 * spread;
        if (!is_factor) return false;
        add(CauseKind::constant_factor, 0.85,
            say(sentences::cause_constant_factor, name_, std::format("{:.6g}", found.median),
                known_factor(found.median, subject_.replay.binding.sizes)),
            say(sentences::seen_ratio, found.count, found.total, spread), sentences::mend_formula);
        return true;
    }

    bool find_offset() {
        std::vector<double> differences;
        double largest = 0;
        for (const Pair& each : pairs_) {
            differences.push_back(each.actual - each.expected);
            largest = std::max(largest, std::abs(each.actual));
        }
        const double spread = ratio_spread(subject_.output.dtype) * largest;
        const Agreement found = agreement_of(differences, spread);
        if (found.share() < 0.95 || std::abs(found.median) < 4 * spread) return false;
        add(CauseKind::constant_offset, 0.85,
            say(sentences::cause_constant_offset, name_, std::format("{:.6g}", found.median), ""),
            say(sentences::seen_difference, found.count, found.total, spread), sentences::mend_formula);
        return true;
    }

    /// Looks for one factor, or one difference, in each row: then what is computed once a row is wrong.
    void find_by_row() {
        std::map<std::int64_t, std::vector<Pair>> rows;
        for (const Pair& each : pairs_) rows[subject_.output.grid.row_of(each.element)].push_back(each);
        std::vector<double> factors, offsets;
        std::int64_t looked_at = 0;
        for (const auto& [row, pairs] : rows) {
            if (pairs.size() < 4) continue;
            ++looked_at;
            take_row(pairs, factors, offsets);
        }
        const auto is_most = [looked_at](const std::vector<double>& rows_found) {
            return looked_at >= 2 && static_cast<double>(rows_found.size()) > 0.9 * static_cast<double>(looked_at);
        };
        if (is_most(factors)) {
            const auto [least, most] = std::ranges::minmax(factors);
            add(CauseKind::row_factor, 0.6, say(sentences::cause_row_factor, name_),
                say(sentences::seen_row_factors, factors.size(), looked_at, least, most), sentences::mend_row);
        } else if (is_most(offsets)) {
            const auto [least, most] = std::ranges::minmax(offsets);
            add(CauseKind::row_factor, 0.6, say(sentences::cause_row_offset, name_),
                say(sentences::seen_row_offsets, offsets.size(), looked_at, least, most), sentences::mend_row);
        }
    }

    void take_row(const std::vector<Pair>& pairs, std::vector<double>& factors, std::vector<double>& offsets) const {
        std::vector<double> ratios, differences;
        double largest = 0;
        for (const Pair& each : pairs) {
            if (std::abs(each.expected) > 0) ratios.push_back(each.actual / each.expected);
            differences.push_back(each.actual - each.expected);
            largest = std::max(largest, std::abs(each.actual));
        }
        const double spread = 4 * ratio_spread(subject_.output.dtype);
        const double ratio = ratios.empty() ? 1 : median_of(ratios);
        const Agreement factor = agreement_of(ratios, spread * std::abs(ratio));
        if (factor.share() > 0.9) factors.push_back(factor.median);
        const Agreement offset = agreement_of(differences, spread * largest);
        if (offset.share() > 0.9) offsets.push_back(offset.median);
    }

    const Subject& subject_;
    Causes& causes_;
    const std::vector<Pair> pairs_;
    const std::string name_ = subject_.output.name;
};

}  // namespace

void find_constants(const Subject& subject, Causes& causes) { ConstantFinder(subject, causes).run(); }

}  // namespace kernelgen
