// SPDX-License-Identifier: Apache-2.0
#include "tests/core_generate/emulated.h"

#include <algorithm>
#include <cstring>
#include <ranges>
#include <stdexcept>

#include "core/project/launch_plan.h"
#include "tests/core_generate/guarded_arguments.h"

namespace kernelgen::tests {

namespace {

std::string source_for(const Operator& definition, const GeneratedVariant& generated, DType dtype,
                       const Configuration& configuration, bool is_hopper) {
    std::string text =
        "#define KG_PROCESSOR \"" KERNELGEN_SOURCE_DIR "/tests/core_generate/cuda_emulation/processor.h\"\n";
    text += "#define DTYPE " + storage_type(dtype) + "\n";
    if (!is_hopper) text += "#define KG_EMULATED_CLUSTERS false\n#define KG_EMULATED_WGMMA false\n";
    for (const auto& [name, value] : configuration) text += "#define " + name + " " + std::to_string(value) + "\n";
    text += generated.text;
    for (std::size_t i = 0; i < generated.variant.launches.size(); ++i) {
        std::string arguments = call_arguments(definition);
        const std::size_t tensors = definition.inputs.size() + definition.outputs.size();
        for (std::size_t buffer = 0; buffer < generated.variant.workspace.size(); ++buffer)
            arguments += "static_cast<" + storage_type(generated.variant.workspace[buffer].dtype) + "*>(pointers[" +
                         std::to_string(tensors + buffer) + "]), ";
        arguments.resize(arguments.size() - 2);
        for (std::size_t map = 0; map < generated.variant.launches[i].tensor_maps.size(); ++map)
            arguments += ", maps[" + std::to_string(map) + "]";
        text += "extern \"C\" void run_" + std::to_string(i) +
                "(void** pointers, const int64_t* symbols, const double* attributes, "
                "const int64_t* launch, const CUtensorMap* maps) {\n"
                "    (void)symbols, (void)attributes, (void)maps;\n"
                "    kg_emulated::launch(unsigned(launch[0]), unsigned(launch[1]), unsigned(launch[2]), "
                "unsigned(launch[3]), "
                "size_t(launch[4]), [&] { " +
                entry_of(generated.variant, i) + "(" + arguments + "); });\n}\n";
    }
    return text;
}

/// As cuda_emulation/bulk_copies.h has it.
struct EmulatedTensorMap {
    const void* data = nullptr;
    std::int64_t element = 0, axes = 0, extents[5] = {}, box[5] = {};
};

EmulatedTensorMap emulated(const PlannedTensorMap& map, const void* data) {
    EmulatedTensorMap made;
    if (!can_be_mapped(map)) return made;
    made.data = data;
    made.element = static_cast<std::int64_t>(size_of(map.dtype));
    made.axes = static_cast<std::int64_t>(map.extents.size());
    std::ranges::copy(map.extents | std::views::reverse, made.extents);
    std::ranges::copy(map.box | std::views::reverse, made.box);
    return made;
}

Configuration changed(const Variant& variant, const Configuration& changes) {
    Configuration configuration = configuration_of(variant);
    for (const auto& [name, value] : changes) {
        if (configuration.contains(name)) configuration[name] = value;
    }
    return configuration;
}

}  // namespace

EmulatedKernel::EmulatedKernel(const Operator& definition, const GeneratedVariant& generated, DType dtype,
                               const Configuration& changes, const EmulatedDevice& device)
    : definition_(definition),
      variant_(generated.variant),
      dtype_(dtype),
      device_(device),
      configuration_(changed(generated.variant, changes)),
      compiled_(
          std::make_unique<Compiled>(source_for(definition, generated, dtype, configuration_, device.is_hopper))) {
    variant_.configurations.clear();
}

std::vector<std::vector<double>> EmulatedKernel::run(const Sizes& sizes,
                                                     const std::vector<std::vector<double>>& inputs) const {
    GuardedArguments arguments(definition_, dtype_, sizes, inputs);
    launch(arguments, sizes, false);
    return arguments.outputs();
}

void EmulatedKernel::run_last(SparseArguments& arguments) const { launch(arguments, arguments.sizes(), true); }

void EmulatedKernel::launch(Arguments& arguments, const Sizes& sizes, bool last) const {
    const auto plan =
        plan_launches(definition_, {variant_, "", configuration_, {}, {{"multiprocessors", device_.multiprocessors}}},
                      {"", dtype_, sizes});
    if (!plan) throw std::runtime_error(plan.error().message);
    std::int64_t blocks = 1;  // of a cluster
    for (const char* const name : {"CLUSTER", "SPLIT_K"}) {
        if (const auto found = configuration_.find(name); found != configuration_.end()) blocks *= found->second;
    }
    std::vector<void*> pointers = arguments.pointers;
    std::vector<std::unique_ptr<EndGuarded>> workspace;
    for (std::size_t i = 0; i < variant_.workspace.size(); ++i) {
        const std::size_t bytes =
            static_cast<std::size_t>(plan->workspace_elements[i]) * size_of(variant_.workspace[i].dtype);
        workspace.push_back(std::make_unique<EndGuarded>(bytes));
        pointers.push_back(workspace.back()->data());
        std::memset(pointers.back(), 0x5a, bytes);
    }
    for (std::size_t i = 0; i < plan->launches.size(); ++i) {
        const PlannedLaunch& planned = plan->launches[i];
        const std::int64_t launch[] = {last ? planned.grid[0] - blocks : 0, planned.grid[0], planned.block[0], blocks,
                                       planned.shared_bytes};
        std::vector<EmulatedTensorMap> maps;
        for (const PlannedTensorMap& each : planned.tensor_maps)
            maps.push_back(emulated(each, arguments.pointers[static_cast<std::size_t>(each.index)]));
        using Run = void(void**, const std::int64_t*, const double*, const std::int64_t*, const EmulatedTensorMap*);
        compiled_->function<Run>("run_" + std::to_string(i))(pointers.data(), arguments.symbols.data(),
                                                             arguments.attributes.data(), launch, maps.data());
    }
}

}  // namespace kernelgen::tests
