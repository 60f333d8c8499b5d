// SPDX-License-Identifier: Apache-2.0
#include "core/project/values.h"

#include <algorithm>
#include <format>
#include <span>

#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/lang/lexer.h"
#include "core/project/by_case.h"

namespace kernelgen {

namespace {

/// The device's numbers. Those of a GPU are the numbers of its model (resources/device_models), and the threads that
/// run at once; a CPU has only the threads.
constexpr std::string_view cpu_names[] = {"threads"};
constexpr std::string_view gpu_names[] = {"architecture",
                                          "multiprocessors",
                                          "threads",
                                          "threads_per_multiprocessor",
                                          "blocks_per_multiprocessor",
                                          "registers_per_multiprocessor",
                                          "registers_per_block",
                                          "shared_per_multiprocessor",
                                          "shared_per_block",
                                          "l2_bytes"};

/// "BLOCK_M = 512, P = 4" for the names that an expression uses.
std::string text_of(const IntegerExpression& expression, const Sizes& values) {
    std::vector<std::string> parts;
    for (const std::string& name : expression.names()) {
        if (const auto found = values.find(name); found != values.end()) {
            parts.push_back(name + " = " + std::to_string(found->second));
        }
    }
    return join(parts, ", ");
}

std::vector<Validated<Let>> lets_of(const Variant& variant) {
    std::vector<Validated<Let>> lets;
    for (std::size_t i = 0; i < variant.let.size(); ++i)
        lets.push_back(parse_let(variant.let[i], std::format("let[{}]", i)));
    return lets;
}

Values values_with(const std::vector<Validated<Let>>& lets, const Implementation& implementation, const Case& binding) {
    Values values{binding.sizes, ""};
    values.known.try_emplace(std::string(dtype_bytes), static_cast<std::int64_t>(size_of(binding.dtype)));
    for (const auto& [name, value] : implementation.configuration) values.known.insert_or_assign(name, value);
    for (const auto& [name, value] : implementation.device) values.known[std::string(device_prefix) + name] = value;
    for (const Validated<Let>& let : lets) {
        const Result<std::int64_t> value = let ? let->expression.evaluate(values.known) : fail(to_string(let.error()));
        if (value) values.known[let->name] = *value;
        else if (values.problem.empty()) values.problem = value.error().message;
    }
    return values;
}

}  // namespace

Validated<Let> parse_let(std::string_view line, std::string_view place) {
    const std::size_t equals = line.find('=');
    const std::string_view name = trim(line.substr(0, std::min(equals, line.size())));
    if (equals == std::string_view::npos || name.empty() || line.substr(equals).starts_with("==")) {
        return std::unexpected(Diagnostics{{"", std::string(place), in_backquotes(line) + " gives no name a value",
                                            "write it as `tiles = cdiv(P, 4)`"}});
    }
    // Blanks in place of the name, so that positions are those of the whole line.
    std::string rest(equals + 1, ' ');
    rest += line.substr(equals + 1);
    Validated<IntegerExpression> expression = IntegerExpression::parse(rest, place);
    if (!expression) return std::unexpected(expression.error());
    return Let{std::string(name), std::move(*expression)};
}

Values values_of(const Implementation& implementation, const Case& binding) {
    return values_with(lets_of(implementation.variant), implementation, binding);
}

std::vector<std::string> device_names(Language language) {
    using Names = std::span<const std::string_view>;
    const Names names = language == Language::cpp ? Names(cpu_names) : Names(gpu_names);
    std::vector<std::string> all;
    for (const std::string_view name : names) all.push_back(std::string(device_prefix) + std::string(name));
    return all;
}

Restrictions::Restrictions(const Variant& variant) : lets_(lets_of(variant)) {
    for (const std::string& text : variant.restrictions)
        restrictions_.push_back(IntegerExpression::parse(text, "restriction"));
}

std::optional<Said> Restrictions::violated(const Implementation& implementation, const Case& binding) const {
    const Values values = values_with(lets_, for_case(implementation, binding), binding);
    for (const Validated<IntegerExpression>& each : restrictions_) {
        if (!each) return to_string(each.error());
        const Result<std::int64_t> holds = each->evaluate(values.known);
        if (!holds) {
            const Said& why = values.problem.empty() ? holds.error().message : values.problem;
            return say("restriction `{}` cannot be evaluated: {}", each->text(), why);
        }
        if (*holds == 0)
            return say("restriction `{}` does not hold with {}", each->text(), text_of(*each, values.known));
    }
    return std::nullopt;
}

std::optional<Said> violated_restriction(const Implementation& implementation, const Case& binding) {
    return Restrictions(implementation.variant).violated(implementation, binding);
}

}  // namespace kernelgen
