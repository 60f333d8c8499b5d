// SPDX-License-Identifier: Apache-2.0
#include "core/strategy/skeleton.h"

#include <format>
#include <system_error>

#include "core/base/file.h"
#include "core/project/project_file.h"

namespace kernelgen {

namespace {

/// Whether the project's variant is this generated one, whatever values it chose.
bool is_in(const Project& project, const GeneratedVariant& generated) {
    const Variant* variant = project.find_variant(generated.variant.name);
    if (variant == nullptr) return false;
    const Result<std::string> text = source_text(project, *variant);
    return text && *text == generated.text;
}

/// A name and a file that the project does not have.
void rename(const Project& project, Variant& variant) {
    const std::string name = variant.name, file = variant.source;
    const std::size_t dot = file.rfind('.');
    std::error_code error;
    for (int i = 1;
         project.find_variant(variant.name) || std::filesystem::exists(project.folder / variant.source, error); ++i) {
        variant.name = std::format("{}_generated{}", name, i == 1 ? "" : std::to_string(i));
        variant.source =
            std::format("{}_generated{}{}", file.substr(0, dot), i == 1 ? "" : std::to_string(i), file.substr(dot));
    }
}

}  // namespace

std::optional<GeneratedVariant> other_skeleton(const Project& project, const Implementation& present,
                                               const std::string& device) {
    if (!has_body(project.definition.family)) return std::nullopt;
    Validated<GeneratedVariant> generated = runs_on_host(device)
                                                ? generate_host_variant(project.definition)
                                                : generate_cuda_variant(project.definition, project.cases);
    if (!generated || generated->text == present.text) return std::nullopt;
    if (!is_in(project, *generated)) rename(project, generated->variant);
    else generated->variant.source = project.find_variant(generated->variant.name)->source;
    return std::move(*generated);
}

Result<void> add_generated(Project& project, const GeneratedVariant& generated) {
    if (project.find_variant(generated.variant.name) != nullptr) return {};
    Validated<Project> present = load_project(project.folder);
    if (!present) return fail(to_string(present.error()));
    if (present->find_variant(generated.variant.name) != nullptr)
        return fail(say("the project has another variant `{}` since", generated.variant.name));
    if (auto written = write_file_atomic(project.folder / generated.variant.source, generated.text); !written)
        return written;
    present->variants.push_back(generated.variant);
    if (auto saved = save_project(*present); !saved) return saved;
    project.variants.push_back(generated.variant);
    return {};
}

}  // namespace kernelgen
