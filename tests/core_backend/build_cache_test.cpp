// SPDX-License-Identifier: Apache-2.0
#include "core/backend/build_cache.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "core/base/file.h"

namespace kernelgen {
namespace {

namespace fs = std::filesystem;

/// A cache of its own for each test, with a build of two files in it under the key "known".
class BuildCacheTest : public ::testing::Test {
protected:
    void SetUp() override {
        const std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
        folder = "test-" + name + "-" + std::to_string(::getpid());
        cache.emplace(folder, std::vector<std::string>{".object", ".text"});
        keep("known");
    }
    void TearDown() override {
        std::error_code ignored;
        fs::remove_all(cache_folder() / folder, ignored);
    }
    void keep(const std::string& key) {
        const Result<ScratchFolder> scratch = cache->scratch();
        ASSERT_TRUE(scratch) << scratch.error().message;
        ASSERT_TRUE(write_file_atomic(scratch->path / "kernel.object", "made"));
        ASSERT_TRUE(write_file_atomic(scratch->path / "kernel.text", "said"));
        BuildResult result;
        result.key = key;
        result.resources = {{"registers", 40}};
        result.occupancy_limiter = "registers";
        cache->store(scratch->path, result);
        ASSERT_EQ(result.status, Status::ok) << result.reason;
    }

    std::string folder;
    std::optional<BuildCache> cache;
};

TEST_F(BuildCacheTest, FindsWhatWasKept) {
    const auto found = cache->find("known");
    ASSERT_TRUE(found);
    EXPECT_TRUE(found->cached);
    EXPECT_EQ(found->resources.at("registers"), 40);
    EXPECT_EQ(found->occupancy_limiter, "registers");
    EXPECT_EQ(read_file(found->artifact.path).value_or(""), "made");
    EXPECT_EQ(read_file(cache->file("known", ".text")).value_or(""), "said");
    EXPECT_FALSE(cache->find("unknown"));
}

TEST_F(BuildCacheTest, DoesNotFindABuildThatLacksAFile) {
    fs::remove(cache->file("known", ".text"));
    EXPECT_FALSE(cache->find("known"));
}

TEST_F(BuildCacheTest, PassesOverARecordThatIsTornOrOfAnotherVersion) {
    ASSERT_TRUE(write_file_atomic(cache->file("known", ".json"), "{\"status\": \"ok\", \"rea"));
    EXPECT_FALSE(cache->find("known"));
    ASSERT_TRUE(write_file_atomic(cache->file("known", ".json"), "{\"status\": \"ok\"}"));
    EXPECT_FALSE(cache->find("known"));
}

TEST_F(BuildCacheTest, DoesNotFindABuildWhoseFileIsCutOffOrChanged) {
    fs::resize_file(cache->file("known", ".object"), 2);
    EXPECT_FALSE(cache->find("known"));
    keep("known");
    ASSERT_TRUE(cache->find("known"));
    ASSERT_TRUE(write_file_atomic(cache->file("known", ".text"), "sa1d"));
    EXPECT_FALSE(cache->find("known"));
}

TEST_F(BuildCacheTest, LeavesNoHalfRecordWhereTheDiskIsFull) {
    const pid_t child = ::fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);  // then writing beyond the limit fails, as it does on a full disk
        const rlimit few{16, 16};
        ::setrlimit(RLIMIT_FSIZE, &few);
        keep("unknown");
        ::_exit(0);
    }
    ::waitpid(child, nullptr, 0);
    EXPECT_FALSE(cache->find("unknown"));
    EXPECT_FALSE(fs::exists(cache->file("unknown", ".json")));
    keep("unknown");
    EXPECT_TRUE(cache->find("unknown"));
}

TEST_F(BuildCacheTest, RemovesWhatAKilledBuildLeft) {
    const pid_t child = ::fork();
    if (child == 0) {
        const Result<ScratchFolder> scratch = cache->scratch();
        ::_exit(0);  // as SIGKILL, without the destructor
    }
    ::waitpid(child, nullptr, 0);
    const Result<ScratchFolder> scratch = cache->scratch();
    ASSERT_TRUE(scratch);
    int folders = 0;
    for (const auto& entry : fs::directory_iterator(cache_folder() / folder)) folders += entry.is_directory() ? 1 : 0;
    EXPECT_EQ(folders, 1);
}

TEST_F(BuildCacheTest, FailsWithTheReasonWhereTheCompilerLeftNoFile) {
    const Result<ScratchFolder> scratch = cache->scratch();
    ASSERT_TRUE(scratch);
    BuildResult result;
    result.key = "absent";
    cache->store(scratch->path, result);
    EXPECT_EQ(result.status, Status::unavailable);
    EXPECT_NE(result.reason.text().find("cannot store"), std::string::npos) << result.reason;
}

TEST_F(BuildCacheTest, RemovesTheScratchFolder) {
    fs::path path;
    {
        const Result<ScratchFolder> scratch = cache->scratch();
        ASSERT_TRUE(scratch);
        path = scratch->path;
        EXPECT_TRUE(fs::is_directory(path));
    }
    EXPECT_FALSE(fs::exists(path));
}

TEST(HashOfFolder, DependsOnNamesAndContents) {
    const Result<ScratchFolder> folder = ScratchFolder::create(fs::temp_directory_path());
    ASSERT_TRUE(folder);
    ASSERT_TRUE(write_file_atomic(folder->path / "a.h", "1"));
    const std::string before = hash_of_folder(folder->path);
    EXPECT_EQ(hash_of_folder(folder->path), before);
    ASSERT_TRUE(write_file_atomic(folder->path / "a.h", "2"));
    const std::string changed = hash_of_folder(folder->path);
    EXPECT_NE(changed, before);
    fs::rename(folder->path / "a.h", folder->path / "b.h");
    EXPECT_NE(hash_of_folder(folder->path), changed);
}

}  // namespace
}  // namespace kernelgen
