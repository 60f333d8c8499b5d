// SPDX-License-Identifier: Apache-2.0
#include "core/engine/consistency.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/engine/checklist.h"
#include "core/engine/sources.h"
#include "core/project/project_file.h"
#include "core/python/inspection.h"

namespace kernelgen {

namespace {

constexpr std::string_view artefact_words[] = {"definition", "kernel", "baseline", "accuracy", "performance"};
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

/// What a generated file lags behind: its interface, told by its launch or its signature, or else what it computes.
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
    for (const Artefact artefact : {Artefact::accuracy, Artefact::performance}) {
        const auto text = files.find(checked.files[static_cast<std::size_t>(artefact)]);
        if (text != files.end()) tests.insert(*text);
    }
    if (tests.empty()) return std::map<std::string, PythonTests>{};
    const std::string module = std::filesystem::path(wrapper.source).stem();
    return follow_python_tests(tests, module, wrapper.entry, python_parameters(project.definition));
}

bool differs_in_tunables(const GeneratedFile& file, const std::string& text, const std::string& fresh) {
    if (file.is_companion) return false;
    const Checked<std::string> set = in_configuration(*file.variant, text, configuration_of(*file.variant));
    return set && *set == fresh;
}

/// Finds what bringing in step would write, and what it would leave to its author.
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

/// Sets the literals of the Python functions among `step.variants` to their configurations; the hash of an unedited
/// file follows. A file that has no literal for a tunable stays as it is: the checklist says so.
void set_tunables(const std::map<std::string, std::string>& texts, BroughtInStep& step) {
    for (Variant& variant : step.variants) {
        const auto written = step.texts.find(variant.source);
        const auto on_disk = texts.find(variant.source);
        if (written == step.texts.end() && on_disk == texts.end()) continue;
        const std::string& text = written != step.texts.end() ? written->second : on_disk->second;
        const Checked<std::string> set = in_configuration(variant, text, configuration_of(variant));
        if (!set || *set == text) continue;
        if (variant.generated == hash_hex(text)) variant.generated = hash_hex(*set);
        step.texts[variant.source] = *set;
    }
    std::erase_if(step.texts, [&](const auto& each) {
        const auto on_disk = texts.find(each.first);
        return on_disk != texts.end() && on_disk->second == each.second;
    });
}

void list_steps(const std::vector<GeneratedSource>& outcomes, BroughtInStep& step) {
    const auto add = [&](const std::string& file, StepOutcome outcome) {
        if (!std::ranges::contains(step.steps, file, &Step::file)) step.steps.push_back({file, outcome});
    };
    for (const GeneratedSource& each : outcomes) {
        if (each.outcome == GenerateOutcome::kept && !step.texts.contains(each.file)) {
            add(each.file, StepOutcome::kept);
        } else if (each.outcome == GenerateOutcome::written && step.texts.contains(each.file)) {
            add(each.file, StepOutcome::written);
        }
    }
    for (const auto& [file, text] : step.texts) add(file, StepOutcome::tunables);
}

}  // namespace

std::string_view to_string(Artefact artefact) { return artefact_words[static_cast<std::size_t>(artefact)]; }
std::string_view to_string(Aspect aspect) { return aspect_words[static_cast<std::size_t>(aspect)]; }

std::string_view to_string(ChecklistCell::State state) {
    switch (state) {
        case ChecklistCell::State::none: return "none";
        case ChecklistCell::State::agrees: return "agrees";
        case ChecklistCell::State::differs: return "differs";
    }
    return "";
}

std::string_view to_string(StepOutcome outcome) {
    switch (outcome) {
        case StepOutcome::written: return "written";
        case StepOutcome::tunables: return "tunables set";
        case StepOutcome::kept: return "kept";
    }
    return "";
}

bool Consistency::consistent() const {
    return mismatches.empty() && std::ranges::all_of(stale, [](const StaleFile& each) { return each.edited; });
}

std::map<std::string, std::string> source_texts(const Project& project) {
    std::map<std::string, std::string> texts;
    const auto add = [&](const std::string& file) {
        if (file.empty()) return;
        if (Result<std::string> text = read_file(project.folder / file)) texts[file] = std::move(*text);
    };
    for (const Variant& variant : project.variants) {
        add(variant.source);
        for (const Companion& each : variant.companions) add(each.source);
    }
    return texts;
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
    const Checked<BroughtInStep> forced = brought_in_step(project, texts, true);
    if (!forced) return fail(to_string(forced.error()));
    find_stale(project, texts, *forced, result);
    return result;
}

Checked<BroughtInStep> brought_in_step(const Project& project, const std::map<std::string, std::string>& texts,
                                       bool force) {
    BroughtInStep step{.variants = project.variants, .texts = {}, .steps = {}};
    std::vector<GeneratedSource> outcomes;
    if (project.definition.family == "tile") {
        Checked<Regenerated> fresh = regenerated(project, texts, force);
        if (!fresh) return std::unexpected(fresh.error());
        step.variants = std::move(fresh->variants);
        step.texts = std::move(fresh->texts);
        outcomes = std::move(fresh->outcomes);
    }
    set_tunables(texts, step);
    list_steps(outcomes, step);
    return step;
}

Checked<std::vector<Step>> bring_in_step(Project& project, bool force) {
    Checked<BroughtInStep> step = brought_in_step(project, source_texts(project), force);
    if (!step) return std::unexpected(step.error());
    for (const auto& [file, text] : step->texts) {
        if (const auto done = write_file_atomic(project.folder / file, text); !done)
            return std::unexpected(as_diagnostics(done.error()));
    }
    project.variants = std::move(step->variants);
    if (const auto saved = save_project(project); !saved) return std::unexpected(as_diagnostics(saved.error()));
    return std::move(step->steps);
}

}  // namespace kernelgen
