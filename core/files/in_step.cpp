// SPDX-License-Identifier: Apache-2.0
#include "core/files/in_step.h"

#include <algorithm>
#include <utility>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/files/sources.h"
#include "core/project/project_file.h"
#include "core/python/inspection.h"

namespace kernelgen {
namespace {

/// Sets the literals of the Python functions among `step.variants` to their configurations; the hash of an unedited
/// file follows. A file that has no literal for a tunable stays as it is: the checklist says so.
void set_tunables(const std::map<std::string, std::string>& texts, BroughtInStep& step) {
    for (Variant& variant : step.variants) {
        const auto written = step.texts.find(variant.source);
        const auto on_disk = texts.find(variant.source);
        if (written == step.texts.end() && on_disk == texts.end()) continue;
        const std::string& text = written != step.texts.end() ? written->second : on_disk->second;
        const Validated<std::string> set = in_configuration(variant, text, configuration_of(variant));
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

std::string_view to_string(StepOutcome outcome) {
    switch (outcome) {
        case StepOutcome::written: return "written";
        case StepOutcome::tunables: return "tunables set";
        case StepOutcome::kept: return "kept";
    }
    return "";
}

Validated<BroughtInStep> brought_in_step(const Project& project, const std::map<std::string, std::string>& texts,
                                         bool force) {
    BroughtInStep step{.variants = project.variants, .texts = {}, .steps = {}};
    std::vector<GeneratedSource> outcomes;
    if (has_body(project.definition.family)) {
        Validated<Regenerated> fresh = regenerated(project, texts, force);
        if (!fresh) return std::unexpected(fresh.error());
        step.variants = std::move(fresh->variants);
        step.texts = std::move(fresh->texts);
        outcomes = std::move(fresh->outcomes);
    }
    set_tunables(texts, step);
    list_steps(outcomes, step);
    return step;
}

Validated<std::vector<Step>> bring_in_step(Project& project, bool force) {
    Validated<BroughtInStep> step = brought_in_step(project, source_texts(project), force);
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
