// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace kernelgen {

/// A call of an operator's function in a test file, as far as its shapes are known.
struct PythonTestCall {
    int line = 0;
    std::map<std::string, std::vector<std::int64_t>> shapes;  ///< shapes of its tensors, by parameter
    std::map<std::string, std::string> dtypes;                ///< "f32"; also "i64" and the like
};

/// The cases of a test file: the list in a generated file, or else the calls that the file makes.
struct PythonTests {
    struct Listed {
        int line = 0;
        std::string dtype;
        std::map<std::string, std::int64_t> sizes;  ///< sizes of symbols
    };
    std::vector<Listed> cases;
    std::vector<PythonTestCall> calls;
    struct Stated {
        int line = 0;
        std::string dtype;  ///< empty: the case has none
        double rtol = 0, atol = 0;
    };
    std::vector<Stated> tolerances;
};

/// Reads test files: the cases that they list, or else the calls of `entry` of `module`, found by following the test
/// over shapes alone. A file that does not parse is left out. Errors: no Python interpreter.
Result<std::map<std::string, PythonTests>> follow_python_tests(const std::map<std::string, std::string>& files,
                                                               const std::string& module, const std::string& entry,
                                                               const std::vector<std::string>& parameters);

}  // namespace kernelgen
