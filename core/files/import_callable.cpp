// SPDX-License-Identifier: Apache-2.0
#include "core/files/import_callable.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>

#include "core/base/scratch_folder.h"
#include "core/base/text_file.h"
#include "core/files/include_root.h"
#include "core/files/own_modules.h"
#include "core/project/names.h"
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
constexpr const char* traced_file = "solution.py";  ///< so kernelgen_trace_answer.py names what it has traced

/// A file's path in the project, "solution.cu" of "kernels/relu.cu": in a package its place there, so that its imports
/// mean what they meant.
std::string file_in_project(const fs::path& file, const std::string& name) {
    const bool is_python = file.extension() == ".py";
    const ModulePlace place = is_python ? module_place(file) : ModulePlace();
    return place.is_in_package() ? place.file : name;
}

/// `text` is the solution's. In C++ its place below the folder that holds all that it includes.
std::string solution_file(const fs::path& solution, const std::string& text) {
    const std::string ending = solution.extension().string();
    if (ending == ".py") return file_in_project(solution, "solution.py");
    const fs::path whole = fs::absolute(solution).lexically_normal(), root = include_root(solution, text);
    return root == whole.parent_path() ? "solution" + ending : whole.lexically_relative(root).generic_string();
}

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

/// `source` is the solution's file in the project.
std::vector<Variant> sides_of(const json& read, const std::string& definition, const std::string& source) {
    Variant reference{.name = "reference", .language = Language::torch, .source = definition};
    reference.entry = read.at("reference");
    const json& told = read.at("solution");
    if (told.is_null()) {
        Variant compiled = reference;
        compiled.name = "torch_compile";
        compiled.compile = true;
        return {compiled, reference};
    }
    Variant solution{.name = "solution", .source = source};
    solution.language = parse_language(told.at("language").get<std::string>()).value_or(Language::torch);
    solution.entry = told.at("entry");
    solution.interface = told.at("interface");
    for (const json& each : told.value("tunables", json::array())) {
        solution.tunables.push_back({each.at("name"), each.at("values"), each.at("value")});
    }
    solution.restrictions = told.value("restrictions", solution.restrictions);
    for (const json& each : told.value("configurations", json::array()))
        solution.configurations.push_back({each.at("when"), each.at("values").get<Configuration>()});
    return {solution, reference};
}

/// Where the files of a project come from; empty: there is no such file.
struct CameFrom {
    fs::path problem, solution;
    std::string source;  ///< the solution's file in the project
};

/// The files of its own folder that the solution includes, or of its folder or package that it imports.
Result<SourceFiles> included_beside(const fs::path& solution, const Variant& variant, const std::string& text) {
    if (solution.empty()) return SourceFiles{};
    if (variant.language != Language::extension) return own_modules(module_place(solution), text);
    const fs::path root = include_root(solution, text);
    return included_files(variant, {{variant.source, text}}, folder_reader(root), root);
}

Diagnostics remarks_in(const json& items) {
    Diagnostics remarks;
    for (const json& each : items) remarks.push_back({each.at("file"), where_of(each), told(each, "message"), ""});
    return remarks;
}

/// Adds the files that came along with `file`.
Diagnostics add_beside(SourceFiles& texts, const Result<SourceFiles>& beside, const fs::path& file) {
    if (!beside) return {{file.string(), "", beside.error().message, ""}};
    for (const auto& [name, text] : *beside) {
        if (texts.try_emplace(name, text).first->second == text) continue;
        return {{file.string(), "", say("it imports `{}`, which is the name of a file of the project; rename it", name),
                 ""}};
    }
    return {};
}

/// `read` is what one of the programs in resources/python has found.
Validated<ImportedSet> callable_set(const Result<json>& read, const CameFrom& from,
                                    std::map<std::string, std::string> texts) {
    if (!read) return unreadable("", read.error().message);
    if (read->contains("error")) {
        const json& error = read->at("error");
        return std::unexpected(
            Diagnostics{{error.at("file"), where_of(error), told(error, "message"), told(error, "advice"),
                         parse_status(error.value("status", "")).value_or(Status::ok)}});
    }
    const fs::path& solution = from.solution;
    ImportedSet set;
    Operator& definition = set.project.definition;
    definition.name = read->at("name");
    definition.family = Family::callable;
    definition.symbols = read->at("sizes").get<std::vector<std::string>>();
    definition.file = file_in_project(from.problem, definition_file);
    set.project.cases = cases_listed(*read);
    set.project.variants = sides_of(*read, definition.file, from.source);
    set.project.performance.baseline = {{"", "reference"}};
    if (read->contains("texts")) {
        read->at("texts").get_to(texts);
        if (auto traced = texts.extract(traced_file)) {
            traced.key() = from.source;
            texts.insert(std::move(traced));
        }
    }
    set.texts = std::move(texts);
    if (const json& told = read->at("solution"); told.is_object() && told.contains("text"))
        told.at("text").get_to(set.texts[from.source]);
    const Variant& first = set.project.variants.front();
    Diagnostics problems = add_beside(set.texts, included_beside(solution, first, set.texts[first.source]), solution);
    if (problems.empty() && !from.problem.empty())
        problems =
            add_beside(set.texts, own_modules(module_place(from.problem), set.texts[definition.file]), from.problem);
    if (!problems.empty()) return std::unexpected(std::move(problems));
    set.notes = remarks_in(read->at("notes"));
    if (read->contains("edits")) set.edits = remarks_in(read->at("edits"));
    if (problems = validate(set.project); !problems.empty()) return std::unexpected(std::move(problems));
    return set;
}

}  // namespace

Validated<ImportedSet> read_callable(const fs::path& problem, const fs::path& solution, const std::string& name,
                                     const std::string& entry) {
    const Result<std::string> text = read_text_file(problem, most_source_bytes);
    if (!text) return unreadable("", text.error().message);
    const bool is_solved = !solution.empty();
    const std::string ending = solution.extension().string();
    if (is_solved && ending != ".py" && !std::ranges::contains(source_endings(Language::extension), ending))
        return std::unexpected(Diagnostics{{solution.string(), "", "a solution is a file in Python, C++ or CUDA C++",
                                            "name a file that ends in .py, .cpp, .cc, .cxx or .cu"}});
    const Result<std::string> other = is_solved ? read_text_file(solution, most_source_bytes) : std::string();
    if (!other) return unreadable("", other.error().message);
    json request = {{"problem", {{"file", problem.string()}, {"text", *text}}},
                    {"solution", nullptr},
                    {"name", name},
                    {"entry", entry}};
    if (is_solved) request["solution"] = {{"file", solution.string()}, {"text", *other}};
    std::map<std::string, std::string> texts{{file_in_project(problem, definition_file), *text}};
    const std::string source = is_solved ? solution_file(solution, *other) : "";
    if (is_solved) texts[source] = *other;
    return callable_set(run_inspection("kernelgen_import_callable.py", request), {problem, solution, source},
                        std::move(texts));
}

Validated<ImportedSet> read_definition(const std::string& file, const std::string& text, const std::string& name) {
    const json request = {
        {"problem", {{"file", file}, {"text", text}}}, {"solution", nullptr}, {"name", name}, {"entry", ""}};
    return callable_set(run_inspection("kernelgen_import_callable.py", request), {}, {{definition_file, text}});
}

Validated<ImportedSet> read_traced(const fs::path& file, const Trace& trace, const std::string& name) {
    const Result<std::string> text = read_text_file(file, most_source_bytes);
    if (!text) return unreadable("", text.error().message);
    const ModulePlace place = module_place(file);
    const Result<SourceFiles> modules = own_modules(place, *text);
    if (!modules) return unreadable(file.string(), modules.error().message);
    const Result<ScratchFolder> folder = ScratchFolder::create(fs::temp_directory_path());
    if (!folder) return unreadable("", folder.error().message);
    const json request = {{"file", file.string()},           {"text", *text},        {"name", name},
                          {"reference", trace.reference},    {"entry", trace.entry}, {"seconds", trace.limit.count()},
                          {"folder", folder->path.string()}, {"place", place.file},  {"modules", *modules},
                          {"words", refused_words()}};
    const std::chrono::seconds limit = (trace.limit + beside_each) * most_executions;
    const Result<json> answer = run_kept("kernelgen_trace.py", request, limit, trace.stop);
    if (answer) return callable_set(*answer, {{}, file, solution_file(file, *text)}, {});
    const Status ended = trace.stop.stop_requested() ? Status::cancelled : Status::crashed;
    return std::unexpected(Diagnostics{{file.string(), "", answer.error().message, "", ended}});
}

}  // namespace kernelgen
