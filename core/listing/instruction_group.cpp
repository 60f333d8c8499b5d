// SPDX-License-Identifier: Apache-2.0
#include "core/listing/instruction_group.h"

#include <algorithm>
#include <span>

#include "core/base/text.h"

namespace kernelgen {

namespace {

using enum InstructionGroup;

/// Names that begin so are of this group; the first rule that fits counts.
struct GroupRule {
    std::string_view begin;
    InstructionGroup group;
};

InstructionGroup by_rules(std::string_view name, std::span<const GroupRule> rules, InstructionGroup otherwise) {
    const auto fits = [&](const GroupRule& rule) { return name.starts_with(rule.begin); };
    const auto rule = std::ranges::find_if(rules, fits);
    return rule == rules.end() ? otherwise : rule->group;
}

constexpr GroupRule x86_rules[] = {
    {"j", control},       {"call", control},    {"ret", control},      {"loop", control},    {"nop", other},
    {"endbr", other},     {"int3", other},      {"ud2", other},        {"mfence", sync},     {"sfence", sync},
    {"lfence", sync},     {"lock", sync},       {"pause", sync},       {"cvt", convert},     {"vcvt", convert},
    {"vpmovsx", convert}, {"vpmovzx", convert}, {"cltq", convert},     {"cwtl", convert},    {"cltd", convert},
    {"cqto", convert},    {"tdp", matrix},      {"tileload", load},    {"tilestore", store}, {"push", spill},
    {"pop", spill},       {"prefetch", load},   {"vgather", load},     {"vpgather", load},   {"vscatter", store},
    {"vpscatter", store}, {"lea", integers},    {"cmov", move},        {"set", move},        {"mov", move},
    {"vmov", move},       {"vbroadcast", move}, {"vpbroadcast", move}, {"vperm", move},      {"vpperm", move},
    {"vshuf", move},      {"vpshuf", move},     {"shuf", move},        {"pshuf", move},      {"vunpck", move},
    {"vpunpck", move},    {"unpck", move},      {"punpck", move},      {"vinsert", move},    {"vextract", move},
    {"vpinsr", move},     {"vpextr", move},     {"vblend", move},      {"vpblend", move},    {"vxor", move},
    {"vpxor", move},      {"xorp", move},       {"pxor", move},        {"valign", move},     {"vpalign", move},
    {"vzero", other},     {"vcompress", move},  {"vexpand", move},     {"kmov", move},       {"vmask", move}};

constexpr GroupRule ptx_rules[] = {{"ld.local", spill},
                                   {"st.local", spill},
                                   {"ldmatrix", load},
                                   {"ld", load},
                                   {"stmatrix", store},
                                   {"st.async", store},
                                   {"st", store},
                                   {"cp.async.wait", sync},
                                   {"cp.async.commit", sync},
                                   {"cp.async.mbar", sync},
                                   {"cp", load},
                                   {"prefetch", load},
                                   {"atom", sync},
                                   {"red", sync},
                                   {"bar", sync},
                                   {"membar", sync},
                                   {"fence", sync},
                                   {"mbarrier", sync},
                                   {"griddepcontrol", sync},
                                   {"bra", control},
                                   {"brx", control},
                                   {"ret", control},
                                   {"call", control},
                                   {"exit", control},
                                   {"trap", control},
                                   {"cvt", convert},
                                   {"mma", matrix},
                                   {"wmma.load", load},
                                   {"wmma.store", store},
                                   {"wmma", matrix},
                                   {"wgmma.fence", sync},
                                   {"wgmma.commit", sync},
                                   {"wgmma.wait", sync},
                                   {"wgmma", matrix},
                                   {"tcgen05", matrix},
                                   {"mov", move},
                                   {"selp", move},
                                   {"shfl", move},
                                   {"prmt", move},
                                   {"ex2", floats},
                                   {"lg2", floats},
                                   {"rsqrt", floats},
                                   {"sqrt", floats},
                                   {"rcp", floats},
                                   {"sin", floats},
                                   {"cos", floats},
                                   {"tanh", floats}};

constexpr GroupRule sass_rules[] = {
    {"LDL", spill},    {"STL", spill},     {"LDGDEPBAR", sync}, {"LDSM", load},      {"LD", load},
    {"ULDC", load},    {"ULD", load},      {"UTMALDG", load},   {"UBLKCP", load},    {"CCTL", load},
    {"STSM", store},   {"UTMAST", store},  {"ST", store},       {"HMMA", matrix},    {"IMMA", matrix},
    {"BMMA", matrix},  {"DMMA", matrix},   {"QMMA", matrix},    {"HGMMA", matrix},   {"IGMMA", matrix},
    {"QGMMA", matrix}, {"BGMMA", matrix},  {"UTCHMMA", matrix}, {"UTCQMMA", matrix}, {"UTCIMMA", matrix},
    {"F2", convert},   {"I2", convert},    {"FRND", convert},   {"BAR", sync},       {"B2R", sync},
    {"MEMBAR", sync},  {"DEPBAR", sync},   {"ATOM", sync},      {"RED", sync},       {"SYNCS", sync},
    {"FENCE", sync},   {"ERRBAR", sync},   {"UCGABAR", sync},   {"WARPSYNC", sync},  {"WARPGROUP", sync},
    {"BRA", control},  {"BRX", control},   {"EXIT", control},   {"RET", control},    {"CALL", control},
    {"BSSY", control}, {"BSYNC", control}, {"BREAK", control},  {"JMP", control},    {"BMOV", control},
    {"NOP", other},    {"MOV", move},      {"UMOV", move},      {"SEL", move},       {"USEL", move},
    {"SHFL", move},    {"PRMT", move},     {"UPRMT", move},     {"S2", move},        {"R2UR", move},
    {"CS2R", move},    {"ELECT", move},    {"VOTE", move},      {"FLO", integers},   {"MUFU", floats},
    {"F", floats},     {"DADD", floats},   {"DMUL", floats},    {"DFMA", floats},    {"DSETP", floats},
    {"HADD", floats},  {"HMUL", floats},   {"HFMA", floats},    {"HSETP", floats},   {"HMNMX", floats}};

constexpr GroupRule mlir_rules[] = {
    {"arith.constant", move},  {"arith.ext", convert},     {"arith.trunc", convert},
    {"arith.sitofp", convert}, {"arith.uitofp", convert},  {"arith.fptosi", convert},
    {"arith.fptoui", convert}, {"arith.bitcast", convert}, {"arith.select", move},
    {"math.", floats},         {"scf.", control},          {"cf.", control},
    {"tt.return", control},    {"tt.call", control},       {"tt.reduce.return", control},
    {"tt.fp_to_fp", convert},  {"tt.bitcast", convert},    {"tt.dot", matrix},
    {"tt.reduce", floats},     {"tt.scan", floats},        {"tt.extern", floats},
    {"tt.atomic", sync},       {"tt.addptr", integers},    {"tt.get_program_id", move}};

/// AT&T's last operand, which is the target.
std::string_view target_of(std::string_view operands) {
    int depth = 0;
    for (std::size_t i = operands.size(); i-- > 0;) {
        depth += operands[i] == ')' ? 1 : operands[i] == '(' ? -1 : 0;
        if (operands[i] == ',' && depth == 0) return operands.substr(i + 1);
    }
    return operands;
}

bool is_float_of_x86(std::string_view name) {
    if (name.starts_with("vp") || name.starts_with('p')) return false;  // vpmaxsd, vpabsd: packed integers
    constexpr std::string_view suffixes[] = {"ps", "pd", "ss", "sd", "ph", "sh"};
    return std::ranges::any_of(suffixes, [&](std::string_view each) { return name.ends_with(each); });
}

InstructionGroup group_of_x86(std::string_view name, std::string_view line, bool has_frame_pointer) {
    const std::size_t at = static_cast<std::size_t>(name.data() - line.data()) + name.size();
    std::string_view operands = line.substr(std::min(at, line.size()));
    operands = trim(operands.substr(0, operands.find('#')));
    const InstructionGroup group = by_rules(name, x86_rules, is_float_of_x86(name) ? floats : integers);
    if (group != move || !operands.contains('(')) return group;
    if (operands.contains("(%rsp") || (has_frame_pointer && operands.contains("(%rbp"))) return spill;
    return target_of(operands).contains('(') ? store : load;
}

InstructionGroup group_of_ptx(std::string_view name) {
    constexpr std::string_view types[] = {".f16", ".f32", ".f64", ".bf16", ".tf32"};
    const bool is_float = std::ranges::any_of(types, [&](std::string_view each) { return name.contains(each); });
    return by_rules(name, ptx_rules, is_float ? floats : integers);
}

InstructionGroup group_of_mlir(std::string_view name) {
    if (name.contains("store") || name.contains("global_to_local")) return store;
    if (name.contains("load")) return load;
    if (name.contains("barrier") || name.contains("wait") || name.contains("commit")) return sync;
    if (name.contains("convert_layout")) return convert;
    if (name.contains("mma") || name.contains(".dot")) return matrix;
    const bool is_arithmetic = name.starts_with("arith.");
    const bool is_float = is_arithmetic && (name.ends_with('f') || name.contains("f."));
    return by_rules(name, mlir_rules, is_float ? floats : is_arithmetic ? integers : move);
}

/// An instruction of x86-64 without what stands before its name.
std::string_view without_prefixes(std::string_view code) {
    constexpr std::string_view prefixes[] = {"notrack ", "bnd ", "rep ",    "repz ",  "repnz ",
                                             "cs ",      "ds ",  "data16 ", "{vex} ", "{evex} "};
    while (true) {
        const auto prefix =
            std::ranges::find_if(prefixes, [&](std::string_view each) { return code.starts_with(each); });
        if (prefix == std::end(prefixes)) return code;
        code = trim(code.substr(prefix->size()));
    }
}

/// A line's code without its address.
std::string_view code_of(std::string_view line, CodeKind kind) {
    std::string_view code = trim(line);
    const bool has_address = kind == CodeKind::assembly || kind == CodeKind::sass;
    if (const std::size_t colon = code.find(":  "); has_address && colon != std::string_view::npos)
        code = trim(code.substr(colon + 3));
    if (code.starts_with('@')) code = trim(code.substr(std::min(code.find(' '), code.size())));
    if (kind == CodeKind::assembly) code = without_prefixes(code);
    if (const std::size_t results = code.find(" = "); is_mlir(kind) && code.starts_with('%') && results != code.npos)
        code = trim(code.substr(results + 3));
    return code;
}

}  // namespace

bool is_mlir(CodeKind kind) { return kind == CodeKind::ttir || kind == CodeKind::ttgir; }

std::string_view mnemonic_of(std::string_view line, CodeKind kind) {
    const std::string_view code = code_of(line, kind);
    std::string_view name = code.substr(0, code.find_first_of(" \t;({"));
    if (name.starts_with('"')) name = name.substr(1, name.size() - (name.ends_with('"') ? 2 : 1));
    return name;
}

InstructionGroup group_of(std::string_view line, CodeKind kind, bool has_frame_pointer) {
    const std::string_view name = mnemonic_of(line, kind);
    switch (kind) {
        case CodeKind::assembly: return group_of_x86(name, line, has_frame_pointer);
        case CodeKind::ptx: return group_of_ptx(name);
        case CodeKind::sass: return by_rules(name, sass_rules, integers);
        case CodeKind::ttir:
        case CodeKind::ttgir: return group_of_mlir(name);
    }
    return other;
}

}  // namespace kernelgen
