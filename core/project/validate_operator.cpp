// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/lang/integer_expression.h"
#include "core/lang/outputs_problem.h"
#include "core/project/attribute_value.h"
#include "core/project/names.h"
#include "core/project/validate.h"

namespace kernelgen {

namespace {

/// Checks an operator of family `callable`: its Python file says all but the names of sizes.
void check_callable(const Operator& definition, Findings& findings) {
    const auto refuse = [&](const char* key, bool present) {
        if (present) {
            findings.add(std::string("operator.") + key,
                         say("family `callable` has no `{}`: its Python file says it", key), "remove it");
        }
    };
    refuse("inputs", !definition.inputs.empty());
    refuse("outputs", !definition.outputs.empty());
    refuse("attributes", !definition.attributes.empty());
    refuse("body", !definition.body.empty());
    refuse("reference", !definition.reference.empty());
    refuse("arithmetic", definition.arithmetic.has_value());
    refuse("accumulate", definition.accumulate.has_value());
    if (definition.file.empty()) {
        findings.add("operator", say("the key `{}` is missing", "definition"),
                     "name the Python file with `reference` and `inputs`, such as \"definition.py\"");
    } else if (const auto problem = source_path_problem(definition.file)) {
        findings.add("operator.definition", in_backquotes(definition.file) + " " + *problem);
    } else if (!definition.file.ends_with(".py")) {
        findings.add("operator.definition", say("{} is no Python file", in_backquotes(definition.file)),
                     "name a file that ends in .py");
    }
}

void check_family(const Operator& definition, Findings& findings) {
    const std::string family = in_backquotes(to_string(definition.family));
    if (has_file(definition.family)) return check_callable(definition, findings);
    if (!definition.file.empty()) {
        findings.add("operator.definition", say("family {} has no Python file as its definition", family),
                     "remove it, or make the family `callable`");
    }
    if (has_body(definition.family)) {
        if (definition.reference.empty()) return;
        findings.add("operator.reference", say("the reference of family {} is its body", family), "remove `reference`");
        return;
    }
    if (!definition.body.empty()) {
        findings.add("operator.body", say("family {} has no body", family),
                     "remove it, or make the family `tile` and remove the reference");
    }
    if (definition.reference.empty()) {
        findings.add("operator", say("the key `{}` is missing", "reference"), "name the variant that is the reference");
    }
}

/// One name space holds symbols, tensors and attributes.
class NameSpace {
public:
    explicit NameSpace(Findings& findings) : findings_(findings) {}

    void take(const std::string& name, const std::string& where, bool in_body = true) {
        if (const auto problem = in_body ? value_name_problem(name) : parameter_name_problem(name)) {
            findings_.add(where, in_backquotes(name) + " " + *problem, "choose another name");
        } else if (!taken_.insert(name).second) {
            findings_.add(where, say("the name `{}` is taken already", name),
                          "symbols, inputs, outputs and attributes need different names");
        }
    }

private:
    Findings& findings_;
    std::set<std::string> taken_;
};

void check_names(const Operator& definition, Findings& findings) {
    if (const auto problem = identifier_problem(definition.name)) {
        findings.add("operator.name", in_backquotes(definition.name) + " " + *problem, "choose another name");
    }
    NameSpace names(findings);
    for (std::size_t i = 0; i < definition.symbols.size(); ++i) {
        const std::string where = element_path("operator.symbols", i);
        names.take(definition.symbols[i], where);
        if (definition.symbols[i] == "name" || definition.symbols[i] == "dtype") {
            findings.add(where, say("`{}` is a key of a case", definition.symbols[i]), "choose another name");
        }
    }
    const bool is_value = has_body(definition.family);  // a name that the body can use
    const auto take_all = [&](const auto& items, const std::string& list) {
        for (std::size_t i = 0; i < items.size(); ++i)
            names.take(items[i].name, element_path(list, i) + ".name", is_value);
    };
    take_all(definition.inputs, "operator.inputs");
    take_all(definition.outputs, "operator.outputs");
    for (const Attribute& attribute : definition.attributes) {
        names.take(attribute.name, "operator.attributes." + attribute.name, is_value);
    }
}

void check_shape(const Operator& definition, const Tensor& tensor, const std::string& where, Findings& findings) {
    const std::set<std::string> symbols(definition.symbols.begin(), definition.symbols.end());
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
        const std::string& dimension = tensor.shape[i];
        long long number = 0;
        const std::string place = element_path(where + ".shape", i);
        if (parse_integer(dimension, number)) {
            if (number < 1) findings.add(place, say("dimension {} is below 1", dimension));
        } else if (!symbols.contains(dimension)) {
            findings.add(place, say("unknown symbol {}", in_backquotes(dimension)),
                         suggest(dimension, definition.symbols));
        }
    }
}

/// Domains of inputs; outputs have none.
void check_domains(const Operator& definition, Findings& findings) {
    for (std::size_t i = 0; i < definition.inputs.size(); ++i) {
        const Tensor& input = definition.inputs[i];
        const auto problem = input.domain ? domain_problem(*input.domain) : std::nullopt;
        if (problem) {
            findings.add(element_path("operator.inputs", i) + ".domain", say("the domain {}", *problem),
                         "such as \"positive\", [0, 1] or {\"integers\": [0, 9]}");
        }
    }
    for (std::size_t i = 0; i < definition.outputs.size(); ++i) {
        if (definition.outputs[i].domain) {
            findings.add(element_path("operator.outputs", i) + ".domain", "an output has no domain", "remove it");
        }
    }
}

void check_constraints(const Operator& definition, Findings& findings) {
    for (std::size_t i = 0; i < definition.constraints.size(); ++i) {
        const std::string where = element_path("operator.constraints", i);
        const auto constraint = IntegerExpression::parse(definition.constraints[i], where);
        findings.add(constraint ? constraint->check_names(definition.symbols) : constraint.error());
    }
}

std::string product_of(const std::vector<std::int64_t>& extents) {
    std::vector<std::string> parts;
    for (const std::int64_t extent : extents) parts.push_back(std::to_string(extent));
    return join(parts, " × ");
}

/// Whether every dimension has a size; where one has none, `check_shape` says so.
bool has_sizes(const Tensor& tensor, const Sizes& sizes) {
    return std::ranges::all_of(tensor.shape, [&](const std::string& dimension) {
        long long number = 0;
        return parse_integer(dimension, number) || sizes.contains(dimension);
    });
}

/// Every tensor must be addressable in bytes by 63 bits.
void check_extents(const Operator& definition, const Case& binding, const std::string& where, Findings& findings) {
    const auto check = [&](const Tensor& tensor, std::string_view role) {
        if (!has_sizes(tensor, binding.sizes)) return;
        const auto elements = element_count(tensor, binding.sizes);
        std::int64_t bytes = 0;
        const auto size = static_cast<std::int64_t>(size_of(dtype_of(tensor, binding)));
        if (elements && !__builtin_mul_overflow(*elements, size, &bytes)) return;
        findings.add(where,
                     say("{} `{}` of {} elements overflows 2^63 bytes", role, tensor.name,
                         product_of(extents(tensor, binding.sizes))),
                     "choose smaller sizes");
    };
    for (const Tensor& tensor : definition.inputs) check(tensor, "input");
    for (const Tensor& tensor : definition.outputs) check(tensor, "output");
}

bool check_sizes(const Operator& definition, const Case& binding, const std::string& where, Findings& findings) {
    bool good = true;
    const auto fault = [&](const std::string& place, Said message, Said suggestion) {
        findings.add(place, std::move(message), std::move(suggestion));
        good = false;
    };
    for (const std::string& symbol : definition.symbols) {
        if (!binding.sizes.contains(symbol)) fault(where, say("symbol `{}` has no size", symbol), "");
    }
    for (const auto& [name, size] : binding.sizes) {
        const std::string place = where + "." + name;
        if (std::ranges::find(definition.symbols, name) == definition.symbols.end()) {
            fault(place, say("unknown symbol {}", in_backquotes(name)), suggest(name, definition.symbols));
        } else if (size < 1) {
            fault(place, say("size {} of `{}` is below 1", size, name), "");
        }
    }
    return good;
}

void check_domains_of_case(const Operator& definition, const Case& binding, const std::string& where,
                           Findings& findings) {
    for (const Tensor& input : definition.inputs) {
        if (!input.domain || domain_problem(*input.domain)) continue;
        const DType dtype = dtype_of(input, binding);
        if (bounds_in(*input.domain, dtype)) continue;
        findings.add(where,
                     say("{} holds no value of the domain of input `{}`, {}", to_string(dtype), input.name,
                         to_string(*input.domain)),
                     "widen the domain, or give the input a `dtype` of its own");
    }
}

void check_constraints_of_case(const Operator& definition, const Case& binding, const std::string& where,
                               Findings& findings) {
    for (const std::string& text : definition.constraints) {
        const auto constraint = IntegerExpression::parse(text, "constraint");
        if (!constraint || !constraint->check_names(definition.symbols).empty()) continue;  // said already
        const Result<std::int64_t> holds = constraint->evaluate(binding.sizes);
        if (!holds) {
            findings.add(where, say("constraint `{}`: {}", text, holds.error().message));
        } else if (*holds == 0) {
            std::vector<std::string> values;
            for (const std::string& name : constraint->names()) {
                values.push_back(name + " = " + std::to_string(binding.sizes.at(name)));
            }
            findings.add(where, say("constraint `{}` does not hold: {}", text, join(values, ", ")));
        }
    }
}

}  // namespace

std::vector<std::string> names_of(const Operator& definition) {
    std::vector<std::string> names = definition.symbols;
    for (const Tensor& tensor : definition.inputs) names.push_back(tensor.name);
    for (const Tensor& tensor : definition.outputs) names.push_back(tensor.name);
    for (const Attribute& attribute : definition.attributes) names.push_back(attribute.name);
    return names;
}

void validate_operator(const Operator& definition, Findings& findings) {
    check_family(definition, findings);
    check_names(definition, findings);
    if (const auto problem = outputs_problem(definition))
        findings.add("operator." + problem->where, problem->message, problem->suggestion);
    for (std::size_t i = 0; i < definition.inputs.size(); ++i) {
        check_shape(definition, definition.inputs[i], element_path("operator.inputs", i), findings);
    }
    for (std::size_t i = 0; i < definition.outputs.size(); ++i) {
        check_shape(definition, definition.outputs[i], element_path("operator.outputs", i), findings);
    }
    for (const Attribute& attribute : definition.attributes) {
        const std::string where = "operator.attributes." + attribute.name;
        if (!std::isfinite(attribute.value)) findings.add(where, "must be a finite number");
        if (attribute.type == AttributeType::integer && std::abs(attribute.value) > largest_integer_attribute)
            findings.add(where, "an integer is at most 2^53", "write it with `.0` to have a floating-point number");
    }
    if (definition.arithmetic && *definition.arithmetic != DType::f32 && *definition.arithmetic != DType::f64) {
        findings.add("operator.arithmetic", "arithmetic is in `f32` or `f64`");
    }
    check_domains(definition, findings);
    check_constraints(definition, findings);
}

void validate_case(const Operator& definition, const Body* body, const Case& binding, const std::string& where,
                   Findings& findings) {
    if (!check_sizes(definition, binding, where, findings)) return;
    check_constraints_of_case(definition, binding, where, findings);
    check_domains_of_case(definition, binding, where, findings);
    Findings overflows;
    check_extents(definition, binding, where, overflows);
    if (overflows.empty() && body) {
        if (const Result<Space> space = space_of(*body, binding.sizes); !space) {
            overflows.add(where, space.error().message);
        }
    }
    findings.add(overflows.take());
}

}  // namespace kernelgen
