// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/backend/compiler_message.h"

namespace kernelgen {

/// What Triton reports of one kernel: "num_warps", "num_stages", "num_ctas", "shared_bytes", "registers",
/// "spilled_registers", each where Triton reports it. All are from 0 (warps: from 1) to 2^31 − 1.
struct TrialKernel {
    std::string name;
    std::map<std::string, std::int64_t> numbers;

    std::int64_t number(const std::string& key, std::int64_t otherwise) const {
        const auto found = numbers.find(key);
        return found == numbers.end() ? otherwise : found->second;
    }
};

/// The result of calling a Python file once on zeros.
struct TrialReport {
    std::vector<TrialKernel> kernels;
    std::map<std::string, std::string> texts;  ///< "ttir", "ttgir", "ptx"
    std::vector<CompilerMessage> messages;
};

}  // namespace kernelgen
