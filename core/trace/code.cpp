// SPDX-License-Identifier: Apache-2.0
#include "core/trace/code.h"

#include <algorithm>
#include <utility>

#include "core/trace/parser.h"

namespace kernelgen {

namespace {

/// Bytes by the names of types; the vectors of CUDA are the last of these times their digit.
constexpr std::pair<std::string_view, int> type_bytes[] = {
    {"bool", 1},     {"char", 1},          {"int8_t", 1},   {"uint8_t", 1},  {"short", 2},
    {"int16_t", 2},  {"uint16_t", 2},      {"half", 2},     {"__half", 2},   {"kg_f16", 2},
    {"kg_bf16", 2},  {"__nv_bfloat16", 2}, {"half2", 4},    {"__half2", 4},  {"int", 4},
    {"unsigned", 4}, {"float", 4},         {"int32_t", 4},  {"uint32_t", 4}, {"double", 8},
    {"long", 8},     {"int64_t", 8},       {"uint64_t", 8}, {"size_t", 8},   {"ptrdiff_t", 8}};
constexpr std::pair<std::string_view, int> vector_bases[] = {{"float", 4},  {"int", 4},    {"uint", 4},
                                                             {"double", 8}, {"char", 1},   {"uchar", 1},
                                                             {"short", 2},  {"ushort", 2}, {"longlong", 8}};

template <std::size_t count>
int bytes_in(const std::pair<std::string_view, int> (&table)[count], std::string_view name) {
    const auto found = std::ranges::find(table, name, &std::pair<std::string_view, int>::first);
    return found == std::end(table) ? 0 : found->second;
}

/// The index after the bracket that closes the one at `open`.
std::size_t after_closing(const std::vector<CodeToken>& tokens, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < tokens.size(); ++i) {
        if (tokens[i].is("(") || tokens[i].is("{") || tokens[i].is("[")) ++depth;
        else if ((tokens[i].is(")") || tokens[i].is("}") || tokens[i].is("]")) && --depth == 0) return i + 1;
    }
    return tokens.size() - 1;
}

/// The place of the first parameter of the function that has this name and a body; 0 where there is none.
std::size_t parameters_of(const std::vector<CodeToken>& tokens, const std::string& name) {
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        if (tokens[i].kind != CodeToken::Kind::name || tokens[i].text != name || !tokens[i + 1].is("(")) continue;
        std::size_t after = after_closing(tokens, i + 1);
        while (tokens[after].kind == CodeToken::Kind::name) ++after;  // const, noexcept
        if (tokens[after].is("{")) return i + 2;
    }
    return 0;
}

}  // namespace

int bytes_of(const CodeType& type, int dtype_bytes) {
    if (type.pointers > 0) return 8;
    if (type.base == "DTYPE") return dtype_bytes;
    const std::string_view name = std::string_view(type.base).substr(type.base.starts_with("std::") ? 5 : 0);
    if (const int known = bytes_in(type_bytes, name)) return known;
    if (name.empty() || name.back() < '1' || name.back() > '4') return 0;
    return bytes_in(vector_bases, name.substr(0, name.size() - 1)) * (name.back() - '0');
}

CodeFile::CodeFile(std::string_view source) : tokens_(tokens_of(source.substr(0, longest_code))) {
    for (std::size_t i = 0; i + 1 < tokens_.size();) {
        const bool begins =
            tokens_[i].kind == CodeToken::Kind::name &&
            (tokens_[i].text == "constexpr" || tokens_[i].text == "const" || tokens_[i].text == "static");
        if (tokens_[i].is("{") && i > 0 && !tokens_[i - 1].is(")") && tokens_[i - 1].text != "const")
            ++i;  // a namespace
        else if (tokens_[i].is("{") || tokens_[i].is("(")) i = after_closing(tokens_, i);
        else if (!begins) ++i;
        else {
            try {
                CodeParser parser(tokens_, i);
                if (CodePointer read = parser.declaration()) constants_.push_back(std::move(read));
                i = std::max(i + 1, parser.position());
            } catch (const UnreadableCode&) {
                ++i;  // a function's begin, or a constant that is not needed
            }
        }
    }
}

const CodeFile::Parsed& CodeFile::parsed(const std::string& name) const {
    const auto [entry, is_new] = functions_.try_emplace(name);
    Parsed& parsed = entry->second;
    const std::size_t begin = is_new ? parameters_of(tokens_, name) : 0;
    if (begin == 0) return parsed;
    parsed.exists = true;
    try {
        CodeParser parser(tokens_, begin);
        parsed.function.name = name;
        parsed.function.parameters = parser.parameters();
        std::size_t body = parser.position();
        while (body + 1 < tokens_.size() && !tokens_[body].is("{")) ++body;
        parsed.function.body = CodeParser(tokens_, body).block();
    } catch (const UnreadableCode& unreadable) {
        parsed.problem = unreadable.message;
    }
    return parsed;
}

const CodeFunction* CodeFile::find(const std::string& name) const {
    const Parsed& found = parsed(name);
    return found.function.body ? &found.function : nullptr;
}

Said CodeFile::problem_of(const std::string& name) const {
    const Parsed& found = parsed(name);
    if (!found.exists) return say("there is no function `{}` with a body", name);
    return found.problem;
}

}  // namespace kernelgen
