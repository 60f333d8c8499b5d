// SPDX-License-Identifier: Apache-2.0
#include "core/verify/npy.h"

#include <algorithm>
#include <string>

namespace kernelgen {
namespace {

DType stored_as(DType dtype) {
    const bool lacking = dtype == DType::bf16 || dtype == DType::f8e4m3 || dtype == DType::f8e5m2;
    return lacking ? DType::f32 : dtype;
}

std::string descriptor(DType stored) {
    switch (stored) {
        case DType::f64: return "<f8";
        case DType::f16: return "<f2";
        case DType::i32: return "<i4";
        case DType::i8: return "|i1";
        default: return "<f4";
    }
}

/// The format wants the header's end at a multiple of 64.
std::string header(DType stored, const std::vector<std::int64_t>& extents) {
    std::string shape;
    for (const std::int64_t extent : extents) shape += std::to_string(extent) + ",";
    std::string text = "{'descr': '" + descriptor(stored) + "', 'fortran_order': False, 'shape': (" + shape + "), }";
    constexpr std::size_t before = 10;
    text.append(63 - (before + text.size()) % 64, ' ');
    text += '\n';
    const auto size = static_cast<unsigned>(text.size());
    return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(size & 0xff) + static_cast<char>(size >> 8) + text;
}

}  // namespace

NpyWriter::NpyWriter(const std::filesystem::path& path, DType dtype, const std::vector<std::int64_t>& extents)
    : dtype_(dtype), stored_(stored_as(dtype)), file_(path, std::ios::binary) {
    file_ << header(stored_, extents);
}

void NpyWriter::append(std::span<const double> values) {
    bytes_.resize(values.size() * size_of(stored_));
    encode(stored_, values, bytes_.data());
    file_.write(reinterpret_cast<const char*>(bytes_.data()), static_cast<std::streamsize>(bytes_.size()));
}

void NpyWriter::append(const std::byte* source, std::int64_t elements) {
    constexpr std::int64_t block = 1 << 14;
    std::vector<double> values;
    for (std::int64_t first = 0; first < elements; first += block) {
        values.resize(static_cast<std::size_t>(std::min(block, elements - first)));
        decode(dtype_, source + static_cast<std::size_t>(first) * size_of(dtype_), std::span(values));
        append(values);
    }
}

}  // namespace kernelgen
