// SPDX-License-Identifier: Apache-2.0
#include "core/files/model_file.h"

#include "core/files/import_callable.h"

namespace kernelgen {

Validated<ModelFile> read_model_file(const std::filesystem::path& file) {
    const Validated<ImportedSet> set = read_callable(file);
    if (!set) return std::unexpected(set.error());
    Operator definition = set->project.definition;
    ModelFile model{{}, set->project.cases};
    model.definition.text = set->texts.at(definition.file);
    definition.file = file.filename().string();
    model.definition.variant = definition_as_variant(definition);
    return model;
}

}  // namespace kernelgen
