// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <span>
#include <vector>

#include "core/base/scratch_folder.h"
#include "core/verify/npy.h"
#include "core/verify/npy_reader.h"

namespace kernelgen::testing {

/// Tensors in files of a folder that is removed again.
class TensorFileTest : public ::testing::Test {
protected:
    std::filesystem::path file(const std::string& name, const std::vector<std::int64_t>& shape,
                               const std::vector<double>& values, DType dtype = DType::f64) {
        const std::filesystem::path path = folder.path / name;
        NpyWriter writer(path, dtype, shape);
        writer.append(std::span(values));
        return path;
    }
    NpyReader tensor(const std::vector<std::int64_t>& shape, const std::vector<double>& values,
                     DType dtype = DType::f64) {
        return NpyReader::open(file("tensor.npy", shape, values, dtype)).value();
    }

    ScratchFolder folder = ScratchFolder::create(std::filesystem::temp_directory_path()).value();
};

}  // namespace kernelgen::testing
