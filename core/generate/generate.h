// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/project/project.h"

namespace kernelgen {

/// A variant and the text of its source.
struct GeneratedVariant {
    Variant variant;
    std::string text;
};

/// The tuned host kernel of a `tile` operator: a tile program over BLOCK_M rows and BLOCK_N columns, with the tunables
/// that pay on a CPU. The text is the same for every dtype and configuration: both reach it as macros.
Checked<GeneratedVariant> generate_host_variant(const Operator& definition);

/// A plain loop, one row a program: where rounds start when no library has the operator.
Checked<GeneratedVariant> generate_naive_variant(const Operator& definition);

/// The tuned CUDA kernel of a `tile` operator: tiles of rows and columns, or whole rows where something is reduced,
/// which are read once. As on the host, one text for every dtype and configuration.
Checked<GeneratedVariant> generate_cuda_variant(const Operator& definition);

/// A thread an element, or a block a row where something is reduced: where rounds on a GPU start.
Checked<GeneratedVariant> generate_cuda_naive_variant(const Operator& definition);

/// NAME_triton.py: a Triton kernel in tiles or whole rows, and the Python function that checks its inputs and launches
/// it. Tunables are literals in that function. Runs on a GPU, and on a CPU by Triton's interpreter.
/// Literals have the values of `chosen`, where they are allowed.
Checked<GeneratedVariant> generate_triton_variant(const Operator& definition, const Configuration& chosen = {});

/// NAME_baseline.py: the same function as a user of PyTorch writes it, as the variant `torch`. In the dtypes `eager` of
/// f16 and bf16 it computes operation by operation in the dtype itself (`eager_dtypes` says where that is accurate
/// enough), in others in float32.
Checked<GeneratedVariant> generate_torch_variant(const Operator& definition, const std::vector<DType>& eager = {});

/// The same file through torch.compile, as the variant `torch_compile`.
Checked<GeneratedVariant> generate_torch_compile_variant(const Operator& definition,
                                                         const std::vector<DType>& eager = {});

/// The oneDNN primitive that computes this operator exactly, as a variant named `library`; nothing where there is none.
std::optional<Variant> library_variant(const Operator& definition);

/// The same of cuDNN, as a variant named `cudnn`: softmax.
std::optional<Variant> cudnn_variant(const Operator& definition);

/// A whole project from a definition: variants, baseline, cases and tolerances that a user would start from.
Checked<Project> make_project(const Operator& definition);

/// Whether a source is as it was generated (its hash is that in the variant).
bool is_unedited(const Variant& variant, std::string_view text);

}  // namespace kernelgen
