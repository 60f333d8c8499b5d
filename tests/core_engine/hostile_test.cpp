// SPDX-License-Identifier: Apache-2.0
// The kernels of `kernelgen selftest` that go wrong or cheat, and how their list is read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "core/base/file.h"
#include "core/engine/hostile.h"

namespace kernelgen {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

fs::path own(const std::string& part) { return fs::path(KERNELGEN_SOURCE_DIR) / "resources" / "selftest" / part; }

/// A copy of the faults with another list of attempts.
class HostileList : public ::testing::Test {
protected:
    void SetUp() override {
        std::string pattern = (fs::temp_directory_path() / "kernelgen-hostile-XXXXXX").string();
        ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
        folder = pattern;
        fs::copy(own("faults"), folder, fs::copy_options::recursive);
    }
    void TearDown() override { fs::remove_all(folder); }

    std::string errors_of(const std::string& attempts) {
        const std::string text = R"({"schema": "kernelgen.attempts/1", "attempts": [)" + attempts + "]}";
        EXPECT_TRUE(write_file_atomic(folder / "attempts.json", text));
        const Validated<HostileProject> loaded = load_hostile(folder);
        return loaded ? "" : to_string(loaded.error());
    }

    fs::path folder;
};

TEST(OwnHostileKernels, AreAllReadAndTheFaultsEndWithAKernelThatIsRight) {
    const Validated<HostileProject> faults = load_hostile(own("faults"));
    ASSERT_TRUE(faults) << to_string(faults.error());
    EXPECT_FALSE(faults->is_timed);
    EXPECT_GE(faults->attempts.size(), 17u);
    EXPECT_EQ(faults->attempts.back().variant, "right");
    EXPECT_THAT(faults->attempts.back().ends, ElementsAre(Status::ok));
}

TEST(OwnHostileKernels, ThatCheatAreTimedAndMayBeOkOnlyBesideAnHonestOneOfTheirLanguage) {
    const Validated<HostileProject> cheats = load_hostile(own("cheats"));
    ASSERT_TRUE(cheats) << to_string(cheats.error());
    EXPECT_TRUE(cheats->is_timed);
    EXPECT_GE(cheats->attempts.size(), 40u);
    std::vector<Language> paced;
    for (const HostileAttempt& each : cheats->attempts) {
        const Language language = cheats->project.find_variant(each.variant)->language;
        if (each.is_pace) paced.push_back(language);
        if (std::ranges::contains(each.ends, Status::ok)) {
            EXPECT_TRUE(std::ranges::contains(paced, language)) << each.variant;
        }
    }
}

TEST_F(HostileList, NamesWhatIsWrongWithIt) {
    EXPECT_THAT(errors_of(R"({"variant": "right", "ends": ["fine"]})"), HasSubstr("unknown status `fine`"));
    EXPECT_THAT(errors_of(R"({"variant": "right", "ends": []})"), HasSubstr("`ends` names no status"));
    EXPECT_THAT(errors_of(R"({"variant": "right"})"), HasSubstr("ends"));
    EXPECT_THAT(errors_of(R"({"variant": "left", "ends": ["ok"]})"), HasSubstr("the project has no variant `left`"));
    EXPECT_THAT(errors_of(R"({"variant": "right", "ends": ["ok"]})"), HasSubstr("`only_nan` is never tried"));
    EXPECT_THAT(errors_of(R"({"variant": "right", "ends": ["ok"], "cases": ["no such"]})"),
                HasSubstr("the project has no case `no such`"));
    EXPECT_THAT(errors_of(R"({"variant": "right", "ends": ["ok"], "speed": 1})"), HasSubstr("speed"));
}

TEST(HostileKernel, IsTooFastWhereItBeatsTheHonestOneOnACaseOfBoth) {
    EXPECT_FALSE(is_too_fast({{"large", 1.1}}, {{"large", 1.0}}));
    EXPECT_TRUE(is_too_fast({{"large", 1.2}}, {{"large", 1.0}}));
    EXPECT_TRUE(is_too_fast({{"large", 1.0}, {"small", 3.0}}, {{"large", 1.0}, {"small", 2.0}}));
    EXPECT_FALSE(is_too_fast({{"small", 9.0}}, {{"large", 1.0}}));
    EXPECT_FALSE(is_too_fast({}, {{"large", 1.0}}));
}

}  // namespace
}  // namespace kernelgen
