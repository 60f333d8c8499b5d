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
        place.error(say("unknown metric {}", in_backquotes(name)), suggest(name, metric_names()));
}

/// The metrics in braces of a text.
void check_places(const JsonPlace& place, const std::string& text) {
    for (std::size_t begin = text.find('{'); begin != std::string::npos; begin = text.find('{', begin + 1)) {
        const std::size_t end = text.find('}', begin);
        if (end == std::string::npos) return place.error("an opening brace is not closed");
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
    Validated<Formula> parsed = Formula::parse(text, "");
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
        place.error(
            say("an id is of lower-case letters, digits and `_`, at most 60; this is {}", in_backquotes(rule.id)));
    if (rule.when.empty()) place.error("`when` must have a condition");
    for (const std::string& each : rule.devices) {
        if (!std::ranges::contains(device_kinds, each))
            place.error("unknown kind of device " + in_backquotes(each), "one of: cpu, cuda");
    }
    for (const std::string& each : rule.languages) {
        if (!parse_language(each))
            place.error("unknown language " + in_backquotes(each), suggest(each, language_names()));
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
    object.optional("unless", rule.unless);
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
    for (auto rule = rules.begin(); rule != rules.end(); ++rule) {
        if (!std::ranges::contains(rules.begin(), rule, rule->id, &Rule::id)) continue;
        diagnostics.push_back({file.string(), "rules[" + std::to_string(rule - rules.begin()) + "].id",
                               say("the id {} is given twice", in_backquotes(rule->id)), ""});
    }
}

/// Goals are an object of metrics and numbers.
void read_goals(const JsonPlace& place, std::map<std::string, double>& goals) {
    if (!place.expect_object()) return;
    for (const auto& [name, value] : place.value().items()) {
        const JsonPlace goal = place.member(name, value);
        require_metric(goal, name);
        read(goal, goals[name]);
    }
}

struct Goals {
    std::map<std::string, double>& goals;
};
void read(const JsonPlace& place, const Goals& goals) { read_goals(place, goals.goals); }

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

/// Adds the files of a folder to a book, in which they replace what is there.
/// Errors for rules of a file that other files before it have too.
void check_new(const std::vector<Rule>& rules, const std::vector<Rule>& before, const fs::path& file,
               Diagnostics& diagnostics) {
    for (std::size_t i = 0; i < rules.size(); ++i) {
        if (find_rule(before, rules[i].id) != nullptr)
            diagnostics.push_back({file.string(), std::format("rules[{}].id", i),
                                   say("the id {} is given twice", in_backquotes(rules[i].id)), ""});
    }
}

void add_folder(const fs::path& folder, RuleBook& book, Diagnostics& diagnostics) {
    std::vector<Rule> rules;
    for (const fs::path& file : rule_files(folder)) {
        const Result<std::string> text = read_file(file, 4 << 20);
        Validated<RuleBook> read = text ? parse_rules(*text, file) : std::unexpected(as_diagnostics(text.error()));
        if (!read) {
            std::ranges::move(read.error(), std::back_inserter(diagnostics));
            continue;
        }
        check_new(read->rules, rules, file, diagnostics);
        std::ranges::move(read->rules, std::back_inserter(rules));
        for (const auto& [name, value] : read->goals) book.goals[name] = value;
    }
    std::erase_if(book.rules, [&](const Rule& old) { return find_rule(rules, old.id) != nullptr; });
    std::ranges::move(rules, std::back_inserter(book.rules));
}

/// Errors for rules that name others which do not exist.
void check_unless(const std::vector<Rule>& rules, Diagnostics& diagnostics) {
    std::vector<std::string> known;
    for (const Rule& each : rules) known.push_back(each.id);
    for (const Rule& each : rules) {
        for (const std::string& other : each.unless) {
            if (!std::ranges::contains(known, other))
                diagnostics.push_back({"", "rule " + in_backquotes(each.id) + ": unless",
                                       say("there is no rule {}", in_backquotes(other)), suggest(other, known)});
        }
    }
}

}  // namespace

Validated<RuleBook> parse_rules(std::string_view text, const fs::path& file) {
    const Validated<nlohmann::json> document = parse_json(text, file.string());
    if (!document) return std::unexpected(document.error());
    Diagnostics diagnostics;
    std::string schema;
    RuleBook book;
    const JsonPlace place(*document, diagnostics);
    JsonObject object(place);
    object.required("schema", schema);
    if (place.value().is_object() && schema != rule_schema) {
        place.error(say("schema {} is not known", in_backquotes(schema)), say("this program reads `{}`", rule_schema));
    } else {
        object.optional("rules", book.rules);
        object.optional("goals", Goals{book.goals});
        object.finish();
    }
    for (Diagnostic& each : diagnostics) each.file = file.string();
    check_ids(book.rules, file, diagnostics);
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    return book;
}

Validated<RuleBook> load_rules() {
    RuleBook book;
    Diagnostics diagnostics;
    add_folder(resource_folder() / "diagnosis", book, diagnostics);
    if (const fs::path own = data_folder(); !own.empty()) add_folder(own / "diagnosis", book, diagnostics);
    if (diagnostics.empty()) check_unless(book.rules, diagnostics);
    if (!diagnostics.empty()) return std::unexpected(std::move(diagnostics));
    return book;
}

const Rule* find_rule(std::span<const Rule> rules, std::string_view id) {
    const auto found = std::ranges::find(rules, id, &Rule::id);
    return found == rules.end() ? nullptr : &*found;
}

}  // namespace kernelgen
