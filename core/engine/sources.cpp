// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sources.h"

#include <algorithm>
#include <system_error>

#include "core/base/file.h"
#include "core/generate/generate.h"
#include "core/project/project_file.h"

namespace kernelgen {

std::string_view to_string(GenerateOutcome outcome) {
    switch (outcome) {
        case GenerateOutcome::unchanged: return "unchanged";
        case GenerateOutcome::written: return "written";
        case GenerateOutcome::kept: return "kept";
    }
    return "";
}

namespace {

/// Everything that the generator can write for a definition.
Checked<std::vector<GeneratedVariant>> generate_all(const Operator& definition) {
    std::vector<GeneratedVariant> all;
    for (const auto generator : {generate_host_variant, generate_naive_variant}) {
        Checked<GeneratedVariant> generated = generator(definition);
        if (!generated) return std::unexpected(generated.error());
        all.push_back(std::move(*generated));
    }
    return all;
}

Diagnostics as_diagnostics(const Error& error) { return {{"", "", error.message, ""}}; }

/// `fresh` with the values that the user had chosen.
Variant with_chosen_values(Variant fresh, const Variant& chosen) {
    for (Tunable& tunable : fresh.tunables) {
        const auto before = std::ranges::find(chosen.tunables, tunable.name, &Tunable::name);
        if (before != chosen.tunables.end() && std::ranges::contains(tunable.values, before->value)) {
            tunable.value = before->value;
        }
    }
    fresh.source = chosen.source;
    fresh.devices = chosen.devices;
    fresh.flags = chosen.flags;
    return fresh;
}

}  // namespace

Result<void> create_project(Project& project) {
    std::error_code error;
    if (std::filesystem::exists(project.folder / "project.json", error)) {
        return fail(project.folder.string() + " already holds a project; choose another folder");
    }
    std::filesystem::create_directories(project.folder, error);
    if (error) return fail("cannot make the folder " + project.folder.string() + ": " + error.message());
    const auto generated = generate_all(project.definition);
    if (!generated) return fail(to_string(generated.error()));
    for (const GeneratedVariant& each : *generated) {
        if (auto written = write_file_atomic(project.folder / each.variant.source, each.text); !written) return written;
    }
    return save_project(project);
}

Checked<std::vector<GeneratedSource>> regenerate_sources(Project& project, bool force) {
    const auto generated = generate_all(project.definition);
    if (!generated) return std::unexpected(generated.error());
    std::vector<GeneratedSource> outcomes;
    for (Variant& variant : project.variants) {
        const auto fresh =
            std::ranges::find(*generated, variant.name, [](const auto& each) { return each.variant.name; });
        if (variant.generated.empty() || fresh == generated->end()) continue;
        const std::filesystem::path file = project.folder / variant.source;
        const Result<std::string> text = read_file(file);
        GeneratedSource& outcome = outcomes.emplace_back(variant.name, variant.source);
        if (text && !is_unedited(variant, *text) && !force) {
            outcome.outcome = GenerateOutcome::kept;
            continue;
        }
        if (!text || *text != fresh->text) {
            outcome.outcome = GenerateOutcome::written;
            const auto written = write_file_atomic(file, fresh->text);
            if (!written) return std::unexpected(as_diagnostics(written.error()));
        }
        variant = with_chosen_values(fresh->variant, variant);
    }
    const auto saved = save_project(project);
    if (!saved) return std::unexpected(as_diagnostics(saved.error()));
    return outcomes;
}

}  // namespace kernelgen
