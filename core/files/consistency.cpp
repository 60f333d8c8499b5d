// SPDX-License-Identifier: Apache-2.0
#include "core/files/consistency.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/base/text.h"
#include "core/files/checklist.h"
#include "core/files/in_step.h"
#include "core/python/inspection.h"

namespace kernelgen {

namespace {

constexpr std::string_view role_words[] = {"definition", "kernel", "baseline", "accuracy", "performance"};
constexpr std::string_view aspect_words[] = {
    "function name", "parameter count", "parameter names", "parameter order", "parameter types",
    "return type",   "input checks",    "kernel launch",   "tunables",        "tolerances",
    "cases"};

/// A file that the project generated: a variant's source, or a companion of one.
struct GeneratedFile {
    std::string file, hash;
    const Variant* variant = nullptr;
    bool is_companion = false;
};

std::vector<GeneratedFile> generated_files(const std::vector<Variant>& variants) {
    std::vector<GeneratedFile> files;
    const auto add = [&](GeneratedFile each) {
        if (!each.hash.empty() && !std::ranges::contains(files, each.file, &GeneratedFile::file)) {
            files.push_back(std::move(each));
        }
    };
    for (const Variant& variant : variants) {
        add({variant.source, variant.generated, &variant});
        for (const Companion& each : variant.companions) add({each.source, each.generated, &variant, true});
    }
    return files;
}

std::vector<std::vector<std::string>> arguments_of(const Variant& variant) {
    std::vector<std::vector<std::string>> arguments;
    for (const Launch& launch : variant.launches) arguments.push_back(launch.args);
    return arguments;
}

/// Tells in what a generated file is older than the definition: in its interface, by its launch or its signature, or
/// else in what it computes.
ChangeKind lag_of(const GeneratedFile& file, const Variant* fresh, const Consistency& checked) {
    if (file.is_companion) return ChangeKind::implementation;
    if (fresh != nullptr && arguments_of(*file.variant) != arguments_of(*fresh)) return ChangeKind::interface;
    const auto place = std::ranges::find(checked.files, file.file);
    if (place == checked.files.end() || checked.rows.empty()) return ChangeKind::logic;
    for (const Aspect aspect : {Aspect::parameter_count, Aspect::parameter_names, Aspect::parameter_order,
                                Aspect::parameter_types, Aspect::return_type}) {
        const ChecklistRow& row = checked.rows[static_cast<std::size_t>(aspect)];
        if (row.cells[static_cast<std::size_t>(place - checked.files.begin())].state == ChecklistCell::State::differs) {
            return ChangeKind::interface;
        }
    }
    return ChangeKind::logic;
}

Result<std::map<std::string, PythonTests>> followed_tests(const Project& project, const Variant& wrapper,
                                                          const std::map<std::string, std::string>& files,
                                                          const Consistency& checked) {
    std::map<std::string, std::string> tests;
    for (const FileRole role : {FileRole::accuracy, FileRole::performance}) {
        const auto text = files.find(checked.files[static_cast<std::size_t>(role)]);
        if (text != files.end()) tests.insert(*text);
    }
    if (tests.empty()) return std::map<std::string, PythonTests>{};
    const std::string module = std::filesystem::path(wrapper.source).stem();
    return follow_python_tests(tests, module, wrapper.entry, python_parameters(project.definition));
}

bool differs_in_tunables(const GeneratedFile& file, const std::string& text, const std::string& fresh) {
    if (file.is_companion) return false;
    const Validated<std::string> set = in_configuration(*file.variant, text, configuration_of(*file.variant));
    return set && *set == fresh;
}

/// Finds the files that bringing in step would write, and those that it would leave to their authors.
void find_stale(const Project& project, const std::map<std::string, std::string>& texts, const BroughtInStep& forced,
                Consistency& result) {
    for (const GeneratedFile& file : generated_files(project.variants)) {
        const auto fresh = forced.texts.find(file.file);
        if (fresh == forced.texts.end()) continue;
        const auto text = texts.find(file.file);
        const auto variant = std::ranges::find(forced.variants, file.variant->name, &Variant::name);
        StaleFile& stale = result.stale.emplace_back(file.file);
        if (text != texts.end() && differs_in_tunables(file, text->second, fresh->second)) {
            stale.change = ChangeKind::tunables;
        } else if (text != texts.end() && hash_hex(text->second) != file.hash) {
            stale.change = ChangeKind::implementation;
            stale.edited = true;
        } else {
            stale.change = lag_of(file, variant == forced.variants.end() ? nullptr : &*variant, result);
        }
    }
    for (const StaleFile& each : result.stale) result.change = std::max(result.change, each.change);
}

}  // namespace

std::string_view to_string(FileRole role) { return role_words[static_cast<std::size_t>(role)]; }
std::string_view to_string(Aspect aspect) { return aspect_words[static_cast<std::size_t>(aspect)]; }

std::string_view to_string(ChecklistCell::State state) {
    switch (state) {
        case ChecklistCell::State::none: return "none";
        case ChecklistCell::State::agrees: return "agrees";
        case ChecklistCell::State::differs: return "differs";
    }
    return "";
}

bool Consistency::consistent() const {
    return mismatches.empty() && std::ranges::all_of(stale, [](const StaleFile& each) { return each.edited; });
}

Result<Consistency> check_consistency(const Project& project, const std::map<std::string, std::string>& texts) {
    Consistency result;
    if (const Variant* wrapper = wrapper_variant(project)) {
        result.variant = wrapper->name;
        result.files = set_of_files(project);
        std::map<std::string, std::string> files;
        for (const std::string& file : result.files) {
            if (const auto text = texts.find(file); text != texts.end()) files.insert(*text);
        }
        const auto parsed = inspect_python(files, {{wrapper->source, wrapper->entry}});
        if (!parsed) return std::unexpected(parsed.error());
        const auto tests = followed_tests(project, *wrapper, files, result);
        if (!tests) return std::unexpected(tests.error());
        fill_checklist(project, *parsed, *tests, result);
    }
    const Validated<BroughtInStep> forced = brought_in_step(project, texts, true);
    if (!forced) return fail(to_string(forced.error()));
    find_stale(project, texts, *forced, result);
    return result;
}

}  // namespace kernelgen
