// SPDX-License-Identifier: Apache-2.0
#include "core/project/validate.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/lang/contraction.h"
#include "core/lang/integer_expression.h"
#include "core/project/dispatch.h"
#include "core/project/own_files.h"
#include "core/project/project_file.h"

namespace kernelgen {

namespace {

constexpr std::size_t findings_limit = 1000;
constexpr double longest_budget_seconds = 24 * 3600;

std::vector<std::string> variant_names(const Project& project) {
    std::vector<std::string> names;
    for (const Variant& variant : project.variants) names.push_back(variant.name);
    return names;
}

void check_cases(const Project& project, const Body* body, Findings& findings) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < project.cases.size(); ++i) {
        const Case& binding = project.cases[i];
        const std::string where = element_path("cases", i);
        const bool control = std::ranges::any_of(binding.name, [](unsigned char c) { return c < 32; });
        if (binding.name.empty() || binding.name.size() > longest_case_name || control) {
            findings.add(where + ".name", say("{} is no name for a case", in_backquotes(binding.name)),
                         "use up to 100 printable characters");
        } else if (!names.insert(binding.name).second) {
            findings.add(where + ".name", say("the name {} is taken already", in_backquotes(binding.name)),
                         "choose another name");
        }
        validate_case(project.definition, body, binding, where, findings);
    }
}

void check_tolerance(const Tolerance& tolerance, const std::string& where, Findings& findings) {
    const auto check = [&](double value, const char* key) {
        if (!(value >= 0) || !std::isfinite(value))
            findings.add(where + "." + key, "must be a finite number, 0 or more");
    };
    check(tolerance.rtol, "rtol");
    check(tolerance.atol, "atol");
}

void check_accuracy(const Accuracy& accuracy, Findings& findings) {
    if (accuracy.f32) check_tolerance(*accuracy.f32, "accuracy", findings);
    for (const auto& [dtype, tolerance] : accuracy.named) {
        const std::string where = "accuracy." + std::string(to_string(dtype));
        if (is_integer(dtype)) {
            findings.add(where, "integers are exact, a tolerance for them would change nothing", "remove it");
        } else {
            check_tolerance(tolerance, where, findings);
        }
    }
}

void check_baseline(const Project& project, const std::string& kind, const std::string& name, Findings& findings) {
    const std::vector<std::string> kinds(std::begin(device_kinds), std::end(device_kinds));
    const std::string where = "performance.baseline" + (kind.empty() ? "" : "." + kind);
    const Variant* variant = project.find_variant(name);
    if (!kind.empty() && std::ranges::find(kinds, kind) == kinds.end()) {
        findings.add(where, say("unknown kind of device {}", in_backquotes(kind)), suggest(kind, kinds));
    } else if (!variant) {
        findings.add(where, say("unknown variant {}", in_backquotes(name)), suggest(name, variant_names(project)));
    } else if (!kind.empty() && !runs_on(*variant, kind)) {
        findings.add(where, say("variant `{}` does not run on `{}`", name, kind));
    }
}

void check_performance(const Project& project, Findings& findings) {
    const Performance& performance = project.performance;
    for (const auto& [kind, name] : performance.baseline) check_baseline(project, kind, name, findings);
    if (!(performance.target_speedup > 0) || !std::isfinite(performance.target_speedup)) {
        findings.add("performance.target_speedup", "must be a finite number above 0");
    }
    if (performance.max_rounds < 1) findings.add("performance.max_rounds", "must be at least 1");
    if (const auto problem = budget_problem(performance.budget_seconds)) {
        findings.add("performance.budget_seconds", *problem);
    }
}

void check_variants(const Project& project, Findings& findings) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < project.variants.size(); ++i) {
        const std::string where = element_path("variants", i);
        const std::string& name = project.variants[i].name;
        if (!names.insert(name).second) {
            findings.add(where + ".name", say("the name {} is taken already", in_backquotes(name)),
                         "choose another name");
        }
        validate_variant(project.definition, project.variants[i], where, findings);
    }
    const std::string& reference = project.definition.reference;
    if (!reference.empty() && !project.find_variant(reference)) {
        findings.add("operator.reference", say("unknown variant {}", in_backquotes(reference)),
                     suggest(reference, variant_names(project)));
    }
}

/// Whether a rule to this variant can send a case anywhere: on a device where another one runs.
bool has_rival(const Project& project, const Variant& variant) {
    return std::ranges::any_of(device_kinds, [&](std::string_view kind) {
        return runs_on(variant, kind) && std::ranges::any_of(project.variants, [&](const Variant& each) {
                   return each.name != variant.name && runs_on(each, kind);
               });
    });
}

void check_dispatch(const Project& project, Findings& findings) {
    for (std::size_t i = 0; i < project.dispatch.size(); ++i) {
        const DispatchRule& rule = project.dispatch[i];
        const std::string where = element_path("dispatch", i);
        const auto condition = IntegerExpression::parse(rule.when, where + ".when");
        if (!condition) findings.add(condition.error());
        const Variant* variant = project.find_variant(rule.variant);
        if (variant == nullptr) {
            findings.add(where + ".variant", say("unknown variant {}", in_backquotes(rule.variant)),
                         suggest(rule.variant, variant_names(project)));
        } else if (!has_rival(project, *variant)) {
            findings.add(
                where + ".variant",
                say("no other variant runs where {} does, so the rule does nothing", in_backquotes(rule.variant)),
                "name a variant that runs on the same device as others");
        } else if (condition) {
            findings.add(condition->check_names(names_in_dispatch(project.definition, *variant)));
        }
    }
}

}  // namespace

std::optional<Said> budget_problem(double seconds) {
    if (seconds > 0 && seconds <= longest_budget_seconds) return std::nullopt;
    return "must be above 0 and at most 86400 seconds";
}

void Findings::add(std::string where, Said message, Said suggestion) {
    add(Diagnostics{{"", std::move(where), std::move(message), std::move(suggestion)}});
}

void Findings::add(Diagnostics diagnostics) {
    for (Diagnostic& each : diagnostics) {
        if (diagnostics_.size() < findings_limit) diagnostics_.push_back(std::move(each));
    }
}

std::string element_path(const std::string& list, std::size_t index) {
    return list + "[" + std::to_string(index) + "]";
}

std::optional<Body> validate_definition(const Operator& definition, Findings& findings) {
    validate_operator(definition, findings);
    if (!findings.empty() || !has_body(definition.family)) return std::nullopt;
    Validated<Body> body = analyse(definition);
    if (body && definition.accumulate && !has_coarse_sums(definition, *body)) {
        findings.add("operator.accumulate",
                     "only products of two matrices, and attention, of 8-bit floating-point dtypes add so coarsely on "
                     "tensor cores",
                     "remove it");
    }
    if (body) return std::move(*body);
    for (Diagnostic& diagnostic : body.error()) diagnostic.where = "operator." + diagnostic.where;
    findings.add(std::move(body.error()));
    return std::nullopt;
}

Diagnostics validate(const Project& project) {
    Findings findings;
    const std::optional<Body> body = validate_definition(project.definition, findings);
    check_cases(project, body ? &*body : nullptr, findings);
    check_accuracy(project.accuracy, findings);
    check_performance(project, findings);
    check_variants(project, findings);
    check_dispatch(project, findings);
    Diagnostics diagnostics = findings.take();
    const std::string file = project.folder.empty() ? "" : (project.folder / own_files::project).string();
    for (Diagnostic& diagnostic : diagnostics) diagnostic.file = file;
    return diagnostics;
}

}  // namespace kernelgen
