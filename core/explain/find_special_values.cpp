// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <format>
#include <optional>

#include "core/base/cause_sentences.h"
#include "core/base/mend_sentences.h"
#include "core/base/seen_sentences.h"
#include "core/explain/finders.h"

namespace kernelgen {

namespace {

/// Counts of wrong elements by the kind of value that the reference and the output hold.
struct Kinds {
    std::int64_t nan_lost = 0, nan_made = 0, infinite = 0, zero = 0, total = 0;
};

Kinds kinds_of(const Subject& subject) {
    Kinds kinds;
    for (const std::int64_t element : subject.wrong) {
        const auto place = static_cast<std::size_t>(element);
        if (subject.output.unwritten[place] != 0 || subject.output.stale[place] != 0) continue;
        const double expected = subject.output.record.expected[place], actual = subject.output.record.actual[place];
        ++kinds.total;
        if (std::isnan(expected) != std::isnan(actual)) ++(std::isnan(expected) ? kinds.nan_lost : kinds.nan_made);
        else if (std::isfinite(expected) && std::isinf(actual)) ++kinds.infinite;
        else if (expected != 0 && actual == 0) ++kinds.zero;
    }
    return kinds;
}

/// Counts of elements, and of wrong ones, where an input, at the same place or in the same row, is negative, and where
/// it is not.
struct Split {
    std::int64_t with = 0, wrong_with = 0, without = 0, wrong_without = 0;

    bool is_exact() const { return with > 0 && without > 0 && (wrong_with == 0) != (wrong_without == 0); }
    bool is_where_negative() const { return wrong_without == 0; }
    /// The share of the elements on the wrong side that are wrong.
    double share() const {
        return is_where_negative() ? static_cast<double>(wrong_with) / static_cast<double>(with)
                                   : static_cast<double>(wrong_without) / static_cast<double>(without);
    }
};

class SpecialValueFinder {
public:
    SpecialValueFinder(const Subject& subject, Causes& causes) : subject_(subject), causes_(causes) {}

    void run() {
        find_kinds();
        for (const InputReplay& input : subject_.replay.inputs) {
            if (input.grid.elements() == subject_.output.grid.elements()) find_by_sign(input);
        }
        if (has_maximum()) find_maximum();
    }

private:
    void add(CauseKind kind, double confidence, Said text, Said seen, const Said& mend,
             std::optional<CauseKind> lines = std::nullopt) {
        std::vector<Said> evidence = {std::move(seen)};
        if (const auto only = only_on_set()) evidence.push_back(*only);
        causes_.push_back({.kind = kind,
                           .confidence = confidence,
                           .text = std::move(text),
                           .evidence = std::move(evidence),
                           .advice = mend,
                           .places = places_of(subject_.evidence.candidate, lines.value_or(kind), name_)});
    }

    std::int64_t right_sizes() const {
        return std::ranges::count(subject_.evidence.sizes, Status::ok, &SizeOutcome::status);
    }

    /// Whether ordinary values are right.
    std::optional<Said> only_on_set() const {
        const std::int64_t right = right_sizes();
        const bool is_special = subject_.replay.set != InputSet::normal && right > 0 &&
                                right == static_cast<std::int64_t>(subject_.evidence.sizes.size());
        return is_special ? std::optional(say(sentences::seen_only_on, to_string(subject_.replay.set), right))
                          : std::nullopt;
    }

    void find_kinds() {
        const Kinds kinds = kinds_of(subject_);
        const double special = only_on_set() ? 0.9 : 0.7;
        const auto is_most = [&](std::int64_t count) { return count > 0 && count * 2 >= kinds.total; };
        const auto seen = [&](std::int64_t count) { return say(sentences::seen_kinds, count, kinds.total); };
        if (is_most(kinds.nan_lost))
            add(CauseKind::nan_lost, 0.92, say(sentences::cause_nan_lost, name_), seen(kinds.nan_lost),
                sentences::mend_nan);
        if (is_most(kinds.nan_made))
            add(CauseKind::nan_made, special, say(sentences::cause_nan_made, name_), seen(kinds.nan_made),
                sentences::mend_nan_made);
        const bool is_large = subject_.replay.set == InputSet::large || subject_.replay.set == InputSet::wide ||
                              subject_.replay.set == InputSet::negative || subject_.replay.set == InputSet::mixed;
        if (is_most(kinds.infinite) || (is_large && only_on_set() && is_most(kinds.zero))) {
            const bool is_infinite = is_most(kinds.infinite);
            add(CauseKind::overflow, special,
                is_infinite ? say(sentences::cause_overflow, name_) : say(sentences::cause_underflow, name_),
                seen(is_infinite ? kinds.infinite : kinds.zero), sentences::mend_overflow);
        }
    }

    void find_by_sign(const InputReplay& input) {
        Split split;
        for (std::size_t i = 0; i < input.values.size(); ++i) {
            if (std::isnan(input.values[i]) || subject_.output.record.judged[i] == Judged::excluded) continue;
            const bool is_negative = input.values[i] < 0;
            const bool is_wrong = subject_.output.record.judged[i] == Judged::wrong;
            ++(is_negative ? split.with : split.without);
            if (is_wrong) ++(is_negative ? split.wrong_with : split.wrong_without);
        }
        if (!split.is_exact() || split.share() < 0.7 || subject_.wrong.size() < 8) return;
        add(CauseKind::depends_on_sign, 0.8,
            split.is_where_negative() ? say(sentences::cause_negative, name_, input.name)
                                      : say(sentences::cause_not_negative, name_, input.name),
            say(sentences::seen_split, split.with, split.wrong_with, split.without, split.wrong_without),
            sentences::mend_sign);
    }

    bool has_maximum() const {
        const Body* body = subject_.evidence.body;
        return body != nullptr && std::ranges::any_of(body->nodes, [](const Node& each) {
                   return each.op == Op::row_max || each.op == Op::maximum;
               });
    }

    bool is_wrong_in_row(std::int64_t row) const {
        const Grid& grid = subject_.output.grid;
        const auto first = subject_.output.record.judged.begin() + row * grid.columns;
        return std::find(first, first + grid.columns, Judged::wrong) != first + grid.columns;
    }

    /// Counts rows, by whether all of the input is negative there.
    Split rows_by_sign(const InputReplay& input) const {
        Split rows;
        for (std::int64_t row = 0; row < input.grid.rows; ++row) {
            const auto first = input.values.begin() + row * input.grid.columns;
            const bool is_negative =
                std::all_of(first, first + input.grid.columns, [](double each) { return each < 0; });
            ++(is_negative ? rows.with : rows.without);
            if (is_wrong_in_row(row)) ++(is_negative ? rows.wrong_with : rows.wrong_without);
        }
        return rows;
    }

    void find_maximum() {
        constexpr std::int64_t least_rows = 4;  // by chance few wrong rows would all be negative ones
        for (const InputReplay& input : subject_.replay.inputs) {
            if (input.grid.rows != subject_.output.grid.rows || input.values.empty()) continue;
            const Split rows = rows_by_sign(input);
            if (rows.wrong_with >= least_rows && rows.wrong_without == 0 && rows.without >= least_rows)
                return add_maximum(say(sentences::seen_negative_rows, rows.with, rows.wrong_with, rows.without));
        }
        if (subject_.evidence.failing.set == InputSet::negative && right_sizes() > 0)
            add_maximum(say(sentences::seen_kinds, subject_.wrong.size(), subject_.output.grid.elements()));
    }

    void add_maximum(Said seen) {
        add(CauseKind::overflow, 0.93, say(sentences::cause_all_negative, name_), std::move(seen),
            sentences::mend_maximum, CauseKind::depends_on_sign);
    }

    const Subject& subject_;
    Causes& causes_;
    const std::string name_ = subject_.output.name;
};

}  // namespace

void find_special_values(const Subject& subject, Causes& causes) { SpecialValueFinder(subject, causes).run(); }

}  // namespace kernelgen
