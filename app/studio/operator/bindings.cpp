// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/operator/bindings.h"

#include <limits>

#include "app/studio/application/text.h"
#include "app/studio/operator/table_content.h"
#include "core/base/text.h"

namespace kernelgen::studio {

namespace {

/// A text that the project has as it is.
TextBinding plain(QString name, QString tip, std::string path, std::string Operator::* member) {
    return {.name = std::move(name),
            .tip = std::move(tip),
            .path = std::move(path),
            .read = [member](const Project& project) { return toQt(project.definition.*member); },
            .write =
                [member](Project& project, const QString& text) {
                    project.definition.*member = text.toStdString();
                    return QString();
                }};
}

TextBinding number(QString name, QString tip, std::string path, double Performance::* member) {
    return {.name = std::move(name),
            .tip = std::move(tip),
            .path = std::move(path),
            .read = [member](const Project& project) { return numberText(project.performance.*member); },
            .write =
                [member](Project& project, const QString& text) {
                    const std::optional<double> value = numberOf(text);
                    if (!value) return Bindings::tr("`%1` is not a number such as 1.05").arg(text);
                    project.performance.*member = *value;
                    return QString();
                }};
}

}  // namespace

TextBinding Bindings::name() {
    TextBinding binding = plain(tr("Name"), tr("An identifier"), "operator.name", &Operator::name);
    binding.write = [](Project& project, const QString& text) {
        project.definition.name = text.trimmed().toStdString();
        return QString();
    };
    return binding;
}

TextBinding Bindings::description() {
    return plain(tr("Description"), tr("What the operator is for; the definition document says it"),
                 "operator.description", &Operator::description);
}

TextBinding Bindings::reference() {
    return plain(tr("Reference"), tr("The variant that the others are judged by"), "operator.reference",
                 &Operator::reference);
}

TextBinding Bindings::definition() {
    return plain(tr("Definition"), tr("The Python file with the reference and the inputs"), "operator.definition",
                 &Operator::file);
}

TextBinding Bindings::body() {
    return plain(tr("Body"),
                 tr("Assignments, one a line or separated by ;\n"
                    "+ - * / ** comparisons, c ? a : b, exp log sqrt rsqrt tanh sigmoid erf abs min max clamp …\n"
                    "over the last axis: row_sum row_max row_min row_mean row_var\n"
                    "products of matrices: a @ b, a @ transpose(b)"),
                 "operator.body", &Operator::body);
}

TextBinding Bindings::arithmetic() {
    return {.name = tr("Arithmetic"),
            .tip = tr("The precision in which the body is computed"),
            .path = "operator.arithmetic",
            .read =
                [](const Project& project) {
                    const auto& dtype = project.definition.arithmetic;
                    return dtype ? toQt(to_string(*dtype)) : QString();
                },
            .write =
                [](Project& project, const QString& text) {
                    project.definition.arithmetic = parse_dtype(text.toStdString());
                    return QString();
                }};
}

TextBinding Bindings::accumulation() {
    return {.name = tr("Sums of products"),
            .tip = tr("f22: as tensor cores of sm_90a add products of 8 bits; verification allows what that may cost"),
            .path = "operator.accumulate",
            .read =
                [](const Project& project) {
                    const auto& format = project.definition.accumulate;
                    return format ? toQt(to_string(*format)) : QString();
                },
            .write =
                [](Project& project, const QString& text) {
                    project.definition.accumulate = parse_accumulation(text.toStdString());
                    return QString();
                }};
}

TextBinding Bindings::baseline(const std::string& kind) {
    return {.name = kind.empty() ? tr("Baseline") : tr("Baseline on %1").arg(toQt(kind)),
            .tip = tr("The variant that speedup is measured against"),
            .path = "performance.baseline" + (kind.empty() ? "" : "." + kind),
            .read =
                [kind](const Project& project) {
                    const auto found = project.performance.baseline.find(kind);
                    return found == project.performance.baseline.end() ? QString() : toQt(found->second);
                },
            .write =
                [kind](Project& project, const QString& text) {
                    if (text.isEmpty()) project.performance.baseline.erase(kind);
                    else project.performance.baseline[kind] = text.toStdString();
                    return QString();
                }};
}

TextBinding Bindings::targetSpeedup() {
    return number(tr("Target speedup"), tr("Reached when the interval's lower end is at or above it in every case"),
                  "performance.target_speedup", &Performance::target_speedup);
}

TextBinding Bindings::maxRounds() {
    return {.name = tr("Rounds at most"),
            .tip = tr("How many rounds the optimization is to take"),
            .path = "performance.max_rounds",
            .read = [](const Project& project) { return QString::number(project.performance.max_rounds); },
            .write =
                [](Project& project, const QString& text) {
                    long long value = 0;
                    const bool whole = parse_integer(text.trimmed().toStdString(), value);
                    if (!whole || value < 0 || value > std::numeric_limits<int>::max()) {
                        return tr("`%1` is not a whole number").arg(text);
                    }
                    project.performance.max_rounds = static_cast<int>(value);
                    return QString();
                }};
}

TextBinding Bindings::budgetSeconds() {
    return number(tr("Seconds a case"), tr("Sampling goes on until the interval is within ±1 %, or this long"),
                  "performance.budget_seconds", &Performance::budget_seconds);
}

TextBinding Bindings::caches() {
    return {.name = tr("Caches"),
            .tip = tr("Whether timing begins with cold caches"),
            .path = "performance.caches",
            .read = [](const Project& project) { return QString(project.performance.warm_caches ? "warm" : "cold"); },
            .write =
                [](Project& project, const QString& text) {
                    project.performance.warm_caches = text == "warm";
                    return QString();
                }};
}

std::vector<Choice> Bindings::arithmetics(const Project&) {
    return {{"", tr("as the dtype asks")}, {"f32", "f32"}, {"f64", "f64"}};
}

std::vector<Choice> Bindings::accumulations(const Project&) {
    std::vector<Choice> choices = {{"", tr("as the arithmetic")}};
    for (const std::string& each : accumulation_names()) choices.push_back({toQt(each), toQt(each)});
    return choices;
}

std::vector<Choice> Bindings::references(const Project& project) {
    std::vector<Choice> choices;
    for (const Variant& each : project.variants) choices.push_back({toQt(each.name), toQt(each.name)});
    return choices;
}

std::vector<Choice> Bindings::baselines(const Project& project, const std::string& kind) {
    std::vector<Choice> choices{{"", kind.empty() ? tr("none") : tr("the same")}};
    for (const Variant& each : project.variants) {
        if (kind.empty() || runs_on(each, kind)) choices.push_back({toQt(each.name), toQt(each.name)});
    }
    return choices;
}

std::vector<Choice> Bindings::cachesStates(const Project&) {
    return {{"cold", tr("flushed before each sample")}, {"warm", tr("warm")}};
}

}  // namespace kernelgen::studio
