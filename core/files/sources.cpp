// SPDX-License-Identifier: Apache-2.0
#include "core/files/sources.h"

#include <algorithm>
#include <system_error>

#include "core/base/file.h"
#include "core/base/text.h"
#include "core/files/companions.h"
#include "core/generate/generate.h"
#include "core/project/by_case.h"
#include "core/project/project_file.h"
#include "core/verify/eager_dtypes.h"

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

/// Everything that the generator can write for a project's definition, with the values that its tunables have.
Validated<std::vector<GeneratedVariant>> generate_all(const Project& project) {
    const Operator& definition = project.definition;
    const Variant* triton = project.find_variant("triton");
    std::vector<GeneratedVariant> all;
    Diagnostics problems;
    const auto add = [&](Validated<GeneratedVariant> generated) {
        if (generated) all.push_back(std::move(*generated));
        else problems = generated.error();
    };
    add(generate_host_variant(definition));
    add(generate_naive_variant(definition));
    add(generate_cuda_variant(definition));
    if (has_cuda_naive_variant(definition)) add(generate_cuda_naive_variant(definition));
    if (has_cuda_atomic_variant(definition)) add(generate_cuda_atomic_variant(definition));
    const Variant none;
    const Variant& chosen = triton == nullptr ? none : *triton;
    add(generate_triton_variant(definition, configuration_of(chosen), chosen.configurations, stated_rules(project)));
    const std::vector<DType> eager = eager_dtypes(project);
    add(generate_torch_variant(definition, eager));
    add(generate_torch_compile_variant(definition, eager));
    if (!problems.empty()) return std::unexpected(problems);
    return all;
}

/// `fresh` with the values that the user had chosen.
Variant with_chosen_values(Variant fresh, const Variant& chosen) {
    for (Tunable& tunable : fresh.tunables) {
        const auto before = std::ranges::find(chosen.tunables, tunable.name, &Tunable::name);
        if (before != chosen.tunables.end() && std::ranges::contains(tunable.values, before->value)) {
            tunable.value = before->value;
        }
    }
    if (!chosen.configurations.empty()) fresh.configurations = rules_for(fresh, chosen.configurations);
    fresh.source = chosen.source;
    fresh.devices = chosen.devices;
    fresh.flags = chosen.flags;
    fresh.companions = chosen.companions;
    return fresh;
}

/// Generates the tests of a variant that were generated once; `project` has the cases, `variant` its companions.
void regenerate_companions(const Project& project, const std::map<std::string, std::string>& texts, bool force,
                           Variant& variant, Regenerated& result) {
    for (Companion& each : variant.companions) {
        if (each.generated.empty()) continue;
        const auto text = texts.find(each.source);
        GeneratedSource& outcome = result.outcomes.emplace_back(variant.name, each.source);
        if (text != texts.end() && hash_hex(text->second) != each.generated && !force) {
            outcome.outcome = GenerateOutcome::kept;
            continue;
        }
        const std::string fresh = companion_source(project, variant, each.kind);
        each.generated = hash_hex(fresh);
        if (text != texts.end() && text->second == fresh) continue;
        outcome.outcome = GenerateOutcome::written;
        result.texts[each.source] = fresh;
    }
}

void regenerate_source(const GeneratedVariant& fresh, const std::map<std::string, std::string>& texts, bool force,
                       Variant& variant, Regenerated& result) {
    const auto text = texts.find(variant.source);
    const auto before = std::ranges::find(result.outcomes, variant.source, &GeneratedSource::file);
    if (before != result.outcomes.end()) {  // of a variant that has the same file
        if (before->outcome != GenerateOutcome::kept) variant = with_chosen_values(fresh.variant, variant);
        return;
    }
    GeneratedSource& outcome = result.outcomes.emplace_back(variant.name, variant.source);
    if (text != texts.end() && !is_unedited(variant, text->second) && !force) {
        outcome.outcome = GenerateOutcome::kept;
        return;
    }
    if (text == texts.end() || text->second != fresh.text) {
        outcome.outcome = GenerateOutcome::written;
        result.texts[variant.source] = fresh.text;
    }
    variant = with_chosen_values(fresh.variant, variant);
}

}  // namespace

Result<void> create_project(Project& project) {
    std::error_code error;
    if (std::filesystem::exists(project.folder / "project.json", error)) {
        return fail(project.folder.string() + " already holds a project; choose another folder");
    }
    if (const Diagnostics problems = validate(project); !problems.empty()) return fail(to_string(problems));
    const auto generated = generate_all(project);
    if (!generated) return fail(to_string(generated.error()));
    std::map<std::string, std::string> texts;
    for (const GeneratedVariant& each : *generated) texts[each.variant.source] = each.text;
    for (Variant& variant : project.variants) {
        if (!variant.generated.empty()) variant.generated = hash_hex(texts.at(variant.source));
        if (variant.language == Language::triton) variant.companions = companions_for(project.definition);
        for (Companion& each : variant.companions) {
            const std::string text = companion_source(project, variant, each.kind);
            each.generated = hash_hex(text);
            texts[each.source] = text;
        }
    }
    for (const auto& [file, text] : texts) {
        if (std::filesystem::exists(project.folder / file, error)) {
            return fail((project.folder / file).string() + " is there already; choose another folder, or move it away");
        }
    }
    std::filesystem::create_directories(project.folder, error);
    if (error) return fail("cannot make the folder " + project.folder.string() + ": " + error.message());
    for (const auto& [file, text] : texts) {
        if (auto written = write_file_atomic(project.folder / file, text); !written) return written;
    }
    return save_project(project);
}

Validated<Regenerated> regenerated(const Project& project, const std::map<std::string, std::string>& texts,
                                   bool force) {
    const auto generated = generate_all(project);
    if (!generated) return std::unexpected(generated.error());
    Regenerated result{.variants = project.variants, .texts = {}, .outcomes = {}};
    for (Variant& variant : result.variants) {
        const auto fresh =
            std::ranges::find(*generated, variant.name, [](const auto& each) { return each.variant.name; });
        if (!variant.generated.empty() && fresh != generated->end())
            regenerate_source(*fresh, texts, force, variant, result);
        regenerate_companions(project, texts, force, variant, result);
    }
    return result;
}

Validated<std::vector<GeneratedSource>> regenerate_sources(Project& project, bool force) {
    std::map<std::string, std::string> texts;
    for (const Variant& variant : project.variants) {
        if (Result<std::string> text = read_file(project.folder / variant.source)) texts[variant.source] = *text;
        for (const Companion& each : variant.companions) {
            if (Result<std::string> text = read_file(project.folder / each.source)) texts[each.source] = *text;
        }
    }
    Validated<Regenerated> fresh = regenerated(project, texts, force);
    if (!fresh) return std::unexpected(fresh.error());
    for (const auto& [file, text] : fresh->texts) {
        const auto written = write_file_atomic(project.folder / file, text);
        if (!written) return std::unexpected(as_diagnostics(written.error()));
    }
    project.variants = std::move(fresh->variants);
    if (const auto saved = save_project(project); !saved) return std::unexpected(as_diagnostics(saved.error()));
    return std::move(fresh->outcomes);
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

}  // namespace kernelgen
