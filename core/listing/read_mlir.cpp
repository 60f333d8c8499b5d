// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>

#include "core/base/text.h"
#include "core/listing/readers.h"

namespace kernelgen {

namespace {

/// "#loc12" at the beginning of a text; "" where there is no such name.
std::string_view alias_at(std::string_view text) {
    if (!text.starts_with("#loc")) return {};
    std::size_t end = 4;
    while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end]))) ++end;
    return text.substr(0, end);
}

/// The end of the parenthesis that opens before `begin`, behind it; npos where it stays open.
std::size_t end_of_parenthesis(std::string_view text, std::size_t begin) {
    int depth = 1;
    bool is_quoted = false;
    for (std::size_t i = begin; i < text.size(); ++i) {
        if (text[i] == '"') is_quoted = !is_quoted;
        if (is_quoted) continue;
        depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
        if (depth == 0) return i + 1;
    }
    return std::string_view::npos;
}

/// A line without its locations, and the one at its end, which is its own: those before belong to arguments.
struct LocatedLine {
    std::string code;
    std::string_view location;
};

LocatedLine without_locations(std::string_view line) {
    constexpr std::string_view begin = " loc(";
    LocatedLine located;
    while (true) {
        const std::size_t found = line.find(begin);
        located.code += line.substr(0, found);
        if (found == std::string_view::npos) return located;
        const std::size_t end = std::min(end_of_parenthesis(line, found + begin.size()), line.size());
        if (trim(line.substr(end)).empty()) located.location = line.substr(found, end - found);
        line.remove_prefix(end);
    }
}

class MlirReader {
public:
    MlirReader(std::string_view text, ListingWriter& out) : out_(out) {
        for_each_line(text, [&](std::string_view line) {
            const std::string_view name = alias_at(line);
            if (!name.empty() && line.substr(name.size()).starts_with(" = loc("))
                aliases_.emplace(name, line.substr(name.size() + 3));
            return true;
        });
    }

    bool take(std::string_view line) {
        const std::string_view text = trim(line);
        if (text.empty() || (!alias_at(text).empty() && text.contains(" = loc("))) return true;
        const LocatedLine located = without_locations(line);
        const std::string_view code = trim(located.code);
        const OwnPlace at = place(located.location, 0);
        out_.add(located.code, kind_of(code), at);
        if (!out_.is_full()) follow_regions(code, at);
        return !out_.is_full();
    }

private:
    /// An operation with regions has its location behind the brace that closes the last one.
    void follow_regions(std::string_view code, OwnPlace at) {
        std::size_t opening = out_.rows() - 1;
        if (code.starts_with('}') && !open_rows_.empty()) {
            opening = open_rows_.back();
            open_rows_.pop_back();
            if (at.is_own()) out_.set_place(opening, at);
        }
        if (code.ends_with('{')) open_rows_.push_back(opening);
    }

    static ListingLineKind kind_of(std::string_view code) {
        if (code.starts_with("tt.func") || code.starts_with("func.func")) return ListingLineKind::function;
        if (code.starts_with('^')) return ListingLineKind::label;
        const bool is_other = code.starts_with('#') || code.starts_with('}') || code.starts_with("module");
        return is_other ? ListingLineKind::other : ListingLineKind::instruction;
    }

    /// The first place in the project that a location tells: of `callsite(A at B)`, that is A's, else B's.
    OwnPlace place(std::string_view location, int depth) {
        constexpr int deepest = 16;
        int steps = 0;
        for (std::size_t i = 0; i < location.size() && depth < deepest && ++steps < 4000; ++i) {
            OwnPlace found;
            if (location[i] == '"') {
                const std::size_t end = location.find('"', i + 1);
                if (end == std::string_view::npos) return {};
                const std::string_view path = location.substr(i + 1, end - i - 1), after = location.substr(end + 1);
                if (after.starts_with(':')) found = out_.place(path, line_number(after.substr(1)));
                i = end;
            } else if (const std::string_view alias = alias_at(location.substr(i)); !alias.empty()) {
                found = place_of_alias(alias, depth);
                i += alias.size() - 1;
            }
            if (found.is_own()) return found;
        }
        return {};
    }

    OwnPlace place_of_alias(std::string_view alias, int depth) {
        if (const auto known = known_.find(alias); known != known_.end()) return known->second;
        const auto location = aliases_.find(alias);
        if (location == aliases_.end()) return {};
        known_[std::string(alias)] = {};  // one that leads to itself has no place
        const OwnPlace found = place(location->second, depth + 1);
        known_[std::string(alias)] = found;
        return found;
    }

    ListingWriter& out_;
    std::vector<std::size_t> open_rows_;  ///< of the operations in whose regions the reader is
    std::map<std::string, std::string_view, std::less<>> aliases_;
    std::map<std::string, OwnPlace, std::less<>> known_;
};

}  // namespace

void read_mlir(std::string_view text, ListingWriter& out) {
    MlirReader reader(text, out);
    for_each_line(text, [&](std::string_view line) { return reader.take(line); });
}

}  // namespace kernelgen
