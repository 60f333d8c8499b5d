// SPDX-License-Identifier: Apache-2.0
#include "core/diagnose/rule.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/base/json_values.h"
#include "core/base/text.h"
#include "core/measure/metrics.h"
#include "core/project/project.h"

namespace kernelgen {

namespace fs = std::filesystem;

namespace {

/// A name out of a list that is written as a string.
template <class T, std::size_t count>
std::optional<T> named_in(const T (&all)[count], std::string_view name) {
    const auto found = std::ranges::find_if(all, [&](T each) { return to_string(each) == name; });
    return found == std::end(all) ? std::nullopt : std::optional<T>(*found);
}

constexpr FindingKind finding_kinds[] = {FindingKind::cause, FindingKind::bound, FindingKind::doubt};
constexpr Confidence confidences[] = {Confidence::measured, Confidence::derived, Confidence::possible};

template <class T, std::size_t count>
void read_named(const JsonPlace& place, T& value, const T (&all)[count], std::string_view what) {
    std::string name;
    read(place, name);
    std::vector<std::string> known;
    for (const T each : all) known.emplace_back(to_string(each));
    if (const auto found = named_in(all, name)) value = *found;
    else if (place.value().is_string())
        place.error("unknown " + std::string(what) + " " + in_backquotes(name), suggest(name, known));
}

std::vector<std::string> metric_names() {
    std::vector<std::string> names;
    for (const Metric& each : all_metrics) names.emplace_back(each.name);
    return names;
}

void require_metric(const JsonPlace& place, const std::string& name) {
    if (find_metric(name) == nullptr)
        place.error("unknown metric " + in_backquotes(name), suggest(name, metric_names()));
}

/// The metrics in braces of a text.
void check_places(const JsonPlace& place, const std::string& text) {
    for (std::size_t begin = text.find('{'); begin != std::string::npos; begin = text.find('{', begin + 1)) {
        const std::size_t end = text.find('}', begin);
        if (end == std::string::npos) return place.error("`{` without `}`");
        require_metric(place, text.substr(begin + 1, end - begin - 1));
    }
}

}  // namespace

void read(const JsonPlace& place, FindingKind& kind) { read_named(place, kind, finding_kinds, "kind"); }
void read(const JsonPlace& place, Confidence& value) { read_named(place, value, confidences, "confidence"); }

void read(const JsonPlace& place, Formula& formula) {
    std::string text;
    read(place, text);
    if (!place.value().is_string()) return;
    Checked<Formula> parsed = Formula::parse(text, "");
    if (!parsed) {
        for (const Diagnostic& each : parsed.error()) place.error(each.message + " at" + each.where, each.suggestion);
        return;
    }
    formula = std::move(*parsed);
    for (const std::string& name : formula.names()) require_metric(place, name);
}

void read(const JsonPlace& place, RuleText& text) {
    JsonObject object(place);
    object.required("en", text.en);
    object.required("zh", text.zh);
    object.finish();
    check_places(place, text.en);
    check_places(place, text.zh);
}

namespace {

void check_rule(const JsonPlace& place, const Rule& rule) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
    if (!std::ranges::all_of(rule.id, is_letter) || rule.id.empty() || rule.id.size() > 60)
        place.error("an id is of lower-case letters, digits and `_`, at most 60; this is " + in_backquotes(rule.id));
    if (rule.when.empty()) place.error("`when` must have a condition");
    for (const std::string& each : rule.devices) {
        if (!std::ranges::contains(device_kinds, each))
            place.error("unknown kind of device " + in_backquotes(each), "one of: cpu, cuda");
    }
    for (const std::string& each : rule.languages) {
        if (!parse_language(each)) place.error("unknown language " + in_backquotes(each), suggest(each, language_names()));
    }
    for (const std::string& each : rule.figures) require_metric(place, each);
}

}  // namespace

void read(const JsonPlace& place, Rule& rule) {
    JsonObject object(place);
    object.required("id", rule.id);
    object.optional("kind", rule.kind);
    object.optional("devices", rule.devices);
    object.optional("languages", rule.languages);
    object.required("when", rule.when);
    object.optional("gain", rule.gain);
    object.optional("figures", rule.figures);
    object.required("confidence", rule.confidence);
    object.optional("strategies", rule.strategies);
    object.required("title", rule.title);
    object.required("why", rule.why);
    object.required("confirm", rule.confirm);
    object.required("source", rule.source);
    object.finish();
    if (place.diagnostics().empty()) check_rule(place, rule);
}

namespace {

/// Errors for ids that stand twice.
void check_ids(const std::vector<Rule>& rules, const fs::path& file, Diagnostics& diagnostics) {
    for (std::size_t i = 0; i < rules.size(); ++i) {
        const auto before = rules.begin() + static_cast<std::ptrdiff_t>(i);
        if (std::ranges::contains(rules.begin(), before, rules[i].id, &Rule::id)) {
            diagnostics.push_back({file.string(), "rules[" + std::to_string(i) + "].id",
                                   "the id " + in_backquotes(rules[i].id) + " is given twice", ""});
        }
    }
}

/// The rule files of a folder, by name; none where there is no folder.
std::vector<fs::path> rule_files(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

Checked<std::vector<Rule>> rules_of_folder(const fs::path& folder) {
    std::vector<Rule> rules;
    Diagnostics diagnostics;
    for (const fs::path& file : rule_files(folder)) {
        const Result<std::string> text = read_file(file, 4 << 20);
        Checked<std::vector<Rule>> some =
            text ? parse_rules(*text, file) : std::unexpected(as_diagnostics(text.error()));
        if (some) std::ranges::move(*some, std::back_inserter(rules));
        else std::ranges::move(some.error(), std::back_inserter(diagnostics));
        check_ids(rules, file, diagnostics);
    }
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    return rules;
}

}  // namespace

Checked<std::vector<Rule>> parse_rules(std::string_view text, const fs::path& file) {
    const Checked<nlohmann::json> document = parse_json(text, file.string());
    if (!document) return std::unexpected(document.error());
    Diagnostics diagnostics;
    std::string schema;
    std::vector<Rule> rules;
    const JsonPlace place(*document, diagnostics);
    JsonObject object(place);
    object.required("schema", schema);
    if (place.value().is_object() && schema != rule_schema) {
        place.error("schema " + in_backquotes(schema) + " is not known",
                    "this program reads `" + std::string(rule_schema) + "`");
    } else {
        object.required("rules", rules);
        object.finish();
    }
    for (Diagnostic& each : diagnostics) each.file = file.string();
    check_ids(rules, file, diagnostics);
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    return rules;
}

Checked<std::vector<Rule>> load_rules() {
    Checked<std::vector<Rule>> rules = rules_of_folder(resource_folder() / "diagnosis");
    if (!rules) return rules;
    Checked<std::vector<Rule>> own = rules_of_folder(data_folder() / "diagnosis");
    if (!own) return own;
    for (Rule& each : *own) {
        std::erase_if(*rules, [&](const Rule& installed) { return installed.id == each.id; });
        rules->push_back(std::move(each));
    }
    return rules;
}

const Rule* find_rule(std::span<const Rule> rules, std::string_view id) {
    const auto found = std::ranges::find(rules, id, &Rule::id);
    return found == rules.end() ? nullptr : &*found;
}

}  // namespace kernelgen
