// SPDX-License-Identifier: Apache-2.0
#include "core/listing/listing_difference.h"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/line_edits.h"
#include "core/listing/instruction_group.h"
#include "core/listing/instruction_mix.h"

namespace kernelgen {

namespace {

constexpr int most_edits = 3000;  // 36 MB

bool is_of_word(char each) { return std::isalnum(static_cast<unsigned char>(each)) != 0 || each == '_'; }

constexpr std::string_view registers_of_bytes[] = {"al", "bl", "cl", "dl", "sil", "dil", "bpl"};
constexpr std::string_view registers_of_words[] = {"ax", "bx", "cx", "dx", "si", "di", "bp"};

/// A general register of x86-64 by its width: "r" of %rcx and %r9, "e" of %eax and %r9d, "w" of %cx and %r9w, "b" of
/// %cl and %r9b; others, such as the stack's, by their names.
std::optional<std::string_view> general_register(std::string_view name) {
    if (std::ranges::contains(registers_of_bytes, name)) return "b";
    if (std::ranges::contains(registers_of_words, name)) return "w";
    if (name.size() < 2 || name == "rsp" || name == "rip") return std::nullopt;
    if (name[0] == 'e' && std::ranges::contains(registers_of_words, name.substr(1))) return "e";
    if (name[0] != 'r') return std::nullopt;
    if (std::isdigit(static_cast<unsigned char>(name[1])) == 0)
        return std::ranges::contains(registers_of_words, name.substr(1)) ? std::optional("r") : std::nullopt;
    switch (name.back()) {
        case 'd': return "e";
        case 'w': return "w";
        case 'b': return "b";
        default: return "r";
    }
}

/// A word without the number of a register or label: "%ymm" of "%ymm3", "R" of "R17", "$L__BB_" of "$L__BB0_2".
std::string without_number(std::string_view word, char before, CodeKind kind) {
    if (before == '%' && kind == CodeKind::assembly) {
        if (const auto width = general_register(word)) return std::string(*width);
    }
    const bool is_label = word.starts_with("L_") || word.starts_with("BB");
    const bool is_sass = kind == CodeKind::sass && (word[0] == 'R' || word[0] == 'P' || word[0] == 'U');
    if (before != '%' && !is_label && !is_sass) return std::string(word);
    std::string kept;
    for (const char each : word)
        if (std::isdigit(static_cast<unsigned char>(each)) == 0) kept += each;
    return kept;
}

/// Without its own address ("1152:  jne") or, of MLIR, the name of its result.
std::string_view without_place(std::string_view text, CodeKind kind) {
    if (is_mlir(kind)) {
        const std::string_view name = mnemonic_of(text, kind);
        return name.empty() ? text : text.substr(std::min(text.find(name), text.size()));
    }
    const std::size_t end = kind == CodeKind::ptx ? std::string_view::npos : text.find(":  ");
    return end == std::string_view::npos ? text : text.substr(end + 3);
}

/// Without the address of a jump: "jne 13fb <relu+0x2eb>" of objdump, "BRA 0x150" of cuobjdump.
std::string_view without_target(std::string_view text, CodeKind kind) {
    if (kind == CodeKind::sass && group_of(text, kind, false) == InstructionGroup::control) {
        const std::size_t address = text.rfind(" 0x");
        return address == std::string_view::npos ? text : text.substr(0, address);
    }
    const std::size_t bracket = text.find(" <");
    if (bracket == std::string_view::npos) return text;
    const std::size_t address = text.find_last_of(" ,\t", bracket - 1);
    return address == std::string_view::npos ? text : text.substr(0, address);
}

/// Without the distance to a constant, which moves with every byte between: "0x1da7(%rip),%zmm8 # 3000 <_fini+0x848>".
std::string without_distance(std::string_view text) {
    const std::size_t at = text.find("(%rip)");
    if (at == std::string_view::npos) return std::string(text);
    std::size_t begin = at;
    while (begin > 0 && (is_of_word(text[begin - 1]) || text[begin - 1] == '-')) --begin;
    return std::string(text.substr(0, begin)).append(text.substr(at, text.find('#', at) - at));
}

/// What an instruction does, with its predicate and prefixes.
std::string instruction_text(std::string_view text, CodeKind kind) {
    const std::string near = without_distance(without_place(text, kind));
    return std::string(without_target(near, kind));
}

}  // namespace

std::string compared_text(const ListingLine& line, CodeKind kind) {
    const bool is_instruction = line.kind == ListingLineKind::instruction;
    const std::string text = is_instruction ? instruction_text(line.text, kind) : line.text;
    std::string compared;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        while (end < text.size() && is_of_word(text[end])) ++end;
        if (end == i) {
            const bool repeats_blank = text[i] == ' ' && (compared.empty() || compared.back() == ' ');
            if (!repeats_blank) compared += text[i];
            ++i;
            continue;
        }
        compared += without_number(std::string_view(text).substr(i, end - i), i == 0 ? ' ' : text[i - 1], kind);
        i = end;
    }
    while (compared.ends_with(' ')) compared.pop_back();
    return compared;
}

ListingDifference difference_between(const Listing& before, const Listing& after) {
    std::vector<std::string> texts;
    texts.reserve(before.lines.size() + after.lines.size());
    for (const Listing* each : {&before, &after})
        for (const ListingLine& line : each->lines) texts.push_back(compared_text(line, each->kind));
    const std::vector<std::string_view> keys(texts.begin(), texts.end());
    const std::span all(keys);
    const auto edits = line_edits(all.first(before.lines.size()), all.last(after.lines.size()), most_edits);
    ListingDifference difference;
    difference.merged = {
        .kind = after.kind, .files = after.files, .lines = {}, .is_cut = before.is_cut || after.is_cut};
    std::size_t of_before = 0, of_after = 0;
    for (const LineEdit& each : edits) {
        difference.marks.push_back(each.kind);
        if (each.kind == '-') {
            ListingLine line = before.lines[of_before++];
            line.file = -1;
            line.line = 0;
            difference.merged.lines.push_back(std::move(line));
            ++difference.removed;
            continue;
        }
        difference.merged.lines.push_back(after.lines[of_after++]);
        if (each.kind == '+') ++difference.added;
        else ++of_before;
    }
    return difference;
}

nlohmann::ordered_json to_json(const ListingDifference& difference, const Listing& before) {
    nlohmann::ordered_json lines = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < difference.marks.size(); ++i) {
        if (difference.marks[i] == ' ') continue;
        const ListingLine& line = difference.merged.lines[i];
        nlohmann::ordered_json& added = lines.emplace_back();
        added = {{"mark", std::string(1, difference.marks[i])}, {"text", line.text}};
        if (line.file < 0) continue;
        added["file"] = difference.merged.files[static_cast<std::size_t>(line.file)];
        added["line"] = line.line;
    }
    return {{"removed", difference.removed},
            {"added", difference.added},
            {"lines", std::move(lines)},
            {"before", to_json(mix_of(before))}};
}

}  // namespace kernelgen
