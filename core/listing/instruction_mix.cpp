// SPDX-License-Identifier: Apache-2.0
#include "core/listing/instruction_mix.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>

#include "core/listing/instruction_group.h"

namespace kernelgen {

namespace {

using RegisterNames = std::set<std::pair<std::string, std::string>>;  // kind, name

bool is_word(char each) { return std::isalnum(static_cast<unsigned char>(each)) || each == '_'; }
bool is_digit(char each) { return std::isdigit(static_cast<unsigned char>(each)); }

/// Kind and name of a register of x86-64 ("ymm3" and "xmm3" are one), or of PTX ("rd12"). Nothing of one that does not
/// count: a segment, the x87 stack, a clock of a GPU.
std::optional<std::pair<std::string, std::string>> register_of(std::string_view word, CodeKind kind) {
    using Register = std::pair<std::string, std::string>;
    constexpr std::string_view of_gpu[] = {"envreg", "clock", "pm"};
    std::size_t letters = 0;
    while (letters < word.size() && !is_digit(word[letters])) ++letters;
    const std::string_view stem = word.substr(0, letters), number = word.substr(letters);
    if (kind == CodeKind::ptx && std::ranges::contains(of_gpu, stem)) return std::nullopt;
    if (kind == CodeKind::ptx) return Register(stem, word);
    const bool is_vector = stem == "xmm" || stem == "ymm" || stem == "zmm";
    if (is_vector) return Register("vector", number);
    if (stem == "k" && !number.empty()) return Register("mask", number);
    if (stem != "r" && !number.empty()) return std::nullopt;
    // "eax", "ax" and "al" are "rax"; "r8d" is "r8".
    std::string name(word);
    while (name.size() > 2 && number.empty() && (name[0] == 'r' || name[0] == 'e')) name.erase(0, 1);
    if (!number.empty()) name = "r" + std::to_string(std::atoi(std::string(number.substr(0, 3)).c_str()));
    if (name.size() == 2 && (name[1] == 'l' || name[1] == 'h') && name[0] <= 'd') name[1] = 'x';
    if (name.size() == 3 && name.ends_with('l')) name.pop_back();
    constexpr std::string_view general[] = {"ax", "bx", "cx", "dx", "si", "di", "bp", "sp"};
    if (number.empty() && !std::ranges::contains(general, name)) return std::nullopt;
    return Register("general", name);
}

/// Registers that begin with % : of x86-64 and PTX.
void add_marked(std::string_view text, CodeKind kind, RegisterNames& names) {
    for (std::size_t i = text.find('%'); i != std::string_view::npos; i = text.find('%', i + 1)) {
        std::size_t end = i + 1;
        while (end < text.size() && is_word(text[end])) ++end;
        const std::string_view word = text.substr(i + 1, end - i - 1);
        const bool is_special = kind == CodeKind::ptx && (word.empty() || !is_digit(word.back()));
        if (word.empty() || is_special) continue;
        if (auto named = register_of(word, kind)) names.insert(std::move(*named));
    }
}

/// R12, UR4 and P0 of SASS; RZ, URZ and PT are none.
void add_of_sass(std::string_view text, RegisterNames& names) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!is_word(text[i]) || (i > 0 && is_word(text[i - 1]))) continue;
        std::size_t end = i;
        while (end < text.size() && is_word(text[end])) ++end;
        const std::string_view word = text.substr(i, end - i);
        for (const std::string_view kind : {"UR", "UP", "R", "P"}) {
            const std::string_view number = word.substr(std::min(kind.size(), word.size()));
            const bool fits = word.starts_with(kind) && !number.empty() && std::ranges::all_of(number, is_digit);
            if (!fits) continue;
            names.emplace(kind, word);
            break;
        }
        i = end;
    }
}

void add_registers(const ListingLine& line, CodeKind kind, RegisterNames& names) {
    if (kind == CodeKind::sass) add_of_sass(line.text, names);
    else if (!is_mlir(kind)) add_marked(line.text, kind, names);
}

}  // namespace

InstructionMix mix_of(const Listing& listing, const std::vector<std::size_t>& lines) {
    InstructionMix mix;
    RegisterNames names;
    for (const std::size_t index : lines) {
        const ListingLine& line = listing.lines[index];
        if (line.kind != ListingLineKind::instruction) continue;
        ++mix.instructions;
        ++mix.groups[line.group];
        add_registers(line, listing.kind, names);
    }
    for (const auto& [kind, name] : names) ++mix.registers[kind];
    return mix;
}

InstructionMix mix_of(const Listing& listing) {
    std::vector<std::size_t> all(listing.lines.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return mix_of(listing, all);
}

std::map<int, std::vector<std::size_t>> lines_by_source(const Listing& listing, int file) {
    std::map<int, std::vector<std::size_t>> lines;
    for (std::size_t i = 0; i < listing.lines.size(); ++i) {
        if (listing.lines[i].file == file && file >= 0) lines[listing.lines[i].line].push_back(i);
    }
    return lines;
}

nlohmann::ordered_json to_json(const InstructionMix& mix) {
    nlohmann::ordered_json groups = nlohmann::ordered_json::object();
    for (const InstructionGroup each : all_instruction_groups) {
        if (const auto count = mix.groups.find(each); count != mix.groups.end())
            groups[std::string(to_string(each))] = count->second;
    }
    return {{"instructions", mix.instructions}, {"groups", groups}, {"registers", mix.registers}};
}

nlohmann::ordered_json to_json(const Listing& listing) {
    nlohmann::ordered_json lines = nlohmann::ordered_json::array();
    for (const ListingLine& each : listing.lines) {
        nlohmann::ordered_json line = {{"text", each.text}};
        if (each.kind == ListingLineKind::instruction) line["group"] = to_string(each.group);
        if (each.file >= 0) {
            line["file"] = listing.files[static_cast<std::size_t>(each.file)];
            line["line"] = each.line;
        }
        lines.push_back(std::move(line));
    }
    return {{"kind", to_string(listing.kind)},
            {"files", listing.files},
            {"is_cut", listing.is_cut},
            {"mix", to_json(mix_of(listing))},
            {"lines", lines}};
}

}  // namespace kernelgen
