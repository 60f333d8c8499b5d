// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/disassemble.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace kernelgen {
namespace {

namespace fs = std::filesystem;

/// Stand-ins for the disassemblers, before all others on PATH.
class Disassemblers : public ::testing::Test {
protected:
    void SetUp() override {
        std::string pattern = (fs::temp_directory_path() / "kernelgen-sass-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        folder_ = pattern;
        path_ = std::getenv("PATH");
        ::setenv("PATH", (folder_.string() + ":" + path_).c_str(), 1);
    }
    void TearDown() override {
        ::setenv("PATH", path_.c_str(), 1);
        fs::remove_all(folder_);
    }
    void make(const std::string& name, const std::string& script) const {
        std::ofstream(folder_ / name) << "#!/bin/sh\n" << script << "\n";
        fs::permissions(folder_ / name, fs::perms::owner_all);
    }

    fs::path folder_;
    std::string path_;
};

TEST_F(Disassemblers, StandInForOneThatFails) {
    make("nvdisasm", "echo 'cannot read it'; exit 3");
    make("cuobjdump", "echo '/*0000*/ EXIT ;'");
    const Result<std::string> sass = disassemble("k.cubin");
    ASSERT_TRUE(sass) << sass.error().message;
    EXPECT_NE(sass->find("EXIT"), std::string::npos);
}

TEST_F(Disassemblers, TellWhyTheyFailed) {
    make("nvdisasm", "exit 3");
    make("cuobjdump", "echo 'cannot read it'; exit 3");
    const Result<std::string> sass = disassemble("/nonexistent/k.cubin");
    ASSERT_FALSE(sass);
    EXPECT_TRUE(sass.error().message.text().starts_with("no SASS: `")) << sass.error().message;
}

}  // namespace
}  // namespace kernelgen
