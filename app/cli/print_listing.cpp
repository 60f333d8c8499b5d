// SPDX-License-Identifier: Apache-2.0
#include "app/cli/print_listing.h"

#include <algorithm>
#include <format>
#include <numeric>

#include "core/base/text.h"
#include "core/listing/code_outline.h"
#include "core/listing/instruction_mix.h"
#include "core/listing/listing_difference.h"

namespace kernelgen::cli {

namespace {

std::string place_text(const Listing& listing, const ListingLine& line) {
    if (line.file < 0) return "";
    // A listing of one file needs no name.
    const std::string number = std::to_string(line.line);
    return listing.files.size() == 1 ? number : listing.files[static_cast<std::size_t>(line.file)] + ":" + number;
}

void print_mix(std::ostream& out, const InstructionMix& mix) {
    out << std::format("{} instructions", mix.instructions);
    const char* between = ": ";
    for (const InstructionGroup each : all_instruction_groups) {
        const auto count = mix.groups.find(each);
        if (count == mix.groups.end()) continue;
        out << between << count->second << " " << to_string(each);
        between = ", ";
    }
    between = "; registers named: ";
    for (const auto& [kind, count] : mix.registers) {
        out << between << count << " " << kind;
        between = ", ";
    }
    out << "\n";
}

std::vector<std::string> source_lines(const Implementation& implementation, const std::string& file) {
    const auto further = implementation.files.find(file);
    return split(further == implementation.files.end() ? implementation.text : further->second, '\n');
}

std::string line_of_source(const std::vector<std::string>& lines, int line) {
    const auto index = static_cast<std::size_t>(line) - 1;
    return index < lines.size() ? std::string(trim(lines[index])) : std::string();
}

int count_in(const InstructionMix& mix, std::initializer_list<InstructionGroup> groups) {
    int count = 0;
    for (const InstructionGroup each : groups) {
        if (const auto found = mix.groups.find(each); found != mix.groups.end()) count += found->second;
    }
    return count;
}

/// "loop, lines 20-25", or a function's name.
std::string region_text(const Listing& listing, const CodeRegion& region) {
    const std::string& head = listing.lines[region.first].text;
    if (region.kind == RegionKind::function) return head.ends_with(':') ? head.substr(0, head.size() - 1) : head;
    const SourceSpan source = source_of(listing, region);
    std::string text(to_string(region.kind));
    if (source.file < 0) return text;
    text += source.first == source.last ? std::format(", line {}", source.first)
                                        : std::format(", lines {}-{}", source.first, source.last);
    return listing.files.size() == 1 ? text : text + " of " + listing.files[static_cast<std::size_t>(source.file)];
}

}  // namespace

Listing chosen(const Listing& listing, const ListingChoice& choice) {
    const bool takes_all = choice.file.empty() && choice.first == 0;
    if (takes_all) return listing;
    Listing part{.kind = listing.kind, .files = listing.files, .is_cut = listing.is_cut};
    for (const ListingLine& each : listing.lines) {
        const bool is_of_file = each.file >= 0 && (choice.file.empty() ||
                                                   listing.files[static_cast<std::size_t>(each.file)] == choice.file);
        if (is_of_file && each.line >= choice.first && each.line <= choice.last) part.lines.push_back(each);
    }
    return part;
}

void print_listing(std::ostream& out, const Listing& listing) {
    std::size_t width = 0;
    for (const ListingLine& each : listing.lines) width = std::max(width, place_text(listing, each).size());
    for (const ListingLine& each : listing.lines) {
        out << std::format("{:>{}} | {}\n", place_text(listing, each), width, each.text);
    }
    if (listing.is_cut) out << "… what follows is left out\n";
    print_mix(out, mix_of(listing));
}

void print_difference(std::ostream& out, const Listing& before, const Listing& now) {
    constexpr std::size_t context_lines = 3;
    const ListingDifference difference = difference_between(before, now);
    const std::vector<ListingLine>& lines = difference.merged.lines;
    std::vector<bool> shown(lines.size());
    std::size_t width = 0;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        width = std::max(width, place_text(difference.merged, lines[i]).size());
        if (difference.marks[i] == ' ') continue;
        const std::size_t end = std::min(lines.size(), i + context_lines + 1);
        for (std::size_t near = i - std::min(i, context_lines); near < end; ++near) shown[near] = true;
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (!shown[i]) continue;
        if (i > 0 && !shown[i - 1]) out << "…\n";
        out << std::format("{} {:>{}} | {}\n", difference.marks[i], place_text(difference.merged, lines[i]), width,
                           lines[i].text);
    }
    if (difference.merged.is_cut) out << "… what follows is left out\n";
    out << std::format("{} lines removed, {} added\nbefore: ", difference.removed, difference.added);
    print_mix(out, mix_of(before));
    out << "now: ";
    print_mix(out, mix_of(now));
}

void print_outline(std::ostream& out, const Listing& listing) {
    for (const CodeRegion& each : outline_of(listing)) {
        std::vector<std::size_t> rows(each.last - each.first + 1);
        std::iota(rows.begin(), rows.end(), each.first);
        out << std::string(static_cast<std::size_t>(2 * each.depth), ' ') << region_text(listing, each) << ": ";
        print_mix(out, mix_of(listing, rows));
    }
}

void print_by_line(std::ostream& out, const Listing& listing, const Implementation& implementation) {
    using enum InstructionGroup;
    out << std::format("{:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6}  source\n", "line", "all", "float", "load", "store",
                       "spill", "other");
    for (std::size_t file = 0; file < listing.files.size(); ++file) {
        if (listing.files.size() > 1) out << listing.files[file] << "\n";
        const std::vector<std::string> source = source_lines(implementation, listing.files[file]);
        for (const auto& [line, indices] : lines_by_source(listing, static_cast<int>(file))) {
            const InstructionMix mix = mix_of(listing, indices);
            const int of_floats = count_in(mix, {floats, matrix}), loads = count_in(mix, {load}),
                      stores = count_in(mix, {store}), spills = mix.spills();
            out << std::format("{:>6} {:>6} {:>6} {:>6} {:>6} {:>6} {:>6}  {}\n", line, mix.instructions, of_floats,
                               loads, stores, spills, mix.instructions - of_floats - loads - stores - spills,
                               line_of_source(source, line));
        }
    }
    print_mix(out, mix_of(listing));
}

}  // namespace kernelgen::cli
