// SPDX-License-Identifier: Apache-2.0
// All variants of a device side by side.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/cli/program.h"

namespace kernelgen {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using testing::ProgramTest;
using testing::Ran;

class Compare : public ProgramTest {
protected:
    /// Compares only host kernels, which run wherever the tests do.
    void SetUp() override {
        ProgramTest::SetUp();
        project = small_project();
        change(project, [](nlohmann::ordered_json& document) {
            std::erase_if(document["variants"].get_ref<nlohmann::ordered_json::array_t&>(),
                          [](const auto& variant) { return variant["language"] != "cpp"; });
            document["performance"]["baseline"] = "naive";
        });
        ASSERT_NE(variant(json::parse(read_file(project / "project.json").value())["variants"], "naive", "name"),
                  nullptr);
    }

    static const json* variant(const json& list, const std::string& name, const char* key = "variant") {
        const auto found = std::find_if(list.begin(), list.end(), [&](const json& each) { return each[key] == name; });
        return found == list.end() ? nullptr : &*found;
    }

    std::filesystem::path project;
};

TEST_F(Compare, TimesEveryVariantAgainstOneBaselineAndTheBaselineAgainstItself) {
    const Ran ran = kernelgen({"compare", "small", "--json"});
    ASSERT_EQ(ran.exit.status, 0) << ran.errors;
    const json document = ran.json();
    EXPECT_EQ(document["baseline"], "naive");
    for (const char* name : {"host", "naive"}) {
        const json* compared = variant(document["variants"], name);
        ASSERT_NE(compared, nullptr) << name;
        EXPECT_EQ((*compared)["status"], "ok") << (*compared)["reason"];
        EXPECT_GT((*compared)["cases"][0]["seconds"], 0);
    }
    const json control = (*variant(document["variants"], "naive"))["cases"][0];
    EXPECT_GT(control["speedup"], 0.5);
    EXPECT_LT(control["speedup"], 2);
    EXPECT_EQ(json::parse(read_file(project / "comparisons" / "cpu.json").value()), document);
}

TEST_F(Compare, TimesALibraryThatIsRightOnTheCases) {
    change(project, [](nlohmann::ordered_json& document) {
        document["variants"].push_back(
            {{"name", "library"}, {"language", "library"}, {"library", "onednn"}, {"primitive", "binary_add"}});
    });
    const json document = kernelgen({"compare", "small", "--json"}).json();
    const json library = *variant(document["variants"], "library");
    if (library["status"] == "unavailable") GTEST_SKIP() << library["reason"];
    EXPECT_EQ(library["status"], "ok") << library["reason"];
    EXPECT_GT(library["cases"][0]["seconds"], 0);
}

TEST_F(Compare, KeepsAWrongVariantInTheTableWithItsStatusAndWithoutATime) {
    const std::string source = json::parse(read_file(project / "project.json").value())["variants"][0]["source"];
    const std::string text = read_file(project / source).value();
    ASSERT_TRUE(write_file_atomic(project / source, text + "\n#error broken on purpose\n"));
    const Ran ran = kernelgen({"compare", "small", "--json"});
    EXPECT_EQ(ran.exit.status, 2);
    const json variants = ran.json()["variants"];
    const json* host = variant(variants, "host");
    ASSERT_NE(host, nullptr);
    EXPECT_EQ((*host)["status"], "build_failed");
    EXPECT_FALSE((*host)["cases"][0].contains("seconds"));
    EXPECT_EQ((*variant(variants, "naive"))["status"], "ok");
    EXPECT_THAT(kernelgen({"compare", "small"}).output, HasSubstr("broken on purpose"));
}

TEST_F(Compare, TakesTheVariantsThatAreNamedAndSaysWhichThereAre) {
    const Ran one = kernelgen({"compare", "small", "--variant", "host", "--set", "BLOCK_M=16", "--json"});
    ASSERT_EQ(one.exit.status, 0) << one.errors;
    ASSERT_EQ(one.json()["variants"].size(), 1u);
    EXPECT_EQ(one.json()["variants"][0]["configuration"]["BLOCK_M"], 16);
    const Ran unknown = kernelgen({"compare", "small", "--variant", "hsot"});
    EXPECT_EQ(unknown.exit.status, 1);
    EXPECT_THAT(unknown.errors, HasSubstr("did you mean `host`"));
    EXPECT_EQ(kernelgen({"compare", "small", "--set", "BLOCK_X=16"}).exit.status, 1);
    EXPECT_THAT(kernelgen({"compare", "small", "--device", "cuda:0"}).errors, HasSubstr("no variant of this project"));
}

}  // namespace
}  // namespace kernelgen
