// SPDX-License-Identifier: Apache-2.0
#include "core/generate/source_text.h"

#include <charconv>
#include <cmath>

namespace kernelgen {

void SourceText::line(std::string_view text) {
    if (!text.empty()) text_.append(static_cast<std::size_t>(depth_) * 4, ' ').append(text);
    text_ += '\n';
}

void SourceText::open(std::string_view text) {
    line(text);
    ++depth_;
}

void SourceText::close(std::string_view text) {
    --depth_;
    line(text);
}

Names::Names()
    : taken_{"alignas", "alignof", "and", "and_eq", "asm", "auto", "bitand", "bitor", "bool", "break", "case", "catch",
             "char", "char8_t", "char16_t", "char32_t", "class", "compl", "concept", "const", "consteval", "constexpr",
             "constinit", "const_cast", "continue", "co_await", "co_return", "co_yield", "decltype", "default",
             "delete", "do", "double", "dynamic_cast", "else", "enum", "explicit", "export", "extern", "false", "float",
             "for", "friend", "goto", "if", "inline", "int", "long", "mutable", "namespace", "new", "noexcept", "not",
             "not_eq", "nullptr", "operator", "or", "or_eq", "private", "protected", "public", "register",
             "reinterpret_cast", "requires", "return", "short", "signed", "sizeof", "static", "static_assert",
             "static_cast", "struct", "switch", "template", "this", "thread_local", "throw", "true", "try", "typedef",
             "typeid", "typename", "union", "unsigned", "using", "virtual", "void", "volatile", "wchar_t", "while",
             "xor", "xor_eq",
             // of the kernels themselves
             "kg", "T", "DTYPE", "BLOCK_M", "BLOCK_N", "BLOCK_K", "REGISTER_M", "GROUP_M", "SPLIT_K", "Products",
             "UNROLL", "PREFETCH", "STREAM", "i", "j", "rows", "columns", "row", "inputs", "outputs", "same", "Tiles",
             "Rows", "num_warps", "num_stages", "VEC", "HOLD", "CLUSTER", "LOAD_CACHE", "STORE_CACHE", "PERSISTENT",
             "pid0", "pid1", "pid2", "int64_t", "kg_f16", "kg_bf16", "kg_f8e4m3", "kg_f8e5m2", "int32_t", "int8_t",
             "main", "linux", "unix"} {}

std::string Names::take(const std::string& wish) {
    std::string name = wish;
    for (int number = 2; !taken_.insert(name).second; ++number) name = wish + std::to_string(number);
    return name;
}

bool has_word(const std::string& text, const std::string& word) {
    const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end]))) return true;
    }
    return false;
}

std::string number_text(double value) {
    if (value == 0) return std::signbit(value) ? "-0.0" : "0";  // an integer has no negative zero
    char buffer[32];
    const auto [end, error] = std::to_chars(buffer, buffer + sizeof buffer, value);
    return std::string(buffer, end);
}

}  // namespace kernelgen
