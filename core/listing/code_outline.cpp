// SPDX-License-Identifier: Apache-2.0
#include "core/listing/code_outline.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <string>

#include "core/base/text.h"
#include "core/listing/instruction_group.h"
#include "core/listing/instruction_mix.h"

namespace kernelgen {

namespace {

/// The name at the beginning of a text: of a label, a register, an address.
std::string_view name_at(std::string_view text) {
    constexpr std::string_view others = "_$.^";
    std::size_t end = 0;
    while (end < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[end])) != 0 || others.contains(text[end])))
        ++end;
    return text.substr(0, end);
}

/// "1a0" of "01a0" and of "0x1a0".
std::string_view address_of(std::string_view text) {
    if (text.starts_with("0x")) text.remove_prefix(2);
    const std::size_t begin = std::min(text.find_first_not_of('0'), text.size());
    return text.substr(begin);
}

/// What follows an instruction's name.
std::string_view operands_of(std::string_view line, CodeKind kind) {
    const std::string_view name = mnemonic_of(line, kind);
    const std::size_t at = line.find(name);
    return name.empty() || at == std::string_view::npos ? std::string_view() : trim(line.substr(at + name.size()));
}

/// The name by which jumps find a line; "" where it has none.
std::string_view place_of(const ListingLine& line, CodeKind kind) {
    const std::string_view text = trim(line.text);
    if (line.kind == ListingLineKind::label) return name_at(text);
    const bool has_address = kind == CodeKind::assembly || kind == CodeKind::sass;
    const bool is_instruction = line.kind == ListingLineKind::instruction;
    return has_address && is_instruction ? address_of(text.substr(0, text.find(':'))) : std::string_view();
}

/// The places that a jump of MLIR leads to: every ^name.
std::vector<std::string_view> blocks_named_in(std::string_view text) {
    std::vector<std::string_view> names;
    for (std::size_t at = text.find('^'); at != std::string_view::npos; at = text.find('^', at + 1))
        names.push_back(name_at(text.substr(at)));
    return names;
}

/// Where the jump in a line leads to; none where it is no jump, or one to an address that is computed.
std::vector<std::string_view> targets_of(const ListingLine& line, CodeKind kind) {
    if (line.group != InstructionGroup::control && !is_mlir(kind)) return {};
    const std::string_view name = mnemonic_of(line.text, kind), operands = operands_of(line.text, kind);
    switch (kind) {
        case CodeKind::assembly:
            if (!name.starts_with('j') && !name.starts_with("loop")) return {};
            return {address_of(name_at(operands))};
        case CodeKind::ptx:
            if (!name.starts_with("bra")) return {};
            return {name_at(operands)};
        case CodeKind::sass: {
            if (!name.starts_with("BRA")) return {};
            if (const std::size_t label = operands.find("`("); label != std::string_view::npos)
                return {name_at(operands.substr(label + 2))};
            const std::size_t address = operands.find("0x");
            return address == std::string_view::npos ? std::vector<std::string_view>()
                                                     : std::vector{address_of(name_at(operands.substr(address)))};
        }
        case CodeKind::ttir:
        case CodeKind::ttgir:
            return name.starts_with("cf.") ? blocks_named_in(operands) : std::vector<std::string_view>();
    }
    return {};
}

/// Whether the next line begins a block. What is called comes back.
bool ends_block(const ListingLine& line, CodeKind kind) {
    if (line.kind != ListingLineKind::instruction) return false;
    const std::string_view name = mnemonic_of(line.text, kind);
    if (is_mlir(kind)) return name.starts_with("cf.");
    constexpr std::string_view calls[] = {"call", "CALL", "BSSY", "BSYNC", "WARPSYNC", "NOP"};
    const auto begins = [&](std::string_view call) { return name.starts_with(call); };
    return line.group == InstructionGroup::control && std::ranges::none_of(calls, begins);
}

/// Finds the loops and blocks of one function, whose lines are [begin, end).
class FunctionOutline {
public:
    FunctionOutline(const Listing& listing, std::size_t begin, std::size_t end)
        : listing_(listing), begin_(begin), end_(end) {
        for (std::size_t row = begin; row < end; ++row) {
            if (const std::string_view place = place_of(listing.lines[row], listing.kind); !place.empty())
                places_.emplace(place, row);
        }
    }

    std::vector<CodeRegion> take() {
        for (std::size_t row = begin_; row < end_; ++row) {
            const ListingLine& line = listing_.lines[row];
            if (line.kind == ListingLineKind::instruction) follow_jumps(row);
            if (is_mlir(listing_.kind)) follow_braces(row);
            if (ends_block(line, listing_.kind)) leaders_.insert(row + 1);
            if (line.kind == ListingLineKind::label) leaders_.insert(row);
        }
        add_loops();
        if (!leaders_.empty()) add_blocks();
        return std::move(regions_);
    }

private:
    void follow_jumps(std::size_t row) {
        for (const std::string_view target : targets_of(listing_.lines[row], listing_.kind)) {
            const auto found = places_.find(target);
            if (found == places_.end()) continue;
            leaders_.insert(found->second);
            if (found->second > row) continue;
            std::size_t& last = loops_[found->second];
            last = std::max(last, row);
        }
    }

    void follow_braces(std::size_t row) {
        const std::string_view text = trim(listing_.lines[row].text);
        std::size_t opening = row;
        if (text.starts_with('}') && !open_.empty()) {
            opening = open_.back();
            open_.pop_back();
            const std::string_view begin = listing_.lines[opening].text;
            const bool is_loop = begin.contains("scf.for") || begin.contains("scf.while");
            if (is_loop && !text.ends_with('{')) loops_[opening] = row;
        }
        if (text.ends_with('{')) open_.push_back(opening);
    }

    void add(CodeRegion region) {
        if (region.last > region.first) regions_.push_back(region);
    }

    void add_loops() {
        std::vector<std::size_t> ends;  // of the loops around
        for (const auto& [first, last] : loops_) {
            while (!ends.empty() && ends.back() < first) ends.pop_back();
            if (!ends.empty() && ends.back() < last) continue;
            ends.push_back(last);
            add({RegionKind::loop, first, last});
        }
    }

    void add_blocks() {
        leaders_.insert(begin_ + 1);
        for (auto leader = leaders_.begin(); leader != leaders_.end(); ++leader) {
            const auto next = std::next(leader);
            const std::size_t end = next == leaders_.end() ? end_ : *next;
            const auto loop = loops_.find(*leader);
            const bool is_loop = loop != loops_.end() && loop->second == end - 1;
            if (*leader < end && !is_loop) add({RegionKind::block, *leader, end - 1});
        }
    }

    const Listing& listing_;
    std::size_t begin_, end_;
    std::map<std::string_view, std::size_t> places_;
    std::map<std::size_t, std::size_t> loops_;  ///< by their first line, the last one
    std::set<std::size_t> leaders_;             ///< first lines of blocks
    std::vector<std::size_t> open_;             ///< lines whose braces are open
    std::vector<CodeRegion> regions_;
};

/// Puts each region behind the one that it is in, and counts.
void order(std::vector<CodeRegion>& regions) {
    std::ranges::stable_sort(regions, [](const CodeRegion& a, const CodeRegion& b) {
        return a.first != b.first ? a.first < b.first : a.last > b.last;
    });
    std::vector<std::size_t> ends;
    for (CodeRegion& each : regions) {
        while (!ends.empty() && ends.back() < each.first) ends.pop_back();
        each.depth = static_cast<int>(ends.size());
        ends.push_back(each.last);
    }
}

}  // namespace

std::string_view to_string(RegionKind kind) {
    switch (kind) {
        case RegionKind::function: return "function";
        case RegionKind::loop: return "loop";
        case RegionKind::block: return "block";
    }
    return {};
}

std::vector<CodeRegion> outline_of(const Listing& listing) {
    std::vector<CodeRegion> regions;
    std::size_t begin = 0;
    while (begin < listing.lines.size()) {
        const bool is_function = listing.lines[begin].kind == ListingLineKind::function;
        std::size_t end = begin + 1;
        while (end < listing.lines.size() && listing.lines[end].kind != ListingLineKind::function) ++end;
        if (is_function && end - begin > 1) {
            regions.push_back({RegionKind::function, begin, end - 1});
            std::ranges::copy(FunctionOutline(listing, begin, end).take(), std::back_inserter(regions));
        }
        begin = end;
    }
    order(regions);
    return regions;
}

SourceSpan source_of(const Listing& listing, const CodeRegion& region) {
    std::map<int, int> counts;
    for (std::size_t row = region.first; row <= region.last; ++row) ++counts[listing.lines[row].file];
    counts.erase(-1);
    if (counts.empty()) return {};
    const int file = std::ranges::max_element(counts, {}, [](const auto& each) { return each.second; })->first;
    SourceSpan span{.file = file};
    for (std::size_t row = region.first; row <= region.last; ++row) {
        const ListingLine& line = listing.lines[row];
        if (line.file != file) continue;
        span.first = span.first == 0 ? line.line : std::min(span.first, line.line);
        span.last = std::max(span.last, line.line);
    }
    return span;
}

nlohmann::ordered_json outline_json(const Listing& listing) {
    nlohmann::ordered_json regions = nlohmann::ordered_json::array();
    for (const CodeRegion& each : outline_of(listing)) {
        nlohmann::ordered_json region = {
            {"kind", to_string(each.kind)}, {"first", each.first}, {"last", each.last}, {"depth", each.depth}};
        if (const SourceSpan source = source_of(listing, each); source.file >= 0) {
            region["file"] = listing.files[static_cast<std::size_t>(source.file)];
            region["source"] = {source.first, source.last};
        }
        std::vector<std::size_t> rows(each.last - each.first + 1);
        std::iota(rows.begin(), rows.end(), each.first);
        region["mix"] = to_json(mix_of(listing, rows));
        regions.push_back(std::move(region));
    }
    return regions;
}

}  // namespace kernelgen
