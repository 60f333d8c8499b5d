// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/generate/triton_dispatch.h"
#include "core/project/project.h"

namespace kernelgen {

/// A variant and the text of its source.
struct GeneratedVariant {
    Variant variant;
    std::string text;
};

/// The tuned host kernel of a `tile` operator: a tile program over BLOCK_M rows and BLOCK_N columns, with the tunables
/// that matter on a CPU. The text is the same for every dtype and configuration, which are macros.
Validated<GeneratedVariant> generate_host_variant(const Operator& definition);

/// A plain loop, with one row for each program: the baseline where no library has the operator.
Validated<GeneratedVariant> generate_naive_variant(const Operator& definition);

/// The tuned CUDA kernel of a `tile` operator: tiles of rows and columns; or with reductions whole rows, which are read
/// once. As on the host, the text is the same for every dtype and configuration. Its tile begins no wider than needed
/// for the columns of `cases`.
Validated<GeneratedVariant> generate_cuda_variant(const Operator& definition, std::span<const Case> cases = {});

/// A simple CUDA kernel, the baseline where cuDNN does not have the operator: one thread for each element, or with
/// reductions one block for each row.
Validated<GeneratedVariant> generate_cuda_naive_variant(const Operator& definition);
/// Whether there is one: not of attention, of which PyTorch's own kernels are the baseline on a GPU.
bool has_cuda_naive_variant(const Operator& definition);

/// The CUDA kernel that adds with atomics: only of `attention_backward`, where two runs may then differ in their last
/// bits.
Validated<GeneratedVariant> generate_cuda_atomic_variant(const Operator& definition);
bool has_cuda_atomic_variant(const Operator& definition);

/// NAME_triton.py: a Triton kernel in tiles or whole rows, and the Python function that checks its inputs and launches
/// it. Tunables are literals in that function, with the values of `chosen` where these are allowed; `rules` are `if`
/// statements in it (a contraction without `chosen` and `rules` gets a rule for 16-bit dtypes), and `dispatch` is a
/// second function, which calls the chosen variant. Runs on a GPU, and on a CPU in Triton's interpreter.
Validated<GeneratedVariant> generate_triton_variant(const Operator& definition, const Configuration& chosen = {},
                                                    const std::vector<ConfigurationRule>& rules = {},
                                                    const std::vector<StatedRule>& dispatch = {});

/// NAME_baseline.py: the same function as a user of PyTorch would write it, as the variant `torch`. In the dtypes
/// `eager` (of f16 and bf16) each operation is computed in the dtype itself; `eager_dtypes` says where that is accurate
/// enough. Other dtypes are computed in float32.
Validated<GeneratedVariant> generate_torch_variant(const Operator& definition, const std::vector<DType>& eager = {});

/// The same file, called through torch.compile, as the variant `torch_compile`.
Validated<GeneratedVariant> generate_torch_compile_variant(const Operator& definition,
                                                           const std::vector<DType>& eager = {});

/// The oneDNN primitive that computes exactly this operator, as a variant named `library`; nothing where there is none.
std::optional<Variant> library_variant(const Operator& definition);

/// The cuDNN primitive for this operator, as a variant named `cudnn` (only softmax); nothing where there is none.
std::optional<Variant> cudnn_variant(const Operator& definition);

/// A whole project from a definition: variants, baseline, cases and tolerances to start from.
Validated<Project> make_project(const Operator& definition);

/// Whether a source is unchanged since it was generated: its hash is the one in the variant.
bool is_unedited(const Variant& variant, std::string_view text);

}  // namespace kernelgen
