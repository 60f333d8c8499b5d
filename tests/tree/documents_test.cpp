// SPDX-License-Identifier: Apache-2.0
// The protocols' pages tell the versions that the programs speak.
#include <gmock/gmock.h>

#include <filesystem>
#include <format>
#include <string>

#include "core/backend/executor_protocol.h"
#include "core/base/file.h"
#include "core/worker/messages.h"

namespace kernelgen {
namespace {

using ::testing::HasSubstr;

std::string page(const std::string& name) {
    return read_file(std::filesystem::path(KERNELGEN_SOURCE_DIR) / "docs" / name).value();
}

void expect_version(const std::string& name, int version) {
    EXPECT_THAT(page(name), HasSubstr(std::format("protocol, version {}\n", version)));
    EXPECT_THAT(page(name), HasSubstr(std::format(R"({{"event": "hello", "protocol": {},)", version)));
}

TEST(Documents, TellTheVersionOfTheExecutorsProtocol) {
    expect_version("EXECUTOR_PROTOCOL.md", executor_protocol_version);
}

TEST(Documents, TellTheVersionOfTheWorkersProtocol) { expect_version("WORKER_PROTOCOL.md", worker_protocol_version); }

}  // namespace
}  // namespace kernelgen
