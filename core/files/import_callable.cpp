// SPDX-License-Identifier: Apache-2.0
#include "core/files/import_callable.h"

#include <nlohmann/json.hpp>

#include "core/base/text_file.h"
#include "core/project/project_file.h"
#include "core/project/source_files.h"
#include "core/python/inspection_program.h"

namespace kernelgen {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::uint64_t most_source_bytes = 4 << 20;
constexpr const char* definition_file = "definition.py";

/// "solution.cu" of "kernels/relu.cu".
std::string solution_file(const fs::path& solution) { return "solution" + solution.extension().string(); }

std::unexpected<Diagnostics> unreadable(std::string file, std::string message) {
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
    return {solution, reference};
}

/// What the solution includes from the folder that it lies in.
Result<SourceFiles> included_beside(const fs::path& solution, const Variant& variant, const std::string& text) {
    if (variant.language != Language::extension) return SourceFiles{};
    const fs::path folder = fs::absolute(solution).parent_path();
    return included_files(variant, {{variant.source, text}}, folder_reader(folder), folder);
}

ImportedSet callable_set(const json& read, const std::string& problem, const fs::path& file,
                         const std::string& solution) {
    ImportedSet set;
    Operator& definition = set.project.definition;
    definition.name = read.at("name");
    definition.family = Family::callable;
    definition.symbols = read.at("sizes").get<std::vector<std::string>>();
    definition.file = definition_file;
    set.project.cases = cases_listed(read);
    set.project.variants = sides_of(read, file);
    set.project.performance.baseline = {{"", "reference"}};
    set.texts[definition_file] = problem;
    if (!read.at("solution").is_null()) set.texts[solution_file(file)] = solution;
    for (const json& each : read.at("notes"))
        set.notes.push_back({each.at("file"), where_of(each), each.at("message"), ""});
    return set;
}

}  // namespace

Checked<ImportedSet> read_callable(const fs::path& problem, const fs::path& solution, const std::string& name,
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
    const Result<json> read = run_inspection("kernelgen_import_callable.py", request);
    if (!read) return unreadable("", read.error().message);
    if (read->contains("error")) {
        const json& error = read->at("error");
        return std::unexpected(
            Diagnostics{{error.at("file"), where_of(error), error.at("message"), error.at("advice")}});
    }
    ImportedSet set = callable_set(*read, *text, solution, *other);
    Result<SourceFiles> beside = included_beside(solution, set.project.variants.front(), *other);
    if (!beside) return unreadable(solution.string(), beside.error().message);
    set.texts.merge(*beside);
    if (Diagnostics problems = validate(set.project); !problems.empty()) return std::unexpected(std::move(problems));
    return set;
}

}  // namespace kernelgen
