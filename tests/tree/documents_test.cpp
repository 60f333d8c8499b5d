// SPDX-License-Identifier: Apache-2.0
// The pages tell the versions of the protocols that the programs speak, and the keys that are in records.
#include <gmock/gmock.h>

#include <filesystem>
#include <format>
#include <nlohmann/json.hpp>
#include <string>

#include "core/backend/executor_protocol.h"
#include "core/base/file.h"
#include "core/worker/messages.h"
#include "tests/tree/root.h"

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

/// Each key stands in the text in backquotes.
void expect_keys(const nlohmann::json& object, const std::string& text) {
    ASSERT_TRUE(object.is_object());
    for (const auto& [key, value] : object.items()) EXPECT_THAT(text, HasSubstr('`' + key + '`'));
}

TEST(Documents, TellTheKeysOfARoundsResult) {
    const std::filesystem::path source = KERNELGEN_SOURCE_DIR;
    const auto result = nlohmann::json::parse(*read_file(source / "projects/softmax/rounds/1/result.json"));
    const std::string text = page("PROJECT_FORMAT.md");
    expect_keys(result, text);
    for (const char* part : {"environment", "ceilings", "verification"}) expect_keys(result.at(part), text);
    expect_keys(result.at("ceilings").at("all_threads").at(0), text);
    expect_keys(result.at("verification").at("cases").at(0), text);
}

/// Whoever adds a kind of device looks at all of them.
TEST(Documents, NameThePlacesThatAskWhichKindADeviceIs) {
    namespace fs = std::filesystem;
    const std::string text = read_file(testing::root / "CONTRIBUTING.md").value();
    int places = 0;
    for (const char* layer : {"core", "gpu", "app"}) {
        for (const auto& entry : fs::recursive_directory_iterator(testing::root / layer)) {
            const std::string name = entry.path().filename();
            if (entry.path().extension() != ".cpp" || name == "project.cpp") continue;
            const std::string source = read_file(entry.path()).value();
            if (!source.contains("runs_on_host(") && !source.contains("kind_of_device(")) continue;
            EXPECT_THAT(text, HasSubstr(name + '`')) << entry.path();
            ++places;
        }
    }
    EXPECT_GT(places, 5);
}

}  // namespace
}  // namespace kernelgen
