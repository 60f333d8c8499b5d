// SPDX-License-Identifier: Apache-2.0
#include <charconv>

#include "core/listing/instruction_group.h"
#include "core/listing/readers.h"

namespace kernelgen {

namespace {

constexpr std::size_t longest_listed_line = 4000;

/// Whether a path ends with a name, as a whole part of it. A file of the system is none of the project's.
bool is_path_of(std::string_view path, std::string_view name) {
    if (!path.ends_with(name) || path.starts_with("/usr/")) return false;
    return path.size() == name.size() || path[path.size() - name.size() - 1] == '/';
}

}  // namespace

int ListingWriter::index_of(const std::string& own_file) {
    const auto known = std::ranges::find(listing_.files, own_file);
    if (known != listing_.files.end()) return static_cast<int>(known - listing_.files.begin());
    listing_.files.push_back(own_file);
    return static_cast<int>(listing_.files.size()) - 1;
}

OwnPlace ListingWriter::place(std::string_view path, int line) {
    if (line < 1) return {};
    const auto known = by_path_.find(path);
    if (known != by_path_.end()) return known->second < 0 ? OwnPlace{} : OwnPlace{known->second, line};
    const std::string* own = nullptr;
    for (const std::string& each : own_files_) {
        if (!each.empty() && is_path_of(path, each) && (own == nullptr || each.size() > own->size())) own = &each;
    }
    const int file = own == nullptr ? -1 : index_of(*own);
    by_path_.emplace(path, file);
    return file < 0 ? OwnPlace{} : OwnPlace{file, line};
}

void ListingWriter::add(std::string_view text, ListingLineKind kind, OwnPlace at) {
    if (listing_.lines.size() >= most_listing_lines) {
        listing_.is_cut = true;
        return;
    }
    const bool is_instruction = kind == ListingLineKind::instruction;
    const bool is_assembly = listing_.kind == CodeKind::assembly;
    if (kind == ListingLineKind::function) has_frame_pointer_ = false;
    if (is_assembly && is_instruction && text.ends_with("%rsp,%rbp") && mnemonic_of(text, listing_.kind) == "mov")
        has_frame_pointer_ = true;
    listing_.lines.push_back(
        {std::string(text.substr(0, longest_listed_line)), kind,
         is_instruction ? group_of(text, listing_.kind, has_frame_pointer_) : InstructionGroup::other, at.file,
         at.line});
}

void ListingWriter::set_place(std::size_t row, OwnPlace at) {
    listing_.lines[row].file = at.file;
    listing_.lines[row].line = at.line;
}

void for_each_line(std::string_view text, const std::function<bool(std::string_view)>& visit) {
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (!visit(line)) return;
        if (end == std::string_view::npos) return;
        text.remove_prefix(end + 1);
    }
}

int line_number(std::string_view text) {
    int number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end != text.data() && number > 0 ? number : 0;
}

}  // namespace kernelgen
