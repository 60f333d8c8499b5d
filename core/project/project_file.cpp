// SPDX-License-Identifier: Apache-2.0
#include "core/project/project_file.h"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "core/base/file.h"
#include "core/base/json_format.h"
#include "core/base/json_reader.h"
#include "core/base/text.h"
#include "core/lang/contraction.h"
#include "core/project/own_files.h"
#include "core/project/schema.h"
#include "core/project/unread.h"
#include "core/project/upgrade.h"
#include "core/project/validate.h"

namespace kernelgen {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

constexpr std::uint64_t file_limit_bytes = 16 << 20;
constexpr std::string_view schema_prefix = "kernelgen.project/";

std::string current_schema() { return std::string(schema_prefix) + std::to_string(project_schema_version); }

/// The schema's version, or nothing with what is wrong about it in `diagnostics`.
std::optional<int> schema_version(const JsonPlace& document) {
    if (!document.expect_object()) return std::nullopt;
    const auto found = document.value().find("schema");
    if (found == document.value().end()) {
        document.error("the key `schema` is missing", "a project begins with \"schema\": \"" + current_schema() + "\"");
        return std::nullopt;
    }
    const std::string key = "schema";
    const JsonPlace place = document.member(key, *found);
    std::string schema;
    read(place, schema);
    if (!found->is_string()) return std::nullopt;
    long long version = 0;
    if (!schema.starts_with(schema_prefix) ||
        !parse_integer(std::string_view(schema).substr(schema_prefix.size()), version) || version < 1) {
        place.error(in_backquotes(schema) + " is not a kernelgen project", "expected `" + current_schema() + "`");
        return std::nullopt;
    }
    if (version > project_schema_version) {
        place.error(schema + " is newer than this program reads (" + std::to_string(project_schema_version) + ")",
                    "update kernelgen");
        return std::nullopt;
    }
    return static_cast<int>(version);
}

Project read_project(const JsonPlace& document) {
    Project project;
    std::string schema;
    JsonObject object(document);
    object.required("schema", schema);
    object.required("operator", project.definition);
    object.optional("cases", project.cases);
    object.optional("accuracy", project.accuracy);
    object.optional("performance", project.performance);
    object.optional("variants", project.variants);
    object.optional("dispatch", project.dispatch);
    object.finish();
    return project;
}

Diagnostics in_file(Diagnostics diagnostics, const std::filesystem::path& file) {
    for (Diagnostic& diagnostic : diagnostics) diagnostic.file = file.string();
    return diagnostics;
}

/// "cases[2]" of "cases[2].P".
std::string section_of(const std::string& where) { return where.substr(0, where.find('.')); }

/// The errors of meaning that do not merely follow from those of form: where a part could not be read, neither it nor
/// what refers to it is judged.
Diagnostics independent(Diagnostics meaning, const Diagnostics& form) {
    std::set<std::string> unread;
    for (const Diagnostic& each : form) unread.insert(section_of(each.where));
    if (unread.contains("") || unread.contains("operator")) return {};
    const bool variants_unread =
        std::ranges::any_of(unread, [](const auto& each) { return each.starts_with("variants"); });
    std::erase_if(meaning, [&](const Diagnostic& each) {
        const std::string section = section_of(each.where);
        const bool names_variants = section == "performance" || section.starts_with("dispatch");
        return unread.contains(section) || (variants_unread && names_variants);
    });
    return meaning;
}

/// A case with its sizes in the order of the definition's symbols.
ordered_json case_in_order(const Case& binding, const Operator& definition) {
    const ordered_json sorted = to_json(binding);
    ordered_json result = {{"name", sorted["name"]}, {"dtype", sorted["dtype"]}};
    for (const std::string& symbol : definition.symbols) {
        if (sorted.contains(symbol)) result[symbol] = sorted[symbol];
    }
    for (const auto& [key, value] : sorted.items()) result[key] = value;
    return result;
}

}  // namespace

namespace {

/// Why there is no project at this path, in words for a newcomer; nothing where there is a file to read.
std::optional<Said> no_project_at(const std::filesystem::path& path, const std::filesystem::path& file) {
    std::error_code error;
    if (path.empty()) return "no project is named; give its folder, or its project.json";
    if (!std::filesystem::exists(path, error) && !error) return path.string() + ": there is no such file or folder";
    if (std::filesystem::is_directory(file, error)) return file.string() + " is a folder, and should be a file";
    if (path == file || std::filesystem::exists(file, error) || error) return std::nullopt;
    return say("{} holds no project.json; `kernelgen new` makes a project", path.string());
}

}  // namespace

namespace {

/// A project's file, with its text.
struct ProjectText {
    std::filesystem::path file;
    std::string text;
};

/// `path`: the folder or its project.json.
Validated<ProjectText> read_text(const std::filesystem::path& path) {
    std::error_code error;
    const bool is_project_file = path.filename() == own_files::project;
    const std::filesystem::path file =
        !is_project_file && std::filesystem::is_directory(path, error) ? path / own_files::project : path;
    if (const auto problem = no_project_at(path, file)) {
        return std::unexpected(Diagnostics{{"", "", *problem, ""}});
    }
    Result<std::string> text = read_file(file, file_limit_bytes);
    if (!text) return std::unexpected(as_diagnostics(text.error()));
    return ProjectText{file, std::move(*text)};
}

/// The contents of a file that is a project by its schema.
struct Form {
    json document;
    Project project;  ///< what could not be read has its default value
    Diagnostics errors;
};

/// Errors: it is no project at all.
Validated<Form> read_form(std::string_view text, const std::filesystem::path& file) {
    Validated<json> document = parse_json(text, file.string());
    if (!document) return std::unexpected(std::move(document.error()));
    Form form{.document = std::move(*document), .project = {}, .errors = {}};
    const std::optional<int> version = schema_version(JsonPlace(form.document, form.errors));
    if (!version) return std::unexpected(std::move(form.errors));
    upgrade_project(form.document, *version, project_upgrades());
    form.project = read_project(JsonPlace(form.document, form.errors));
    for (Case& each : form.project.cases) add_derived_sizes(form.project.definition, each);
    form.project.folder = file.has_parent_path() ? file.parent_path() : ".";
    return form;
}

/// The errors of form, then those of meaning.
Diagnostics all_errors(const Form& form) {
    Diagnostics errors = form.errors;
    std::ranges::move(independent(validate(form.project), form.errors), std::back_inserter(errors));
    return errors;
}

ordered_json project_json(const Project& project) {
    ordered_json document = {{"schema", current_schema()}, {"operator", to_json(project.definition)}};
    document["cases"] = ordered_json::array();
    for (const Case& binding : project.cases) document["cases"].push_back(case_in_order(binding, project.definition));
    if (project.accuracy != Accuracy{}) document["accuracy"] = to_json(project.accuracy);
    document["performance"] = to_json(project.performance);
    document["variants"] = ordered_json::array();
    for (const Variant& variant : project.variants) document["variants"].push_back(to_json(variant));
    for (const DispatchRule& rule : project.dispatch) document["dispatch"].push_back(to_json(rule));
    return document;
}

/// Adds to a project's JSON the parts of its file that could not be read.
ordered_json with_unread(ordered_json document, const Project& project) {
    const Validated<Form> form = read_form(project.unread, "");
    if (!form) return document;
    std::vector<std::string> places;
    for (const Diagnostic& each : form->errors) places.push_back(each.where);
    ordered_json file = ordered_json::parse(project.unread);
    if (json(file) != form->document) file = form->document;  // a schema before this one's
    const ordered_json read = project_json(form->project);
    keep_unread({form->document, file, read, places}, document);
    document["schema"] = current_schema();
    return document;
}

}  // namespace

Validated<Project> parse_project(std::string_view text, const std::filesystem::path& file) {
    Validated<Form> form = read_form(text, file);
    if (!form) return std::unexpected(in_file(std::move(form.error()), file));
    Diagnostics errors = all_errors(*form);
    if (!errors.empty()) return std::unexpected(in_file(std::move(errors), file));
    return std::move(form->project);
}

Validated<Project> parse_draft(std::string_view text, const std::filesystem::path& file) {
    Validated<Form> form = read_form(text, file);
    if (!form) return std::unexpected(in_file(std::move(form.error()), file));
    if (!form->errors.empty()) form->project.unread = text;
    return std::move(form->project);
}

Diagnostics errors_of(const Project& draft) {
    if (draft.unread.empty()) return validate(draft);
    const Validated<Form> form = read_form(project_text(draft), "");
    return form ? all_errors(*form) : form.error();
}

Diagnostics unread_parts(const Project& draft) {
    if (draft.unread.empty()) return {};
    const Validated<Form> form = read_form(project_text(draft), "");
    return form ? form->errors : form.error();
}

Validated<Project> load_project(const std::filesystem::path& path) {
    const Validated<ProjectText> read = read_text(path);
    return read ? parse_project(read->text, read->file) : std::unexpected(read.error());
}

Validated<Project> load_draft(const std::filesystem::path& path) {
    const Validated<ProjectText> read = read_text(path);
    return read ? parse_draft(read->text, read->file) : std::unexpected(read.error());
}

std::string project_text(const Project& project) {
    ordered_json document = project_json(project);
    return format_json(project.unread.empty() ? document : with_unread(std::move(document), project));
}

Result<void> save_project(const Project& project) {
    return write_file_atomic(project.folder / own_files::project, project_text(project));
}

namespace {

Result<void> read_assignment(const std::string& text, Case& binding, bool& has_dtype) {
    const std::size_t equals = text.find('=');
    const std::string name(trim(std::string_view(text).substr(0, equals)));
    const std::string value(equals == text.npos ? "" : trim(std::string_view(text).substr(equals + 1)));
    if (equals == text.npos) return fail(in_backquotes(text) + " is no assignment such as `P=1024`");
    if (name == "dtype" && std::exchange(has_dtype, true)) return fail("`dtype` is given twice");
    if (name == "dtype") {
        const auto dtype = parse_dtype(value);
        if (!dtype) return fail("unknown dtype " + in_backquotes(value) + "; " + suggest(value, dtype_names()));
        binding.dtype = *dtype;
        return {};
    }
    long long size = 0;
    if (!parse_integer(value, size)) return fail("size " + in_backquotes(value) + " of `" + name + "` is no integer");
    if (!binding.sizes.emplace(name, size).second) return fail("`" + name + "` is given twice");
    return {};
}

}  // namespace

Result<Case> parse_ad_hoc_case(std::string_view text, const Operator& definition) {
    Case binding;
    binding.name = trim(text);
    if (binding.name.size() > longest_case_name) binding.name = binding.name.substr(0, longest_case_name - 3) + "...";
    bool has_dtype = false;
    for (const std::string& part : split(text, ',')) {
        if (const Result<void> done = read_assignment(part, binding, has_dtype); !done) {
            return fail(say("case {}: {}", in_backquotes(text), done.error().message));
        }
    }
    add_derived_sizes(definition, binding);
    const Validated<Body> body = has_body(definition.family) ? analyse(definition) : Validated<Body>(Body{});
    Findings findings;
    validate_case(definition, has_body(definition.family) && body ? &*body : nullptr, binding, "case", findings);
    if (findings.empty()) return binding;
    std::vector<std::string> reasons;
    for (const Diagnostic& each : findings.take())
        reasons.push_back(to_string(Diagnostic{"", "", each.message, each.suggestion}));
    return fail("case " + in_backquotes(text) + ": " + join(reasons, "; "));
}

}  // namespace kernelgen
