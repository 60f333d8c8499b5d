// SPDX-License-Identifier: Apache-2.0
#include "core/tune/t1.h"

#include <algorithm>
#include <array>
#include <format>
#include <nlohmann/json.hpp>

#include "core/base/gzip.h"
#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/lang/syntax.h"
#include "core/tune/python_condition.h"
#include "core/tune/python_integers.h"

namespace kernelgen {

using nlohmann::json;

namespace {

/// "[1, 2, 4]" or a list.
struct ValueList {
    std::vector<std::int64_t> values;
};

/// A JSON list in Python's words.
std::string python_list(const json& list) {
    std::string text;
    for (const json& each : list) {
        text += text.empty() ? "" : ", ";
        text += each.is_boolean() ? (each ? "True" : "False") : each.dump();
    }
    return '[' + text + ']';
}

void read(const JsonPlace& place, ValueList& list) {
    if (!place.value().is_array() && !place.expect_string()) return;
    const Result<std::vector<std::int64_t>> values =
        python_integers(place.value().is_array() ? python_list(place.value()) : place.value().get<std::string>());
    if (!values)
        return place.error(values.error().message,
                           "parameters need integers, such as [1, 2, 4] or list(range(32, 257, 32)); write words as "
                           "numbers");
    list.values = *values;
    std::ranges::sort(list.values);
    list.values.erase(std::ranges::unique(list.values).begin(), list.values.end());
    if (list.values.empty()) place.error("has no values", "give it at least one");
}

struct Parameter {
    Tunable tunable;
};

void read(const JsonPlace& place, Parameter& read_parameter) {
    Tunable& parameter = read_parameter.tunable;
    JsonObject object(place);
    ValueList list;
    object.required("Name", parameter.name);
    object.required("Values", list);
    parameter.values = list.values;
    parameter.value = list.values.empty() ? 0 : list.values.front();
    const json given = place.value().is_object() ? place.value().value("Default", json()) : json();
    if (!given.is_number_integer() && !given.is_boolean()) return;
    const std::int64_t value = given.is_boolean() ? (given ? 1 : 0) : given.get<std::int64_t>();
    if (std::ranges::contains(parameter.values, value)) parameter.value = value;
}

struct Condition {
    std::string expression;
};

void read(const JsonPlace& place, Condition& condition) {
    std::string python;
    if (place.value().is_string()) kernelgen::read(place, python);
    else JsonObject(place).required("Expression", python);
    const Result<std::string> expression = in_integer_language(python);
    if (expression) condition.expression = *expression;
    else place.error(in_backquotes(python) + ": " + expression.error().message);
}

struct Conditions {
    std::vector<Condition> all;
};

void read(const JsonPlace& place, Conditions& conditions) {
    if (!place.value().is_null()) kernelgen::read(place, conditions.all);
}

/// The texts of an object's or a list's members: expressions, or numbers.
std::vector<std::string> texts_in(const json& parent, const char* key) {
    std::vector<std::string> texts;
    const auto found = parent.find(key);
    if (found == parent.end()) return texts;
    const auto add = [&](const json& value) {
        if (value.is_string()) texts.push_back(value.get<std::string>());
        else if (value.is_number_integer()) texts.push_back(value.dump());
    };
    if (found->is_structured())
        for (const json& each : *found) add(each);
    else add(*found);
    return texts;
}

/// The expressions that the launch computes from the parameters. Only searchers learn from them, so an expression that
/// cannot be read is left out.
std::vector<std::string> terms_of(const json& kernel) {
    std::vector<std::string> terms;
    if (!kernel.is_object()) return terms;
    for (const char* key : {"LocalSize", "GlobalSize"})
        std::ranges::move(texts_in(kernel, key), std::back_inserter(terms));
    const std::vector<std::string> problem = texts_in(kernel, "ProblemSize");
    const char* divisors[] = {"GridDivX", "GridDivY", "GridDivZ"};
    for (std::size_t i = 0; i < std::min(problem.size(), std::size(divisors)); ++i) {
        const std::vector<std::string> factors = texts_in(kernel, divisors[i]);
        if (factors.empty()) continue;
        const std::string product = "(" + join(factors, ") * (") + ")";
        terms.push_back(product);
        terms.push_back(std::format("cdiv({}, {})", problem[i], product));
    }
    return terms;
}

/// Conditions under another key would be passed over: the space would be larger than its author meant.
void refuse_other_conditions(const JsonPlace& space, const JsonObject& object) {
    for (const std::string& key : object.others()) {
        const json& value = space.value().at(key);
        const bool are_conditions = std::ranges::any_of(std::array{"ondition", "onstraint", "estriction"},
                                                        [&](const char* part) { return key.contains(part); });
        if (are_conditions && !value.empty())
            space.member(key, value)
                .error("is not read", "conditions stand in `Conditions`, with an `Expression` each");
    }
}

/// Whether the names that a term has are parameters.
bool is_known(const std::string& term, const std::vector<Tunable>& parameters) {
    const auto expression = IntegerExpression::parse(term, "term");
    return expression && std::ranges::all_of(expression->names(), [&](const std::string& name) {
               return std::ranges::contains(parameters, name, &Tunable::name);
           });
}

}  // namespace

Validated<SpaceDescription> load_t1(const std::string& path) {
    const Result<std::string> text = read_unpacked(path);
    if (!text) return std::unexpected(as_diagnostics(text.error()));
    return read_t1(*text, path);
}

Validated<SpaceDescription> read_t1(std::string_view text, const std::string& file) {
    const Validated<json> document = parse_json(text, file);
    if (!document) return std::unexpected(document.error());
    Diagnostics diagnostics;
    SpaceDescription description;
    const JsonPlace place(*document, diagnostics);
    const std::string key = "ConfigurationSpace";
    const auto found = document->is_object() ? document->find(key) : document->end();
    if (found == document->end()) {
        place.error("is no T1 file: it has no `ConfigurationSpace`", "a T4 file with times is given to --simulate");
    } else {
        const JsonPlace space = place.member(key, *found);
        JsonObject object(space);
        std::vector<Parameter> parameters;
        Conditions conditions;
        object.required("TuningParameters", parameters);
        object.optional("Conditions", conditions);
        refuse_other_conditions(space, object);
        for (Parameter& each : parameters) description.parameters.push_back(std::move(each.tunable));
        for (Condition& each : conditions.all) description.restrictions.push_back(std::move(each.expression));
        description.terms = terms_of(document->value("KernelSpecification", json::object()));
        std::erase_if(description.terms, [&](const auto& each) { return !is_known(each, description.parameters); });
    }
    for (Diagnostic& each : diagnostics) each.file = file;
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    return description;
}

Result<TuningSpace> space_of(const SpaceDescription& description) {
    return TuningSpace::make(description.parameters, description.restrictions, python_constants(),
                             {.let = {}, .terms = description.terms});
}

}  // namespace kernelgen
