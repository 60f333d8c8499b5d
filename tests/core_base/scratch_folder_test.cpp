// SPDX-License-Identifier: Apache-2.0
#include "core/base/scratch_folder.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>

namespace kernelgen {
namespace {

namespace fs = std::filesystem;

class ScratchFolders : public ::testing::Test {
protected:
    ScratchFolders() : parent(ScratchFolder::create(fs::temp_directory_path()).value()) {}

    ScratchFolder make() const { return ScratchFolder::create(parent.path, "made-").value(); }
    int count() const {
        int folders = 0;
        for (const auto& entry : fs::directory_iterator(parent.path)) folders += entry.is_directory() ? 1 : 0;
        return folders;
    }

    ScratchFolder parent;
};

TEST_F(ScratchFolders, AreRemovedWithWhatIsInThem) {
    fs::path path;
    {
        const ScratchFolder folder = make();
        path = folder.path;
        fs::create_directories(path / "a" / "b");
        fs::permissions(path / "a", fs::perms::none);
    }
    EXPECT_FALSE(fs::exists(path));
}

TEST_F(ScratchFolders, OfAKilledOwnerAreRemovedWhenTheNextIsMade) {
    const ScratchFolder kept = make();
    const pid_t owner = ::fork();
    if (owner == 0) {
        const ScratchFolder left = make();
        fs::create_directory(left.path / "inside");
        ::_exit(0);  // as SIGKILL, without the destructor
    }
    ::waitpid(owner, nullptr, 0);
    EXPECT_EQ(count(), 2);
    const ScratchFolder next = make();
    EXPECT_EQ(count(), 2);
    EXPECT_TRUE(fs::exists(kept.path));
    EXPECT_TRUE(fs::exists(next.path));
}

TEST_F(ScratchFolders, ThatWereNeverLockedAreRemovedAfterAnHour) {
    const fs::path fresh = parent.path / "made-abcdef", old = parent.path / "made-ABCDEF",
                   others = parent.path / "made-by-others";
    for (const fs::path& path : {fresh, old, others}) fs::create_directory(path);
    const auto yesterday = fs::file_time_type::clock::now() - std::chrono::hours(24);
    for (const fs::path& path : {old, others}) fs::last_write_time(path, yesterday);
    const ScratchFolder made = make();
    EXPECT_TRUE(fs::exists(fresh));
    EXPECT_FALSE(fs::exists(old));
    EXPECT_TRUE(fs::exists(others));
}

TEST_F(ScratchFolders, DoNotFollowLinks) {
    const ScratchFolder other = ScratchFolder::create(fs::temp_directory_path()).value();
    fs::create_directory(other.path / "precious");
    {
        const ScratchFolder folder = make();
        fs::create_directory_symlink(other.path, folder.path / "link");
    }
    EXPECT_TRUE(fs::exists(other.path / "precious"));
}

}  // namespace
}  // namespace kernelgen
