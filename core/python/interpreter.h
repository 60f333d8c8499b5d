// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/backend/backend.h"
#include "core/base/result.h"

namespace kernelgen {

/// KERNELGEN_PYTHON, default "python3".
std::string python_program();

/// The Python interpreter of `triton` and `torch` variants with its packages; the version of a missing package is "".
struct PythonInterpreter {
    std::string program;  ///< as `python_program`
    std::string python;   ///< "3.12.3"
    std::string torch;    ///< "2.11.0+cu130"
    std::string triton;
    std::string numpy;       ///< PyTorch and Triton need it to use memory of others
    std::string cuda;        ///< PyTorch's CUDA version: "13.0"
    bool torch_npu = false;  ///< for Ascend NPUs; untested

    /// Why a language cannot run on a kind of device ("cpu", "cuda"), with how to get what is missing; nothing where it
    /// can.
    std::optional<Said> lacks(Language language, const std::string& kind) const;
    /// "Python 3.12.3, PyTorch 2.11.0+cu130, Triton 3.6.0".
    std::string text() const;
};

/// Adds the Python languages to those of a device, or notes that say what is missing for them.
void add_python_languages(DeviceInfo& device);

/// Finds out about the interpreter once for each process, at the first call, without importing a package. Errors, with
/// what to do: there is no such program, or it does not answer within seconds. Thread safe.
const Result<PythonInterpreter>& python_interpreter();

}  // namespace kernelgen
