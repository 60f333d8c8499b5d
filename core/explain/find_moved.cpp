// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <format>
#include <map>

#include "core/base/cause_sentences.h"
#include "core/base/mend_sentences.h"
#include "core/explain/finders.h"

namespace kernelgen {

namespace {

constexpr std::int64_t most_compared = 1 << 16;

/// Gives the element of the reference from which an element of the output is taken; nothing: from beyond it.
using Source = std::function<std::optional<std::int64_t>(std::int64_t row, std::int64_t column)>;

Match match_of(const Subject& subject, const Source& source) {
    const OutputReplay& output = subject.output;
    const Matcher matcher(output);
    Match match;
    const std::int64_t step = std::max<std::int64_t>(1, output.grid.elements() / most_compared);
    for (std::int64_t element = 0; element < output.grid.elements(); element += step) {
        const auto from = source(output.grid.row_of(element), output.grid.column_of(element));
        if (from && *from >= 0 && *from < output.grid.elements())
            matcher.add(match, element, output.record.expected[static_cast<std::size_t>(*from)]);
    }
    return match;
}

class MovedFinder {
public:
    MovedFinder(const Subject& subject, Causes& causes) : subject_(subject), causes_(causes) {}

    void run() {
        if (grid_.rows > 1 && grid_.columns > 1) try_exchanged();
        for (const std::int64_t by : {1, -1, 2, -2}) try_shift(by);
        for (const Tile& tile : tiles_of(subject_.evidence.candidate, subject_.tensor()).columns) {
            for (const std::int64_t by : {tile.size, -tile.size}) try_shift(by);
            try_repeated_tile(tile);
        }
        try_row_shifts();
        try_reversed();
        try_repeated();
    }

private:
    bool try_source(CauseKind kind, const Said& text, const Source& source, double weight = 1) {
        const Match match = match_of(subject_, source);
        const double confidence = weight * match.confidence();
        if (confidence == 0) return false;
        causes_.push_back({.kind = kind,
                           .confidence = confidence,
                           .text = text,
                           .evidence = {seen_match(match)},
                           .advice = sentences::mend_index,
                           .places = places_of(subject_.evidence.candidate, kind, subject_.output.name)});
        return true;
    }

    void try_exchanged() {
        try_source(CauseKind::transposed, say(sentences::cause_transposed, name_),
                   [this](std::int64_t row, std::int64_t column) {
                       const std::int64_t element = row * grid_.columns + column;  // of a columns × rows buffer
                       return std::optional(element % grid_.rows * grid_.columns + element / grid_.rows);
                   });
    }

    void try_shift(std::int64_t by) {
        if (grid_.columns <= std::abs(by)) return;
        try_source(CauseKind::shifted, say(sentences::cause_shifted_columns, name_, by),
                   [this, by](std::int64_t row, std::int64_t column) -> std::optional<std::int64_t> {
                       if (column - by < 0 || column - by >= grid_.columns) return std::nullopt;
                       return row * grid_.columns + column - by;
                   });
    }

    void try_row_shifts() {
        for (const std::int64_t by : {1, -1, 2, -2}) {
            if (grid_.rows <= std::abs(by)) continue;
            try_source(CauseKind::shifted, say(sentences::cause_shifted_rows, name_, by),
                       [this, by](std::int64_t row, std::int64_t column) {
                           return std::optional((row - by) * grid_.columns + column);
                       });
        }
    }

    void try_reversed() {
        if (grid_.columns > 2) {
            try_source(CauseKind::shifted, say(sentences::cause_reversed_columns, name_),
                       [this](std::int64_t row, std::int64_t column) {
                           return std::optional(row * grid_.columns + grid_.columns - 1 - column);
                       });
        }
        if (grid_.rows < 3) return;
        try_source(CauseKind::shifted, say(sentences::cause_reversed_rows, name_),
                   [this](std::int64_t row, std::int64_t column) {
                       return std::optional((grid_.rows - 1 - row) * grid_.columns + column);
                   });
    }

    void try_repeated() {
        for (const std::int64_t row : {std::int64_t{0}, grid_.rows - 1}) {
            if (grid_.rows < 3) break;
            try_source(
                CauseKind::repeated, say(sentences::cause_repeated_row, name_, row),
                [this, row](std::int64_t, std::int64_t column) { return std::optional(row * grid_.columns + column); });
        }
        for (const std::int64_t column : {std::int64_t{0}, grid_.columns - 1}) {
            if (grid_.columns < 3) break;
            try_source(
                CauseKind::repeated, say(sentences::cause_repeated_column, name_, column),
                [this, column](std::int64_t row, std::int64_t) { return std::optional(row * grid_.columns + column); });
        }
    }

    void try_repeated_tile(const Tile& tile) {
        if (tile.size < 2 || tile.size >= grid_.columns) return;
        try_source(CauseKind::repeated, say(sentences::cause_repeated_tile, tile.size, name_),
                   [this, size = tile.size](std::int64_t row, std::int64_t column) {
                       return std::optional(row * grid_.columns + column % size);
                   });
    }

    const Subject& subject_;
    Causes& causes_;
    const Grid grid_ = subject_.output.grid;
    const std::string name_ = subject_.output.name;
};

}  // namespace

void find_moved(const Subject& subject, Causes& causes) {
    if (subject.output.grid.elements() > 2) MovedFinder(subject, causes).run();
}

namespace {

/// Tries ways of reading one input at other elements than its own.
class IndexFinder {
public:
    IndexFinder(const Subject& subject, std::size_t input, Causes& causes)
        : subject_(subject), input_(input), causes_(causes) {}

    void run() {
        if (grid_.elements() < 2) return;
        for (const std::int64_t by : {std::int64_t{1}, std::int64_t{-1}, grid_.columns, -grid_.columns}) {
            if (std::abs(by) < grid_.elements())
                try_map(say(sentences::cause_input_shifted, name_, by),
                        [by](std::int64_t element, std::int64_t) { return element + by; });
        }
        if (grid_.rows > 1 && grid_.columns > 1) {
            try_map(say(sentences::cause_input_transposed, name_), [this](std::int64_t element, std::int64_t) {
                return grid_.column_of(element) * grid_.rows + grid_.row_of(element);
            });
            try_map(say(sentences::cause_input_first_row, name_),
                    [this](std::int64_t element, std::int64_t) { return grid_.column_of(element); });
        } else {
            try_map(say(sentences::cause_input_by_row, name_), [](std::int64_t, std::int64_t row) { return row; });
        }
        try_map(say(sentences::cause_input_first, name_), [](std::int64_t, std::int64_t) { return 0; });
        try_repeated();
    }

private:
    /// Elements that are read again and again: before the first wrong column all are their own.
    void try_repeated() {
        if (grid_.columns != subject_.output.grid.columns) return;
        std::int64_t period = grid_.columns;
        for (const std::int64_t element : subject_.wrong)
            period = std::min(period, subject_.output.grid.column_of(element));
        if (period < 2 || period >= grid_.columns) return;
        try_map(say(sentences::cause_input_repeated, name_, period),
                [this, period](std::int64_t element, std::int64_t) {
                    return element - grid_.column_of(element) + grid_.column_of(element) % period;
                });
    }

    template <class Map>
    void try_map(const Said& text, const Map& map) {
        const IndexMap index = [&](std::size_t input, std::int64_t element,
                                   std::int64_t row) -> std::optional<std::int64_t> {
            return input == input_ ? map(element, row) : element;
        };
        const Match match =
            test(subject_, {.body = *subject_.evidence.body, .sizes = subject_.replay.binding.sizes, .index = index});
        if (match.confidence() == 0) return;
        causes_.push_back({.kind = CauseKind::wrong_index,
                           .confidence = match.confidence(),
                           .text = text,
                           .evidence = {seen_match(match)},
                           .advice = sentences::mend_index,
                           .places = places_of(subject_.evidence.candidate, CauseKind::wrong_index, name_)});
    }

    const Subject& subject_;
    std::size_t input_;
    Causes& causes_;
    const Grid grid_ = subject_.replay.inputs[input_].grid;
    const std::string name_ = subject_.replay.inputs[input_].name;
};

}  // namespace

void find_wrong_index(const Subject& subject, Causes& causes) {
    if (subject.evidence.body == nullptr) return;
    for (std::size_t input = 0; input < subject.replay.inputs.size(); ++input)
        IndexFinder(subject, input, causes).run();
}

}  // namespace kernelgen
