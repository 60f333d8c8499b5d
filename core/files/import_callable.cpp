// SPDX-License-Identifier: Apache-2.0
#include "core/files/import_callable.h"

#include <chrono>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/scratch_folder.h"
#include "core/base/text_file.h"
#include "core/project/project_file.h"
#include "core/project/source_files.h"
#include "core/python/inspection_program.h"
#include "core/said/told.h"

namespace kernelgen {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::uint64_t most_source_bytes = 4 << 20;
/// A file is executed again without a call that crashes, and with smaller sizes.
constexpr int most_executions = 4;
constexpr std::chrono::minutes beside_each{2};  // for starting PyTorch, and for calling the reference
constexpr const char* definition_file = "definition.py";

/// "solution.cu" of "kernels/relu.cu".
std::string solution_file(const fs::path& solution) { return "solution" + solution.extension().string(); }

std::unexpected<Diagnostics> unreadable(std::string file, Said message) {
    return std::unexpected(Diagnostics{{std::move(file), "", std::move(message), ""}});
}

std::string where_of(const json& item) {
    const int line = item.at("line");
    return line > 0 ? "line " + std::to_string(line) : "";
}

std::vector<Case> cases_listed(const json& read) {
    std::vector<Case> cases;
    for (const json& each : read.at("cases")) {
        cases.push_back({each.at("name"), parse_dtype(each.at("dtype").get<std::string>()).value_or(DType::f32),
                         each.at("sizes").get<Sizes>()});
    }
    return cases;
}

std::vector<Variant> sides_of(const json& read, const fs::path& file) {
    Variant reference{.name = "reference", .language = Language::torch, .source = definition_file};
    reference.entry = read.at("reference");
    const json& told = read.at("solution");
    if (told.is_null()) {
        Variant compiled = reference;
        compiled.name = "torch_compile";
        compiled.compile = true;
        return {compiled, reference};
    }
    Variant solution{.name = "solution", .source = solution_file(file)};
    solution.language = parse_language(told.at("language").get<std::string>()).value_or(Language::torch);
    solution.entry = told.at("entry");
    solution.interface = told.at("interface");
    for (const json& each : told.value("tunables", json::array())) {
        solution.tunables.push_back({each.at("name"), each.at("values"), each.at("value")});
    }
    solution.restrictions = told.value("restrictions", solution.restrictions);
    return {solution, reference};
}

/// The files of its own folder that the solution includes.
Result<SourceFiles> included_beside(const fs::path& solution, const Variant& variant, const std::string& text) {
    if (variant.language != Language::extension) return SourceFiles{};
    const fs::path folder = fs::absolute(solution).parent_path();
    return included_files(variant, {{variant.source, text}}, folder_reader(folder), folder);
}

Diagnostics remarks_in(const json& items) {
    Diagnostics remarks;
    for (const json& each : items) remarks.push_back({each.at("file"), where_of(each), told(each, "message"), ""});
    return remarks;
}

/// `read` is what one of the programs in resources/python has found; `solution` the file that has the solution.
Validated<ImportedSet> callable_set(const Result<json>& read, const fs::path& solution,
                                    std::map<std::string, std::string> texts) {
    if (!read) return unreadable("", read.error().message);
    if (read->contains("error")) {
        const json& error = read->at("error");
        return std::unexpected(
            Diagnostics{{error.at("file"), where_of(error), told(error, "message"), told(error, "advice")}});
    }
    ImportedSet set;
    Operator& definition = set.project.definition;
    definition.name = read->at("name");
    definition.family = Family::callable;
    definition.symbols = read->at("sizes").get<std::vector<std::string>>();
    definition.file = definition_file;
    set.project.cases = cases_listed(*read);
    set.project.variants = sides_of(*read, solution);
    set.project.performance.baseline = {{"", "reference"}};
    if (read->contains("texts")) read->at("texts").get_to(texts);
    set.texts = std::move(texts);
    const Variant& first = set.project.variants.front();
    Result<SourceFiles> beside = included_beside(solution, first, set.texts[first.source]);
    if (!beside) return unreadable(solution.string(), beside.error().message);
    set.texts.merge(*beside);
    set.notes = remarks_in(read->at("notes"));
    if (read->contains("edits")) set.edits = remarks_in(read->at("edits"));
    if (Diagnostics problems = validate(set.project); !problems.empty()) return std::unexpected(std::move(problems));
    return set;
}

}  // namespace

Validated<ImportedSet> read_callable(const fs::path& problem, const fs::path& solution, const std::string& name,
                                     const std::string& entry) {
    const Result<std::string> text = read_text_file(problem, most_source_bytes);
    if (!text) return unreadable("", text.error().message);
    const bool is_solved = !solution.empty();
    const Result<std::string> other = is_solved ? read_text_file(solution, most_source_bytes) : std::string();
    if (!other) return unreadable("", other.error().message);
    json request = {{"problem", {{"file", problem.string()}, {"text", *text}}},
                    {"solution", nullptr},
                    {"name", name},
                    {"entry", entry}};
    if (is_solved) request["solution"] = {{"file", solution.string()}, {"text", *other}};
    std::map<std::string, std::string> texts{{definition_file, *text}};
    if (is_solved) texts[solution_file(solution)] = *other;
    return callable_set(run_inspection("kernelgen_import_callable.py", request), solution, std::move(texts));
}

Validated<ImportedSet> read_definition(const std::string& file, const std::string& text, const std::string& name) {
    const json request = {
        {"problem", {{"file", file}, {"text", text}}}, {"solution", nullptr}, {"name", name}, {"entry", ""}};
    return callable_set(run_inspection("kernelgen_import_callable.py", request), {}, {{definition_file, text}});
}

Validated<ImportedSet> read_traced(const fs::path& file, const Trace& trace, const std::string& name) {
    const Result<std::string> text = read_text_file(file, most_source_bytes);
    if (!text) return unreadable("", text.error().message);
    const Result<ScratchFolder> folder = ScratchFolder::create(fs::temp_directory_path());
    if (!folder) return unreadable("", folder.error().message);
    const json request = {{"file", file.string()},          {"text", *text},        {"name", name},
                          {"reference", trace.reference},   {"entry", trace.entry}, {"seconds", trace.limit.count()},
                          {"folder", folder->path.string()}};
    const std::chrono::seconds limit = (trace.limit + beside_each) * most_executions;
    return callable_set(run_inspection("kernelgen_trace.py", request, limit, trace.stop), file, {});
}

}  // namespace kernelgen
