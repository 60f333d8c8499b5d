// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>

namespace kernelgen {

/// A test in an empty folder of its own.
class InFolder : public ::testing::Test {
protected:
    InFolder() {
        char name[] = "/tmp/kernelgen-round-XXXXXX";
        folder = ::mkdtemp(name);
    }
    ~InFolder() override { std::filesystem::remove_all(folder); }

    std::filesystem::path folder;
};

}  // namespace kernelgen
