// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <format>
#include <limits>
#include <set>

#include "core/base/seen_sentences.h"
#include "core/explain/finders.h"
#include "core/lang/evaluator.h"
#include "core/verify/tolerance.h"

namespace kernelgen {

namespace {

constexpr std::int64_t most_tested_elements = 1 << 15;
constexpr std::int64_t most_tested_rows = 48;
constexpr double slack = 4;  ///< tolerances of a value that another order of operations computed

/// `count` of `all`, evenly.
std::vector<std::int64_t> evenly(const std::vector<std::int64_t>& all, std::int64_t count) {
    const auto size = static_cast<std::int64_t>(all.size());
    std::vector<std::int64_t> chosen;
    for (std::int64_t i = 0; i < std::min(count, size); ++i)
        chosen.push_back(all[static_cast<std::size_t>(i * size / std::min(count, size))]);
    return chosen;
}

/// Rows of the space to test on: most of them have wrong elements.
std::vector<std::int64_t> tested_rows(const Subject& subject, const RowMap& map, const Space& space) {
    std::set<std::int64_t> wrong_rows;
    for (const std::int64_t element : subject.wrong)
        wrong_rows.insert(map.columns == 1 ? element : subject.output.grid.row_of(element));
    std::vector<std::int64_t> wrong, right;
    constexpr std::int64_t most_looked_at = 1 << 16;
    for (std::int64_t row = 0; row < std::min(space.rows, most_looked_at) && map.has(row); ++row)
        (wrong_rows.contains(map(row)) ? wrong : right).push_back(row);
    const std::int64_t count =
        std::clamp<std::int64_t>(most_tested_elements / std::max<std::int64_t>(space.columns, 1), 2, most_tested_rows);
    std::vector<std::int64_t> rows = evenly(wrong, std::max<std::int64_t>(1, count * 3 / 4));
    std::ranges::copy(evenly(right, std::max<std::int64_t>(1, count / 4)), std::back_inserter(rows));
    return rows;
}

template <class T>
class HypothesisTest {
public:
    HypothesisTest(const Subject& subject, const Hypothesis& hypothesis)
        : subject_(subject),
          hypothesis_(hypothesis),
          matcher_(subject.output),
          map_(row_map(hypothesis.body, subject.tensor(), hypothesis.sizes)) {}

    Match run() {
        const Result<Space> space = space_of(hypothesis_.body, hypothesis_.sizes);
        if (!space) return {};
        for (const std::int64_t row : tested_rows(subject_, map_, *space)) test_row(row, space->columns);
        return match_;
    }

private:
    /// Tests a row with an evaluator of its own, since a map may read other elements in every row.
    void test_row(std::int64_t row, std::int64_t columns) {
        Evaluator<T> evaluator(subject_.evidence.definition, hypothesis_.body, hypothesis_.sizes,
                               [&](int input, std::int64_t first, std::span<T> values) {
                                   load(static_cast<std::size_t>(input), first, row, values);
                               });
        constexpr std::int64_t block = Evaluator<T>::block_columns;
        // A very long row without reductions is tested in some of its blocks, spread evenly.
        const std::int64_t stride = hypothesis_.body.has_reductions() ? 1 : columns / (2 * most_tested_elements) + 1;
        for (std::int64_t first = 0; first < columns; first += stride * block) {
            const std::int64_t count = std::min(block, columns - first);
            evaluator.evaluate(row, first, count);
            compare(evaluator.output(subject_.index), row, first, count);
        }
    }

    void load(std::size_t input, std::int64_t first, std::int64_t row, std::span<T> values) {
        const bool is_product = input >= subject_.replay.inputs.size();
        const std::vector<double>& all = is_product ? subject_.replay.computed[input - subject_.replay.inputs.size()]
                                                    : subject_.replay.inputs[input].values;
        for (std::size_t i = 0; i < values.size(); ++i) {
            std::int64_t at = first + static_cast<std::int64_t>(i);
            if (hypothesis_.index && !is_product) at = hypothesis_.index(input, at, row).value_or(-1);
            const bool is_there = at >= 0 && at < static_cast<std::int64_t>(all.size());
            values[i] =
                is_there ? static_cast<T>(all[static_cast<std::size_t>(at)]) : std::numeric_limits<T>::quiet_NaN();
        }
    }

    void compare(std::span<const T> values, std::int64_t row, std::int64_t first, std::int64_t count) {
        const bool per_row = map_.columns == 1;
        if (per_row && first > 0) return;
        const std::int64_t width = per_row ? 1 : subject_.output.grid.columns;
        for (std::int64_t i = 0; i < (per_row ? 1 : count); ++i) {
            const double value = values[values.size() == 1 ? 0 : static_cast<std::size_t>(i)];
            const std::int64_t element = map_(row) * width + (per_row ? 0 : first + i);
            // A value from beyond the end of a tensor is NaN here: it is not known.
            if (hypothesis_.index && std::isnan(value)) continue;
            matcher_.add(match_, element, value);
        }
    }

    const Subject& subject_;
    const Hypothesis& hypothesis_;
    Matcher matcher_;
    RowMap map_;
    Match match_;
};

}  // namespace

double Match::confidence() const {
    if (wrong == 0 || explained_share() < 0.9) return 0;
    const bool is_whole = explained_share() >= 0.98 && kept_share() >= 0.98;
    // NaN and infinity tell little: many mistakes lead to them.
    const double best = told == 0 ? 0.6 : is_whole ? 0.95 : kept_share() >= 0.9 ? 0.8 : 0.6;
    return best * (wrong < 4 ? 0.5 : wrong < 12 ? 0.8 : 1);
}

Said seen_match(const Match& match) {
    return match.right == 0 ? say(sentences::seen_explained_alone, match.explained, match.wrong)
                            : say(sentences::seen_explained, match.explained, match.wrong, match.kept, match.right);
}

Matcher::Matcher(const OutputReplay& output) : output_(output) {
    const Tolerance tolerance = default_tolerance(output.dtype);
    double squares = 0;
    std::int64_t finite = 0;
    constexpr std::size_t most_sampled = 1 << 14;
    const std::vector<double>& expected = output.record.expected;
    for (std::size_t i = 0; i < expected.size(); i += expected.size() / most_sampled + 1) {
        if (!std::isfinite(expected[i])) continue;
        squares += expected[i] * expected[i];
        ++finite;
    }
    const double scale = finite > 0 ? std::sqrt(squares / static_cast<double>(finite)) : 1;
    relative_ = slack * tolerance.rtol;
    absolute_ = slack * tolerance.atol * std::min(1.0, scale);
}

bool Matcher::close(double actual, double predicted) const {
    if (std::isnan(actual) || std::isnan(predicted)) return std::isnan(actual) && std::isnan(predicted);
    if (actual == predicted) return true;
    return std::abs(actual - predicted) <= relative_ * std::abs(predicted) + absolute_;
}

void Matcher::add(Match& match, std::int64_t element, double predicted) const {
    const auto place = static_cast<std::size_t>(element);
    if (output_.record.judged[place] == Judged::excluded) return;
    const double value = round_to(output_.dtype, predicted), actual = output_.record.actual[place];
    const double expected = output_.record.expected[place];
    if (output_.record.judged[place] == Judged::right && output_.unwritten[place] == 0) {
        ++match.right;
        match.kept += close(actual, value);
        return;
    }
    ++match.wrong;
    // The value of the hypothesis must be clearly nearer to the actual value than the reference is, at most a quarter
    // as far. Otherwise a small error would fit nearly every hypothesis.
    const double own = std::abs(actual - expected);
    const bool is_nearer = !(std::abs(actual - value) > 0.25 * own);
    const bool is_explained = close(actual, value) && (is_nearer || !std::isfinite(own));
    match.explained += is_explained;
    match.told += is_explained && std::isfinite(actual);
}

Match test(const Subject& subject, const Hypothesis& hypothesis) {
    const bool is_wide = arithmetic_of(subject.evidence.definition, subject.replay.binding) == DType::f64;
    return is_wide ? HypothesisTest<double>(subject, hypothesis).run()
                   : HypothesisTest<float>(subject, hypothesis).run();
}

}  // namespace kernelgen
