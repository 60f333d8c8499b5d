// SPDX-License-Identifier: Apache-2.0
#include "core/trace/number.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>

namespace kernelgen {

namespace {

using Number = std::optional<std::int64_t>;

Number divided(std::int64_t a, std::int64_t b, bool remainder) {
    if (b == 0 || b == -1) return b == 0 || remainder ? (b == 0 ? std::nullopt : Number(0)) : checked(0, a, '-');
    return remainder ? a % b : a / b;
}

Number shifted(std::int64_t a, std::int64_t b, bool left) {
    if (b < 0 || b > 62) return std::nullopt;
    return left ? checked(a, std::int64_t{1} << b, '*') : Number(a >> b);
}

Number compared(std::string_view symbol, std::int64_t a, std::int64_t b) {
    if (symbol == "<") return a < b;
    if (symbol == "<=") return a <= b;
    if (symbol == ">") return a > b;
    if (symbol == ">=") return a >= b;
    if (symbol == "==") return a == b;
    if (symbol == "!=") return a != b;
    if (symbol == "&&") return (a != 0) && (b != 0);
    if (symbol == "||") return (a != 0) || (b != 0);
    return std::nullopt;
}

Number calculated(std::string_view symbol, std::int64_t a, std::int64_t b) {
    if (symbol == "+" || symbol == "-" || symbol == "*") return checked(a, b, symbol[0]);
    if (symbol == "/" || symbol == "%") return divided(a, b, symbol == "%");
    if (symbol == "<<" || symbol == ">>") return shifted(a, b, symbol == "<<");
    if (symbol == "&") return a & b;
    if (symbol == "|") return a | b;
    if (symbol == "^") return a ^ b;
    return compared(symbol, a, b);
}

TracedValue moved(TracedValue place, std::int64_t elements, char direction) {
    const Number bytes = checked(elements, std::max(place.element_bytes, 1), '*');
    const Number at = checked(place.number, bytes, direction);
    if (!at) return {};
    place.number = *at;
    return place;
}

}  // namespace

Number checked(Number a, Number b, char symbol) {
    std::int64_t result = 0;
    if (!a || !b) return std::nullopt;
    const bool overflows = symbol == '+'   ? __builtin_add_overflow(*a, *b, &result)
                           : symbol == '-' ? __builtin_sub_overflow(*a, *b, &result)
                                           : __builtin_mul_overflow(*a, *b, &result);
    return overflows ? std::nullopt : Number(result);
}

TracedValue number_or_unknown(Number value) {
    if (!value) return {};
    return {TracedValue::Kind::number, *value, -1, 0, 0};
}

TracedValue number_of_literal(const std::string& text) {
    std::string digits = text;
    std::erase(digits, '\'');
    const bool is_hexadecimal = digits.starts_with("0x") || digits.starts_with("0X");
    while (!digits.empty() && std::string_view("uUlLzZ").contains(digits.back())) digits.pop_back();
    char* end = nullptr;
    errno = 0;
    const long long value = std::strtoll(digits.c_str(), &end, is_hexadecimal ? 16 : 10);
    const bool is_integer = !digits.empty() && *end == '\0' && errno == 0;
    return is_integer ? number_or_unknown(value) : TracedValue{};
}

TracedValue combine(std::string_view symbol, const TracedValue& left, const TracedValue& right) {
    using Kind = TracedValue::Kind;
    if (left.is_number() && right.is_number()) return number_or_unknown(calculated(symbol, left.number, right.number));
    if (left.kind == Kind::place && right.is_number() && (symbol == "+" || symbol == "-"))
        return moved(left, right.number, symbol[0]);
    if (left.is_number() && right.kind == Kind::place && symbol == "+") return moved(right, left.number, '+');
    if (left.kind == Kind::place && right.kind == Kind::place && left.buffer == right.buffer) {
        if (symbol == "-") return number_or_unknown((left.number - right.number) / std::max(left.element_bytes, 1));
        return number_or_unknown(compared(symbol, left.number, right.number));
    }
    return {};
}

}  // namespace kernelgen
