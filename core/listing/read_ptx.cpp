// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <sstream>

#include "core/base/text.h"
#include "core/listing/instruction_group.h"
#include "core/listing/readers.h"

namespace kernelgen {

namespace {

/// Number of a file, line and column, as `.loc` has them.
using PtxLocation = std::array<int, 3>;

std::optional<PtxLocation> location_in(std::string_view text) {
    std::istringstream numbers{std::string(text.substr(0, 64))};
    PtxLocation place{};
    if (numbers >> place[0] >> place[1] >> place[2]) return place;
    return std::nullopt;
}

/// The paths of `.file NUMBER "PATH"`: these directives stand at the end.
std::map<int, std::string> files_of_ptx(std::string_view text) {
    std::map<int, std::string> files;
    for_each_line(text, [&](std::string_view line) {
        const std::string_view directive = trim(line);
        if (!directive.starts_with(".file")) return true;
        const std::size_t begin = directive.find('"'), end = directive.rfind('"');
        const int number = line_number(trim(directive.substr(5)));
        if (begin < end && end != std::string_view::npos)
            files[number] = std::string(directive.substr(begin + 1, end - begin - 1));
        return true;
    });
    return files;
}

bool begins_function(std::string_view text) {
    const std::string_view head = text.substr(0, 120);
    return text.starts_with('.') && (head.contains(".entry ") || head.contains(".func ") || head.contains(".func("));
}

/// A call's operands may stand on lines of their own: the line with its name counts.
bool is_instruction_of_ptx(std::string_view text) {
    const std::string_view name = mnemonic_of(text, CodeKind::ptx);
    if (name == "call" || name.starts_with("call.")) return true;
    const bool goes_on = text.starts_with(')') || text.starts_with(',');
    return text.ends_with(';') && !text.starts_with('.') && !goes_on && !text.contains(" .callprototype ");
}

class PtxReader {
public:
    PtxReader(std::string_view text, ListingWriter& out) : out_(out), files_(files_of_ptx(text)) {}

    bool take(std::string_view line) {
        const std::string_view whole = trim(line);
        const std::string_view text = trim(whole.substr(0, whole.find("//")));
        if (text.empty() || text.starts_with(".file")) return true;
        if (text.starts_with(".section")) return false;  // what follows is for a debugger
        if (text.starts_with(".loc ") || text.starts_with(".loc\t")) here_ = take_location(text.substr(4));
        else if (begins_function(text)) begin_function(text);
        else if (text.ends_with(':')) out_.add(text, ListingLineKind::label, here_);
        else if (is_instruction_of_ptx(text)) add_instruction(text);
        else out_.add(line, ListingLineKind::other);
        return !out_.is_full();
    }

private:
    void begin_function(std::string_view text) {
        here_ = {};
        callers_.clear();
        out_.add(text, ListingLineKind::function);
    }

    void add_instruction(std::string_view text) {
        out_.add("    " + std::string(text), ListingLineKind::instruction, here_);
    }

    OwnPlace place(const PtxLocation& at) {
        const auto file = files_.find(at[0]);
        return file == files_.end() ? OwnPlace{} : out_.place(file->second, at[1]);
    }

    /// Notes by which call the code was inlined, and follows the calls outwards to a file of the project.
    OwnPlace take_location(std::string_view text) {
        std::optional<PtxLocation> at = location_in(text);
        if (!at) return {};
        constexpr std::string_view inlined = "inlined_at";
        const std::size_t found = text.find(inlined);
        const auto caller =
            found == std::string_view::npos ? std::nullopt : location_in(text.substr(found + inlined.size()));
        if (caller && *caller != *at) callers_[*at] = *caller;
        else callers_.erase(*at);
        constexpr int deepest = 64;
        for (int depth = 0; depth < deepest; ++depth) {
            if (const OwnPlace own = place(*at); own.is_own()) return own;
            const auto outer = callers_.find(*at);
            if (outer == callers_.end()) break;
            at = outer->second;
        }
        return {};
    }

    ListingWriter& out_;
    std::map<int, std::string> files_;
    std::map<PtxLocation, PtxLocation> callers_;
    OwnPlace here_;
};

}  // namespace

void read_ptx(std::string_view text, ListingWriter& out) {
    PtxReader reader(text, out);
    for_each_line(text, [&](std::string_view line) { return reader.take(line); });
}

}  // namespace kernelgen
