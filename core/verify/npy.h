// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <span>
#include <vector>

#include "core/tensor/dtype.h"

namespace kernelgen {

/// Writes one tensor as a NumPy file (format 1.0), part by part in order. bf16 and f8, which NumPy lacks, become f32.
class NpyWriter {
public:
    NpyWriter(const std::filesystem::path& path, DType dtype, const std::vector<std::int64_t>& extents);

    void append(std::span<const double> values);
    /// `elements` of the dtype.
    void append(const std::byte* source, std::int64_t elements);
    bool good() const { return file_.good(); }

private:
    DType dtype_, stored_;
    std::ofstream file_;
    std::vector<std::byte> bytes_;
};

}  // namespace kernelgen
