// SPDX-License-Identifier: Apache-2.0
#include "core/files/import.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/files/checklist.h"
#include "core/project/attribute_value.h"
#include "core/project/project_file.h"
#include "core/python/inspection_program.h"
#include "core/said/told.h"

namespace kernelgen {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::uint64_t source_limit_bytes = 4 << 20;
constexpr std::size_t most_files = 100;

std::unexpected<Diagnostics> refuse(std::string file, Said message, Said advice = {}) {
    return std::unexpected(Diagnostics{{std::move(file), "", std::move(message), std::move(advice)}});
}

std::string line_text(const json& item) {
    const int line = item.at("line");
    return line > 0 ? "line " + std::to_string(line) : "";
}

Validated<std::map<std::string, std::string>> read_files(const fs::path& folder) {
    std::error_code error;
    std::map<std::string, std::string> files;
    fs::directory_iterator entries(folder, error);
    if (error) return refuse(folder.string(), "cannot be read as a folder: " + error.message());
    for (const auto& entry : entries) {
        if (entry.path().extension() != ".py" || entry.is_directory(error)) continue;
        Result<std::string> text = read_file(entry.path(), source_limit_bytes);
        if (!text) return refuse("", text.error().message);
        if (files.size() == most_files) {
            return refuse(folder.string(), "there are more than " + std::to_string(most_files) + " Python files",
                          "name a folder that holds one set");
        }
        files[entry.path().filename().string()] = std::move(*text);
    }
    return files;
}

std::vector<Tensor> tensors_of(const json& items) {
    std::vector<Tensor> tensors;
    for (const json& item : items) {
        Tensor& tensor = tensors.emplace_back();
        tensor.name = item.at("name");
        tensor.shape = item.at("shape");
        if (item.contains("dtype") && item["dtype"].is_string()) {
            tensor.dtype = parse_dtype(item["dtype"].get<std::string>());
        }
    }
    return tensors;
}

Operator definition_of(const json& read) {
    Operator definition;
    definition.name = read.at("name");
    definition.family = Family::custom;
    definition.description = "imported from " + read.at("roles").at("kernel").get<std::string>();
    definition.symbols = read.at("symbols");
    definition.inputs = tensors_of(read.at("inputs"));
    definition.outputs = tensors_of(read.at("outputs"));
    for (const auto& [name, value] : read.at("attributes").items())
        definition.attributes.push_back(attribute_from_json(name, value));
    definition.reference = "torch";
    return definition;
}

std::vector<Case> cases_of(const json& read, const Operator& definition) {
    std::vector<Case> cases;
    for (const json& item : read.at("cases")) {
        Case& binding = cases.emplace_back();
        const std::string dtype = item.at("dtype");
        binding.dtype = parse_dtype(dtype).value_or(DType::f32);
        binding.sizes = item.at("sizes").get<Sizes>();
        std::vector<std::string> sizes;
        for (const std::string& symbol : definition.symbols) sizes.push_back(std::to_string(binding.sizes.at(symbol)));
        binding.name = join(sizes, "x") + " " + dtype;
    }
    return cases;
}

/// The tests' one tolerance holds for every dtype that they use and that is not exact.
Accuracy accuracy_of(const json& read, const std::vector<Case>& cases) {
    Accuracy accuracy;
    const json& stated = read.at("tolerance");
    if (stated.is_null()) return accuracy;
    const Tolerance tolerance{stated.at("rtol"), stated.at("atol")};
    for (const Case& each : cases) {
        if (is_integer(each.dtype)) continue;
        if (each.dtype == DType::f32) accuracy.f32 = tolerance;
        else accuracy.named[each.dtype] = tolerance;
    }
    return accuracy;
}

std::vector<Variant> variants_of(const json& read) {
    Variant triton{.name = "triton", .language = Language::triton};
    triton.source = read.at("roles").at("kernel");
    triton.entry = read.at("entry");
    for (const json& item : read.at("tunables")) {
        triton.tunables.push_back({item.at("name"), item.at("values"), item.at("value")});
    }
    triton.restrictions = read.at("restrictions");
    for (const char* kind : {"accuracy", "performance"}) {
        const std::string file = read.at("roles").at(kind);
        if (!file.empty()) triton.companions.push_back({kind, file, ""});
    }
    Variant torch{.name = "torch", .language = Language::torch};
    torch.source = read.at("roles").at("baseline");
    torch.entry = read.at("baseline_entry");
    Variant compiled = torch;
    compiled.name = "torch_compile";
    compiled.compile = true;
    return {triton, torch, compiled};
}

Diagnostics diagnostics_of(const json& items) {
    Diagnostics diagnostics;
    for (const json& item : items) {
        diagnostics.push_back({item.at("file"), line_text(item), told(item, "message"), ""});
    }
    return diagnostics;
}

ImportedSet set_of(const json& read) {
    ImportedSet set;
    set.project.definition = definition_of(read);
    set.project.cases = cases_of(read, set.project.definition);
    set.project.accuracy = accuracy_of(read, set.project.cases);
    set.project.variants = variants_of(read);
    set.project.performance.baseline = {{"", "torch"}};
    set.files = set_of_files(set.project);
    set.files[static_cast<std::size_t>(FileRole::definition)].clear();
    set.texts = read.at("texts").get<std::map<std::string, std::string>>();
    set.edits = diagnostics_of(read.at("edits"));
    set.notes = diagnostics_of(read.at("notes"));
    return set;
}

}  // namespace

Validated<ImportedSet> read_python_set(const fs::path& folder, const std::string& name) {
    const auto files = read_files(folder);
    if (!files) return std::unexpected(files.error());
    for (const auto& [file, text] : *files) {
        if (!is_utf8(text)) return refuse((folder / file).string(), "the file is not UTF-8 text", "save it as UTF-8");
    }
    const Result<json> read = run_inspection("kernelgen_import.py", {{"files", *files}, {"name", name}});
    if (!read) return refuse("", read.error().message);
    if (read->contains("error")) {
        const json& error = read->at("error");
        const std::string file = error.at("file");
        return std::unexpected(Diagnostics{{file.empty() ? folder.string() : (folder / file).string(), line_text(error),
                                            told(error, "message"), told(error, "advice")}});
    }
    ImportedSet set = set_of(*read);
    if (Diagnostics problems = validate(set.project); !problems.empty()) return std::unexpected(std::move(problems));
    return set;
}

Result<void> write_imported(ImportedSet& set, const fs::path& folder) {
    std::error_code error;
    if (fs::exists(folder, error) && !fs::is_empty(folder, error)) {
        return fail("the folder " + folder.string() + " is not empty; choose another with -o");
    }
    fs::create_directories(folder, error);
    if (error) return fail("cannot make the folder " + folder.string() + ": " + error.message());
    for (const auto& [file, text] : set.texts) {
        fs::create_directories((folder / file).parent_path(), error);  // where that fails, writing tells it
        if (auto done = write_file_atomic(folder / file, text); !done) return done;
    }
    set.project.folder = folder;
    return save_project(set.project);
}

}  // namespace kernelgen
