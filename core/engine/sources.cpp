// SPDX-License-Identifier: Apache-2.0
#include "core/engine/sources.h"

#include <algorithm>
#include <system_error>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/generate/generate.h"
#include "core/project/project_file.h"
#include "core/python/inspection.h"

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
    for (const auto generator :
         {generate_host_variant, generate_naive_variant, generate_cuda_variant, generate_cuda_naive_variant}) {
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

/// What is written of a variant: where it has the user's values, a Python function's literals have them, too.
Checked<GeneratedVariant> in_chosen_configuration(const GeneratedVariant& fresh, const Variant& chosen) {
    GeneratedVariant wanted{with_chosen_values(fresh.variant, chosen), fresh.text};
    if (wanted.variant.tunables == fresh.variant.tunables) return wanted;
    Checked<std::string> text = in_configuration(wanted.variant, fresh.text, configuration_of(wanted.variant));
    if (!text) return std::unexpected(text.error());
    if (*text != fresh.text) wanted.variant.generated = hash_hex(*text);
    wanted.text = std::move(*text);
    return wanted;
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

Checked<Regenerated> regenerated(const Project& project, const std::map<std::string, std::string>& texts, bool force) {
    const auto generated = generate_all(project.definition);
    if (!generated) return std::unexpected(generated.error());
    Regenerated result{.variants = project.variants, .texts = {}, .outcomes = {}};
    for (Variant& variant : result.variants) {
        const auto fresh =
            std::ranges::find(*generated, variant.name, [](const auto& each) { return each.variant.name; });
        if (variant.generated.empty() || fresh == generated->end()) continue;
        const auto text = texts.find(variant.source);
        GeneratedSource& outcome = result.outcomes.emplace_back(variant.name, variant.source);
        if (text != texts.end() && !is_unedited(variant, text->second) && !force) {
            outcome.outcome = GenerateOutcome::kept;
            continue;
        }
        Checked<GeneratedVariant> wanted = in_chosen_configuration(*fresh, variant);
        if (!wanted) return std::unexpected(wanted.error());
        if (text == texts.end() || text->second != wanted->text) {
            outcome.outcome = GenerateOutcome::written;
            result.texts[variant.source] = std::move(wanted->text);
        }
        variant = std::move(wanted->variant);
    }
    return result;
}

Checked<std::vector<GeneratedSource>> regenerate_sources(Project& project, bool force) {
    std::map<std::string, std::string> texts;
    for (const Variant& variant : project.variants) {
        if (Result<std::string> text = read_file(project.folder / variant.source)) texts[variant.source] = *text;
    }
    Checked<Regenerated> fresh = regenerated(project, texts, force);
    if (!fresh) return std::unexpected(fresh.error());
    for (const auto& [file, text] : fresh->texts) {
        const auto written = write_file_atomic(project.folder / file, text);
        if (!written) return std::unexpected(as_diagnostics(written.error()));
    }
    project.variants = std::move(fresh->variants);
    if (const auto saved = save_project(project); !saved) return std::unexpected(as_diagnostics(saved.error()));
    return std::move(fresh->outcomes);
}

}  // namespace kernelgen
