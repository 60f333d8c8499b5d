// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "core/backend/backend.h"
#include "core/python/executor_library.h"

namespace kernelgen {

/// The CPU's backend: `cpp` variants, built by the system's compiler (`KERNELGEN_CXX`, else `g++`, else `c++`), and
/// oneDNN's primitives where its library is found. `program` is the kernelgen executable, which is started as the
/// executor.
std::unique_ptr<Backend> make_host_backend(std::string program);

/// The main loop of the native executor (`kernelgen executor`), a process with a mailbox and an arena. `python` is
/// called for Python variants; null where the process has no interpreter.
int native_executor_main(const kernelgen_python_callbacks* python = nullptr);

}  // namespace kernelgen
