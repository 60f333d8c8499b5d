// SPDX-License-Identifier: Apache-2.0
#include "core/tune/python_membership.h"

#include <format>
#include <optional>
#include <vector>

#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/lang/syntax.h"
#include "core/tune/python_condition.h"
#include "core/tune/python_integers.h"
#include "core/tune/python_text.h"

namespace kernelgen {

namespace {

using Texts = std::vector<std::string>;

constexpr std::size_t most_elements_of_collection = 1000;

std::optional<Texts> rewritten(const std::vector<std::string_view>& parts) {
    Texts texts;
    for (const std::string_view part : parts) {
        const Result<std::string> text = in_integer_language(part);
        if (!text || text->empty()) return std::nullopt;
        texts.push_back(*text);
    }
    return texts;
}

/// `range(first, end, step)`, whose step is a positive number: its bounds may be parameters, and it may be long.
std::optional<std::string> in_range(const std::string& value, std::string_view collection) {
    const auto arguments = within(collection, "range(", ')');
    if (!arguments) return std::nullopt;
    std::optional<Texts> texts = rewritten(split_outside(*arguments, ','));
    if (!texts || texts->size() > 3) return std::nullopt;
    if (texts->size() == 1) texts->insert(texts->begin(), "0");
    const Texts& bounds = *texts;
    std::string text = std::format("(({1}) <= ({0}) and ({0}) < ({2})", value, bounds[0], bounds[1]);
    if (bounds.size() == 3) {
        long long step = 0;
        if (!parse_integer(bounds[2], step) || step <= 0) return std::nullopt;
        text += std::format(" and (({}) - ({})) % {} == 0", value, bounds[0], step);
    }
    return text + ")";
}

/// The elements' texts; nothing where it is neither a tuple nor a list of integers.
std::optional<Texts> elements_of(std::string_view collection) {
    if (collection.empty()) return std::nullopt;
    if (const auto integers = python_integers(collection)) {
        Texts texts;
        for (const std::int64_t each : *integers) texts.push_back(std::to_string(each));
        return texts;
    }
    const auto elements = within(collection, "(", ')');
    if (!elements) return std::nullopt;
    std::vector<std::string_view> parts = split_outside(*elements, ',');
    if (parts.back().empty()) parts.pop_back();
    return rewritten(parts);
}

}  // namespace

Result<std::string> membership(const std::string& value, std::string_view collection) {
    collection = trim(collection);
    if (const auto text = in_range(value, collection)) return *text;
    const std::optional<Texts> elements = elements_of(collection);
    if (!elements)
        return fail(
            say("`in` is followed by {}, which is no list of integers, tuple or range", in_backquotes(collection)));
    if (elements->empty()) return "(0 == 1)";
    if (elements->size() > most_elements_of_collection || elements->size() * value.size() > longest_text)
        return fail(say("`in` is followed by {}, which has too many elements", in_backquotes(collection)));
    Texts comparisons;
    for (const std::string& each : *elements) comparisons.push_back(std::format("({}) == ({})", value, each));
    return "(" + join(comparisons, " or ") + ")";
}

}  // namespace kernelgen
