// SPDX-License-Identifier: Apache-2.0
// Files that are no project at all: refused with a reason, quickly, whatever their size.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "tests/core_project/example.h"

namespace kernelgen {
namespace {

TEST(HostileText, Empty) { EXPECT_EQ(errors_of(std::string()), "is empty\n"); }

TEST(HostileText, Truncated) {
    const std::string text = example_json().dump(2);
    for (std::size_t length = 1; length < text.size(); length += 37) {
        EXPECT_NE(errors_of(text.substr(0, length)).find("is not valid JSON"), std::string::npos) << length;
    }
}

TEST(HostileText, Binary) {
    std::string bytes;
    for (int i = 0; i < 4096; ++i) bytes += static_cast<char>(i * 37);
    EXPECT_NE(errors_of(bytes).find("is not valid JSON"), std::string::npos);
}

TEST(HostileText, DeeplyNested) {
    EXPECT_EQ(errors_of(std::string(1'000'000, '[')), "is nested deeper than 64 levels\n");
    std::string text = example_json().dump();
    text.insert(text.find("\"out = x + bias\""), std::string(100'000, '['));
    EXPECT_NE(errors_of(text).find("is nested deeper than 64 levels"), std::string::npos);
}

TEST(HostileText, KeysGivenTwice) {
    std::string text = example_json().dump();
    text.insert(1, "\"cases\": [],");
    EXPECT_EQ(errors_of(text), "cases: the key `cases` is given twice; remove one of them\n");
}

TEST(HostileText, OtherDocuments) {
    EXPECT_EQ(errors_of(std::string("[]")), "expected an object, found an array\n");
    EXPECT_EQ(errors_of(std::string("null")), "expected an object, found null\n");
    EXPECT_EQ(errors_of(std::string("{}")),
              "the key `schema` is missing; a project begins with \"schema\": \"kernelgen.project/1\"\n");
}

// Without limits each of these would take minutes: every error is compared with every name.

TEST(HostileText, OfManyUnknownKeysIsRefused) {
    std::string text = example_json().dump();
    std::string keys;
    for (int i = 0; i < 200'000; ++i) keys += "\"key" + std::to_string(i) + "\":0,";
    EXPECT_EQ(errors_of(text.insert(1, keys)), "has 200006 elements; at most 10000 are read\n");
}

TEST(HostileText, OfManySymbolsIsRefused) {
    nlohmann::json symbols = nlohmann::json::array();
    for (int i = 0; i < 200'000; ++i) symbols.push_back("S" + std::to_string(i));
    EXPECT_EQ(errors_of(example_with("/operator/symbols", symbols)),
              "operator.symbols: has 200000 elements; at most 10000 are read\n");
}

TEST(HostileText, OfManyCasesIsRefused) {
    nlohmann::json cases = nlohmann::json::array();
    for (int i = 0; i < 50'000; ++i)
        cases.push_back({{"name", std::to_string(i)}, {"dtype", "f32"}, {"P", 1}, {"D", 1}});
    EXPECT_EQ(errors_of(example_with("/cases", cases)), "cases: has 50000 elements; at most 10000 are read\n");
}

class HostileFile : public testing::Test {
protected:
    HostileFile() {
        char name[] = "/tmp/kernelgen-project-XXXXXX";
        folder_ = ::mkdtemp(name);
    }
    ~HostileFile() override { std::filesystem::remove_all(folder_); }

    std::string errors() const {
        const auto project = load_project(folder_);
        return project ? "" : to_string(project.error());
    }

    std::filesystem::path folder_;
};

TEST_F(HostileFile, OfFiftyMegabytesIsRefusedByItsSize) {
    std::ofstream(folder_ / "project.json") << "{";
    std::filesystem::resize_file(folder_ / "project.json", 50'000'000);
    EXPECT_EQ(errors(),
              (folder_ / "project.json").string() + " is larger than 16384 KiB, the most that is read here\n");
}

TEST_F(HostileFile, ThatIsMissingIsNamed) {
    EXPECT_EQ(errors(), folder_.string() + " holds no project.json; `kernelgen new` makes a project\n");
}

TEST_F(HostileFile, ThatIsAFolderIsNamed) {
    std::filesystem::create_directory(folder_ / "project.json");
    EXPECT_EQ(errors(), (folder_ / "project.json").string() + " is a folder, and should be a file\n");
}

TEST_F(HostileFile, ThatIsALinkToItselfIsNamed) {
    std::filesystem::create_symlink("project.json", folder_ / "project.json");
    EXPECT_NE(errors().find("cannot read " + (folder_ / "project.json").string()), std::string::npos);
}

}  // namespace
}  // namespace kernelgen
