// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/assembly/code_view.h"

#include <algorithm>

#include "app/studio/application/text.h"
#include "core/listing/listing_difference.h"

namespace kernelgen::studio {

int CodeView::fileOf(const std::string& name) const {
    const auto found = std::ranges::find(listing.files, name);
    return found == listing.files.end() ? -1 : static_cast<int>(found - listing.files.begin());
}

std::vector<std::size_t> CodeView::rowsOf(const std::string& file, int line) const {
    const int index = fileOf(file);
    if (index < 0) return {};
    const auto& lines = by_source[static_cast<std::size_t>(index)];
    const auto found = lines.find(line);
    return found == lines.end() ? std::vector<std::size_t>() : found->second;
}

std::string CodeView::fileOfRow(std::size_t row) const {
    const int file = listing.lines[row].file;
    return file < 0 ? std::string() : listing.files[static_cast<std::size_t>(file)];
}

namespace {

/// Regions of a listing become those of what it was merged to, in which it lacks the rows with '-'.
void moveRegions(std::vector<CodeRegion>& regions, const std::vector<char>& marks) {
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < marks.size(); ++row) {
        if (marks[row] != '-') rows.push_back(row);
    }
    std::erase_if(regions, [&](const CodeRegion& each) { return each.last >= rows.size(); });  // it was cut
    for (CodeRegion& each : regions) {
        each.first = rows[each.first];
        each.last = rows[each.last];
    }
}

}  // namespace

/// Lines that follow one another in a source get different colours.
SharedCode readCode(const CodeText& text, CodeKind kind, const std::optional<CodeText>& other) {
    auto code = std::make_shared<CodeView>();
    code->listing = read_listing(text.text, kind, text.own_files);
    code->regions = outline_of(code->listing);
    if (other) {
        const Listing before = read_listing(other->text, kind, other->own_files);
        ListingDifference difference = difference_between(before, code->listing);
        code->listing = std::move(difference.merged);
        code->marks = std::move(difference.marks);
        moveRegions(code->regions, code->marks);
        code->before = mix_of(before);
        code->removed = difference.removed;
        code->added = difference.added;
    }
    code->colours.assign(code->listing.lines.size(), -1);
    for (std::size_t file = 0; file < code->listing.files.size(); ++file) {
        code->by_source.push_back(lines_by_source(code->listing, static_cast<int>(file)));
        int colour = 0;
        for (const auto& [line, rows] : code->by_source.back()) {
            for (const std::size_t row : rows) code->colours[row] = colour;
            ++colour;
        }
    }
    for (std::size_t row = 0; row < code->listing.lines.size(); ++row) {
        if (code->listing.lines[row].kind == ListingLineKind::function)
            code->functions.push_back(static_cast<int>(row));
    }
    return code;
}

std::vector<int> differencesOf(const CodeView& code) {
    std::vector<int> rows;
    for (std::size_t row = 0; row < code.marks.size(); ++row) {
        const bool begins = row == 0 || code.marks[row - 1] == ' ';
        if (begins && code.marks[row] != ' ') rows.push_back(static_cast<int>(row));
    }
    return rows;
}

std::vector<int> rowsWith(const SharedCode& code, const QString& text) {
    std::vector<int> rows;
    if (code == nullptr || text.isEmpty()) return rows;
    const std::string wanted = text.toLower().toStdString();
    const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; };
    for (std::size_t row = 0; row < code->listing.lines.size(); ++row) {
        const std::string& line = code->listing.lines[row].text;
        if (std::search(line.begin(), line.end(), wanted.begin(), wanted.end(), same) != line.end())
            rows.push_back(static_cast<int>(row));
    }
    return rows;
}

LineColours lineColoursOf(const CodeView& code) {
    LineColours colours;
    for (std::size_t file = 0; file < code.by_source.size(); ++file) {
        for (const auto& [line, rows] : code.by_source[file])
            colours[code.listing.files[file]][line] = code.colours[rows.front()];
    }
    return colours;
}

}  // namespace kernelgen::studio
