// SPDX-License-Identifier: Apache-2.0
#include "core/files/model_file.h"

#include "core/files/import_callable.h"
#include "core/files/own_modules.h"

namespace kernelgen {

Validated<ModelFile> read_model_file(const std::filesystem::path& file) {
    const Validated<ImportedSet> set = read_callable(file);
    if (!set) return std::unexpected(set.error());
    Operator definition = set->project.definition;
    ModelFile model{{}, set->project.cases};
    model.definition.files = set->texts;
    model.definition.text = model.definition.files.extract(definition.file).mapped();
    const ModulePlace place = module_place(file);
    if (!place.is_in_package()) definition.file = place.file;  // as its messages name it
    model.definition.variant = definition_as_variant(definition);
    return model;
}

}  // namespace kernelgen
