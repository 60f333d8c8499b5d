// SPDX-License-Identifier: Apache-2.0
#include "core/tune/python_integers.h"

#include <cctype>
#include <optional>
#include <string>

#include "core/base/text.h"
#include "core/lang/integer_expression.h"
#include "core/tune/python_condition.h"
#include "core/tune/python_text.h"

namespace kernelgen {

namespace {

using Integers = std::vector<std::int64_t>;

constexpr std::size_t most_values = 65'536;
constexpr int most_nested = 16;

/// Where the word stands alone outside of all parentheses.
std::size_t find_word(std::string_view text, std::string_view word) {
    const auto is_part = [&](std::size_t at) {
        return at < text.size() && (std::isalnum(static_cast<unsigned char>(text[at])) != 0 || text[at] == '_');
    };
    return find_outside(text, 0, [&](std::size_t at) {
        return text.substr(at).starts_with(word) && (at == 0 || !is_part(at - 1)) && !is_part(at + word.size());
    });
}

Result<std::int64_t> integer(std::string_view text, const Sizes& names) {
    const Result<std::string> words = in_integer_language(text);
    if (words) {
        const Validated<IntegerExpression> expression = IntegerExpression::parse(*words, "value");
        if (const auto value = expression ? expression->evaluate(names) : fail("")) return *value;
    }
    return fail(say("`{}` is not an integer", trim(text)));
}

Result<Integers> read_list(std::string_view text, const Sizes& names, int nested);

Result<Integers> read_range(std::string_view arguments, const Sizes& names) {
    Integers numbers;
    for (const std::string_view each : split_outside(arguments, ',')) {
        const Result<std::int64_t> number = integer(each, names);
        if (!number) return std::unexpected(number.error());
        numbers.push_back(*number);
    }
    if (numbers.size() > 3) return fail("a range has up to three arguments");
    if (numbers.size() == 1) numbers.insert(numbers.begin(), 0);
    if (numbers.size() == 2) numbers.push_back(1);
    const std::int64_t end = numbers[1], step = numbers[2];
    if (step == 0) return fail("a range's step is not 0");
    Integers values;
    for (std::int64_t value = numbers[0]; step > 0 ? value < end : value > end;) {
        values.push_back(value);
        if (values.size() > most_values) return fail("a range has more than 65,536 values");
        if (__builtin_add_overflow(value, step, &value)) break;
    }
    return values;
}

/// "2**i for i in range(5) if i != 1", without its brackets; nothing where it is none.
Result<std::optional<Integers>> read_comprehension(std::string_view text, const Sizes& names, int nested) {
    const std::size_t of = find_word(text, "for");
    if (of == std::string_view::npos) return std::nullopt;
    const std::string_view rest = trim(text.substr(of + 3));
    const std::size_t in = find_word(rest, "in");
    if (in == std::string_view::npos) return fail(say("`{}` has no `in`", text));
    const std::string name(trim(rest.substr(0, in)));
    std::string_view source = trim(rest.substr(in + 2)), condition = "True";
    if (const std::size_t filter = find_word(source, "if"); filter != std::string_view::npos) {
        condition = trim(source.substr(filter + 2));
        source = trim(source.substr(0, filter));
    }
    const Result<Integers> all = read_list(source, names, nested);
    if (!all) return std::unexpected(all.error());
    Integers values;
    for (const std::int64_t each : *all) {
        Sizes known = names;
        known[name] = each;
        const Result<std::int64_t> taken = integer(condition, known);
        if (!taken) return std::unexpected(taken.error());
        if (*taken == 0) continue;
        const Result<std::int64_t> value = integer(text.substr(0, of), known);
        if (!value) return std::unexpected(value.error());
        values.push_back(*value);
    }
    return values;
}

Result<Integers> read_elements(std::string_view text, const Sizes& names, int nested) {
    auto comprehension = read_comprehension(text, names, nested);
    if (!comprehension) return std::unexpected(comprehension.error());
    if (*comprehension) return std::move(**comprehension);
    Integers values;
    std::vector<std::string_view> elements = split_outside(text, ',');
    if (elements.back().empty()) elements.pop_back();
    for (const std::string_view each : elements) {
        const Result<std::int64_t> value = integer(each, names);
        if (!value) return std::unexpected(value.error());
        values.push_back(*value);
    }
    return values;
}

Result<Integers> read_list(std::string_view text, const Sizes& names, int nested) {
    if (nested > most_nested) return fail("lists within lists are too deep");
    text = trim(text);
    if (const auto range = within(text, "range(", ')')) return read_range(*range, names);
    for (const std::string_view open : {"list(", "tuple(", "sorted("}) {
        if (const auto list = within(text, open, ')')) return read_list(*list, names, nested + 1);
    }
    for (const auto& [open, close] : {std::pair("[", ']'), std::pair("(", ')')}) {
        if (const auto elements = within(text, open, close)) return read_elements(*elements, names, nested + 1);
    }
    const std::vector<std::string_view> parts = split_outside(text, '+');
    if (parts.size() < 2) return read_elements(text, names, nested + 1);
    Integers joined;
    for (const std::string_view part : parts) {
        const Result<Integers> values = read_list(part, names, nested + 1);
        if (!values) return std::unexpected(values.error());
        joined.insert(joined.end(), values->begin(), values->end());
        if (joined.size() > most_values) return fail("a list has more than 65,536 values");
    }
    return joined;
}

}  // namespace

const Sizes& python_constants() {
    static const Sizes constants = {{"True", 1}, {"False", 0}};
    return constants;
}

Result<std::vector<std::int64_t>> python_integers(std::string_view text) {
    return read_list(text, python_constants(), 0);
}

}  // namespace kernelgen
