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

/// The Python that runs `triton` and `torch` variants, and what it has; a package that it lacks is "".
struct PythonInterpreter {
    std::string program;  ///< as `python_program`
    std::string python;   ///< "3.12.3"
    std::string torch;    ///< "2.11.0+cu130"
    std::string triton;
    std::string numpy;       ///< through which PyTorch and Triton see memory that is not theirs
    std::string cuda;        ///< of PyTorch: "13.0"
    bool torch_npu = false;  ///< for Ascend NPUs; untested

    /// Why a language cannot run on a kind of device ("cpu", "cuda"), with how to get what is missing; or nothing.
    std::optional<std::string> lacks(Language language, const std::string& kind) const;
    /// "Python 3.12.3, PyTorch 2.11.0+cu130, Triton 3.6.0".
    std::string text() const;
};

/// Adds the Python languages to those of a device, or notes that say what they lack.
void add_python_languages(DeviceInfo& device);

/// Asked once for each process, when it is first wanted: no package is imported for it. Errors: no such program, or
/// none that answers within seconds, with what to do. Thread safe.
const Result<PythonInterpreter>& python_interpreter();

}  // namespace kernelgen
