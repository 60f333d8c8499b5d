// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace kernelgen {

/// Lines of Python that every file with a Triton kernel begins with, after `import os` and `import torch`. The first
/// import torch_npu where it is there.
inline constexpr std::string_view npu_import = R"py(try:
    import torch_npu  # an Ascend NPU: untested
except ImportError:
    torch_npu = None
)py";

/// The next choose DEVICE. They come before triton is imported. They end in a block for the CPU, which may have more
/// lines.
inline constexpr std::string_view device_choice =
    R"py(DEVICE = "cuda" if torch.cuda.is_available() else "npu" if torch_npu and torch.npu.is_available() else "cpu"
if DEVICE == "cpu":  # Triton's interpreter, which must be chosen before triton is imported
    os.environ.setdefault("TRITON_INTERPRET", "1")
)py";

}  // namespace kernelgen
