// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/tensor/dtype.h"

namespace kernelgen {

/// What a NumPy file says of its elements. Those of a Fortran-ordered array lie as those of the array with the reversed
/// shape, which is what `shape` then has.
struct NpyHeader {
    DType dtype = DType::f32;
    std::vector<std::int64_t> shape;
    bool is_reversed = false;   ///< `shape` is reversed
    std::uint64_t data_at = 0;  ///< bytes from the file's begin

    std::int64_t elements() const;
};

/// The header at the begin of `bytes`, in format 1.0, 2.0 or 3.0. Elements are little-endian float16, float32 and
/// float64, and bfloat16 as ml_dtypes stores it ("V2"); uint16 is bfloat16 where `uint16_is_bf16`. Errors, which name
/// `file`: no NumPy file, a damaged header, other elements.
Result<NpyHeader> parse_npy_header(std::string_view bytes, std::string_view file, bool uint16_is_bf16);

/// A NumPy file, whose elements are read part by part: it may be larger than the memory.
class NpyReader {
public:
    /// Errors: as `parse_npy_header`; a file that cannot be opened; one that does not end where its elements do.
    static Result<NpyReader> open(const std::filesystem::path& path, bool uint16_is_bf16 = false);

    NpyReader(NpyReader&& other) noexcept;
    NpyReader& operator=(NpyReader&& other) noexcept;
    ~NpyReader();

    const NpyHeader& header() const { return header_; }
    /// Reads the elements from `first` on, in the file's order. Any thread may. Errors: the file cannot be read.
    Result<void> read(std::int64_t first, std::span<double> values) const;

private:
    NpyReader(std::string name, int descriptor) : name_(std::move(name)), descriptor_(descriptor) {}

    std::string name_;
    int descriptor_ = -1;
    NpyHeader header_;
};

}  // namespace kernelgen
