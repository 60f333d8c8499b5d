// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "core/python/interpreter.h"

namespace kernelgen::testing {

/// Why variants in a language cannot run here; "" where they can.
inline std::string missing_for(Language language) {
#if defined(KERNELGEN_SANITIZED)
    return "a library with sanitizers cannot be loaded by Python";
#endif
    const Result<PythonInterpreter>& interpreter = python_interpreter();
    if (!interpreter) return interpreter.error().message;
    return interpreter->lacks(language, "cpu").value_or("");
}

#define NEEDS(language) \
    if (const std::string missing = testing::missing_for(language); !missing.empty()) GTEST_SKIP() << missing

}  // namespace kernelgen::testing
