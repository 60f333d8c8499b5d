// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <format>
#include <tuple>

#include "core/base/cause_sentences.h"
#include "core/base/mend_sentences.h"
#include "core/base/seen_sentences.h"
#include "core/explain/finders.h"

namespace kernelgen {

namespace {

/// Counts of wrong elements by row and column.
struct Spread {
    Grid grid;
    std::int64_t wrong = 0;
    std::vector<std::int64_t> by_row, by_column;
    std::int64_t first_row = 0, last_row = 0, first_column = 0, last_column = 0;  ///< with wrong elements

    bool is_everywhere() const { return wrong * 100 >= grid.elements() * 98; }
    /// The share of the elements in rows [first_row, last_row] and columns [first_column, last_column] that are wrong.
    double share_of_box() const {
        const std::int64_t area = (last_row - first_row + 1) * (last_column - first_column + 1);
        return static_cast<double>(wrong) / static_cast<double>(area);
    }
};

std::pair<std::int64_t, std::int64_t> range_of(const std::vector<std::int64_t>& counts) {
    const auto is_some = [](std::int64_t count) { return count > 0; };
    const auto first = std::ranges::find_if(counts, is_some);
    const auto last = std::find_if(counts.rbegin(), counts.rend(), is_some);
    return {first - counts.begin(), counts.rend() - last - 1};
}

Spread spread_of(const Subject& subject) {
    Spread spread{.grid = subject.output.grid, .by_row = {}, .by_column = {}};
    spread.wrong = static_cast<std::int64_t>(subject.wrong.size());
    spread.by_row.resize(static_cast<std::size_t>(spread.grid.rows));
    spread.by_column.resize(static_cast<std::size_t>(spread.grid.columns));
    for (const std::int64_t element : subject.wrong) {
        ++spread.by_row[static_cast<std::size_t>(spread.grid.row_of(element))];
        ++spread.by_column[static_cast<std::size_t>(spread.grid.column_of(element))];
    }
    std::tie(spread.first_row, spread.last_row) = range_of(spread.by_row);
    std::tie(spread.first_column, spread.last_column) = range_of(spread.by_column);
    return spread;
}

/// A tail: the elements of an axis from `first` on.
struct Tail {
    std::int64_t first = 0, size = 0;
};

/// How well a tail is one that a step leaves over: the tile or power of 2 that explains it, and a confidence.
struct LeftOver {
    Said seen;
    double confidence = 0;
};

LeftOver left_over(const Tail& tail, const std::vector<Tile>& tiles) {
    const std::int64_t length = tail.size - tail.first;
    const auto fits = [&](std::int64_t step) { return step > 1 && tail.first % step == 0 && length < step; };
    for (const Tile& tile : tiles) {
        if (!fits(tile.size)) continue;
        const std::string name =
            tile.name == std::to_string(tile.size) ? tile.name : std::format("{} = {}", tile.name, tile.size);
        return {say(sentences::seen_after_tiles, name), 0.9};
    }
    for (std::int64_t step = 2; step <= 64; step *= 2) {
        if (fits(step)) return {say(sentences::seen_after_steps, step), length == 1 ? 0.65 : 0.8};
    }
    return length <= std::max<std::int64_t>(2, tail.size / 8) ? LeftOver{"", 0.6} : LeftOver{};
}

class PlaceFinder {
public:
    PlaceFinder(const Subject& subject, Causes& causes)
        : subject_(subject),
          causes_(causes),
          spread_(spread_of(subject)),
          tiles_(tiles_of(subject.evidence.candidate, subject.tensor())) {}

    void run() {
        if (spread_.is_everywhere()) return;
        if (find_tail() || find_boundary() || find_every_kth()) return;
        if (!find_tiles()) find_edge();
    }

private:
    void add(CauseKind kind, double confidence, Said text, std::vector<Said> evidence, const Said& mend) {
        std::erase(evidence, "");
        evidence.emplace_back(sentences::seen_nothing_elsewhere);
        causes_.push_back({.kind = kind,
                           .confidence = confidence,
                           .text = std::move(text),
                           .evidence = std::move(evidence),
                           .advice = mend,
                           .places = places_of(subject_.evidence.candidate, kind, subject_.output.name)});
    }

    bool find_tail() {
        const bool is_box = spread_.share_of_box() > 0.4;
        const bool is_in_most_rows = 2 * (spread_.last_row - spread_.first_row + 1) > spread_.grid.rows;
        const bool is_in_most_columns = 2 * (spread_.last_column - spread_.first_column + 1) > spread_.grid.columns;
        const bool is_columns =
            is_box && is_in_most_rows && spread_.first_column > 0 && spread_.last_column == spread_.grid.columns - 1;
        const bool is_rows =
            is_box && is_in_most_columns && spread_.first_row > 0 && spread_.last_row == spread_.grid.rows - 1;
        if (is_columns && take_tail(CauseKind::tail_columns, {spread_.first_column, spread_.grid.columns})) return true;
        if (is_rows && take_tail(CauseKind::tail_rows, {spread_.first_row, spread_.grid.rows})) return true;
        return find_flat_tail();
    }

    bool take_tail(CauseKind kind, const Tail& tail) {
        const bool is_columns = kind == CauseKind::tail_columns;
        const LeftOver found = left_over(tail, is_columns ? tiles_.columns : tiles_.rows);
        if (found.confidence == 0) return false;
        const Said where = is_columns ? say(sentences::seen_last_columns, tail.first, tail.size - 1, tail.size)
                                      : say(sentences::seen_last_rows, tail.first, tail.size - 1, tail.size);
        const std::string& name = subject_.output.name;
        add(kind, found.confidence * (0.7 + 0.3 * spread_.share_of_box()),
            is_columns ? say(sentences::cause_tail_columns, name, where) : say(sentences::cause_tail_rows, name, where),
            {found.seen}, sentences::mend_tail);
        return true;
    }

    /// Finds wrong elements at the end of an output. That is the tail of a kernel which counts elements, whatever the
    /// rows.
    bool find_flat_tail() {
        const std::int64_t first = subject_.wrong.front(), count = spread_.grid.elements() - first;
        const bool is_tail = first > 0 && spread_.grid.rows > 1 && spread_.wrong * 5 >= count * 2 &&
                             subject_.wrong.back() == spread_.grid.elements() - 1;
        if (!is_tail) return false;
        const LeftOver found = left_over({first, spread_.grid.elements()}, tiles_.columns);
        if (found.confidence == 0) return false;
        add(CauseKind::tail_elements, found.confidence,
            say(sentences::cause_tail_elements, subject_.output.name,
                say(sentences::seen_last_elements, first, spread_.grid.elements() - 1, spread_.grid.elements())),
            {found.seen}, sentences::mend_tail);
        return true;
    }

    static Said wrong_of(std::int64_t first, std::int64_t second, std::int64_t step, bool is_columns) {
        return is_columns ? say(sentences::seen_columns_apart, first, second, step)
                          : say(sentences::seen_rows_apart, first, second, step);
    }

    /// Numbers of the columns (rows) with wrong elements; empty where they are most of all.
    static std::vector<std::int64_t> lines_of(const std::vector<std::int64_t>& counts) {
        std::vector<std::int64_t> lines;
        for (std::size_t i = 0; i < counts.size(); ++i) {
            if (counts[i] > 0) lines.push_back(static_cast<std::int64_t>(i));
        }
        return lines.size() * 10 > counts.size() * 9 ? std::vector<std::int64_t>() : lines;
    }

    bool find_boundary() {
        return boundary_of(lines_of(spread_.by_column), tiles_.columns, spread_.grid.columns, true) ||
               boundary_of(lines_of(spread_.by_row), tiles_.rows, spread_.grid.rows, false);
    }

    bool boundary_of(const std::vector<std::int64_t>& lines, const std::vector<Tile>& tiles, std::int64_t size,
                     bool is_columns) {
        for (const Tile& tile : tiles) {
            if (lines.empty() || tile.size < 3 || size <= tile.size) continue;
            const auto is_at_border = [&](std::int64_t line) {
                return line % tile.size == 0 || line % tile.size == tile.size - 1;
            };
            const bool has_inner = std::ranges::any_of(
                lines, [&](std::int64_t line) { return is_at_border(line) && line > 0 && line < size - 1; });
            if (!std::ranges::all_of(lines, is_at_border) || !has_inner) continue;
            add(CauseKind::tile_boundary, 0.85,
                say(sentences::cause_tile_boundary, subject_.output.name,
                    wrong_of(lines[0], lines.size() > 1 ? lines[1] : lines[0] + tile.size, tile.size, is_columns)),
                {say(sentences::seen_in_tile, tile.size, tile.name, tile.size)}, sentences::mend_boundary);
            return true;
        }
        return false;
    }

    bool find_every_kth() {
        return every_kth_of(lines_of(spread_.by_column), spread_.grid.columns, true) ||
               every_kth_of(lines_of(spread_.by_row), spread_.grid.rows, false);
    }

    bool every_kth_of(const std::vector<std::int64_t>& lines, std::int64_t size, bool is_columns) {
        if (lines.size() < 2) return false;
        const std::int64_t step = lines[1] - lines[0];
        const auto keeps_step = [&](std::int64_t line) { return (line - lines[0]) % step == 0; };
        const auto all = static_cast<std::int64_t>(lines.size());
        const bool is_whole = lines[0] < step && all >= (size - lines[0] + step - 1) / step * 8 / 10;
        if (step < 2 || !is_whole || !std::ranges::all_of(lines, keeps_step)) return false;
        const double certainty = all > 2 ? 0.8 : 0.5;
        add(CauseKind::every_kth, certainty,
            say(sentences::cause_every_kth, step, subject_.output.name, wrong_of(lines[0], lines[1], step, is_columns)),
            {}, sentences::mend_kth);
        return true;
    }

    /// Whether every tile is right or wrong as a whole.
    bool find_tiles() {
        const Tile whole_rows{"", spread_.grid.rows}, whole_columns{"", spread_.grid.columns};
        std::vector<Tile> rows = tiles_.rows, columns = tiles_.columns;
        rows.push_back(whole_rows);
        columns.push_back(whole_columns);
        for (const Tile& height : rows) {
            for (const Tile& width : columns) {
                if (tiles_are(height.size, width.size)) return true;
            }
        }
        return false;
    }

    bool tiles_are(std::int64_t height, std::int64_t width) {
        const Grid tiles{(spread_.grid.rows + height - 1) / height, (spread_.grid.columns + width - 1) / width};
        if (tiles.elements() < 2 || tiles.elements() > spread_.grid.elements() / 2) return false;
        std::vector<std::int64_t> counts(static_cast<std::size_t>(tiles.elements()));
        for (const std::int64_t element : subject_.wrong) {
            const std::int64_t row = spread_.grid.row_of(element) / height;
            ++counts[static_cast<std::size_t>(row * tiles.columns + spread_.grid.column_of(element) / width)];
        }
        std::int64_t bad = 0, first = -1;
        for (std::int64_t tile = 0; tile < tiles.elements(); ++tile) {
            const std::int64_t count = counts[static_cast<std::size_t>(tile)];
            if (count == 0) continue;
            const std::int64_t rows = std::min(height, spread_.grid.rows - tiles.row_of(tile) * height);
            const std::int64_t columns = std::min(width, spread_.grid.columns - tiles.column_of(tile) * width);
            if (count * 5 < rows * columns * 2) return false;
            if (bad++ == 0) first = tile;
        }
        if (bad == 0 || bad * 2 > tiles.elements()) return false;
        add(CauseKind::one_tile, bad == 1 ? 0.75 : 0.65,
            say(sentences::cause_one_tile, subject_.output.name,
                say(sentences::seen_tiles, bad, tiles.elements(), height, width, tiles.row_of(first) * height,
                    tiles.column_of(first) * width)),
            {}, sentences::mend_tile);
        return true;
    }

    void find_edge() {
        const bool one_row = spread_.last_row == 0 && spread_.grid.rows > 1;
        const bool one_column = spread_.last_column == 0 && spread_.grid.columns > 1;
        if (!one_row && !one_column) return;
        const std::string_view where = one_row && one_column ? sentences::seen_first_element
                                       : one_row             ? sentences::seen_first_row
                                                             : sentences::seen_first_column;
        add(CauseKind::edge, 0.6, say(sentences::cause_edge, subject_.output.name, where), {}, sentences::mend_edge);
    }

    const Subject& subject_;
    Causes& causes_;
    const Spread spread_;
    const Tiles tiles_;
};

}  // namespace

void find_in_places(const Subject& subject, Causes& causes) { PlaceFinder(subject, causes).run(); }

}  // namespace kernelgen
