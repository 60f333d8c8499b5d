// SPDX-License-Identifier: Apache-2.0
#include "core/base/file.h"

#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <set>

namespace kernelgen {
namespace {

namespace fs = std::filesystem;

class File : public testing::Test {
protected:
    File() {
        char name[] = "/tmp/kernelgen-file-XXXXXX";
        folder = ::mkdtemp(name);
    }
    ~File() override { fs::remove_all(folder); }

    std::set<std::string> names() const {
        std::set<std::string> result;
        for (const auto& entry : fs::directory_iterator(folder)) result.insert(entry.path().filename());
        return result;
    }

    fs::path folder;
};

TEST_F(File, ReadsBackWhatWasWritten) {
    const std::string bytes("line\r\n\0binary\xff", 14);
    ASSERT_TRUE(write_file_atomic(folder / "a.txt", bytes));
    EXPECT_EQ(read_file(folder / "a.txt").value(), bytes);
    EXPECT_EQ(names(), std::set<std::string>{"a.txt"});
}

TEST_F(File, ReadsFilesThatTellNoSize) { EXPECT_FALSE(read_file("/proc/self/status").value().empty()); }

TEST_F(File, NamesTheFileThatIsMissing) {
    EXPECT_EQ(read_file("/no/such.json").error().message, "cannot read /no/such.json: No such file or directory");
}

TEST_F(File, RefusesAFolder) {
    EXPECT_EQ(read_file(folder).error().message, "cannot read " + folder.string() + ": Is a directory");
}

TEST_F(File, RefusesAPipeWithoutWaitingForItsWriter) {
    ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
    EXPECT_EQ(read_file(folder / "pipe").error().message,
              "cannot read " + (folder / "pipe").string() + ": it is not a regular file");
}

TEST_F(File, RefusesWhatIsOverTheLimit) {
    ASSERT_TRUE(write_file_atomic(folder / "a", std::string(4097, 'x')));
    EXPECT_FALSE(read_file(folder / "a", 4096));
    EXPECT_TRUE(read_file(folder / "a", 4097));
    EXPECT_NE(read_file("/proc/self/maps", 10).error().message.text().find("is larger than"), std::string::npos);
}

TEST_F(File, KeepsTheModeOfTheFileItReplaces) {
    ASSERT_TRUE(write_file_atomic(folder / "a", "1"));
    ::chmod((folder / "a").c_str(), 0640);
    ASSERT_TRUE(write_file_atomic(folder / "a", "2"));
    struct stat status{};
    ::stat((folder / "a").c_str(), &status);
    EXPECT_EQ(status.st_mode & 07777, 0640u);
}

TEST_F(File, WritesThroughASymbolicLink) {
    ASSERT_TRUE(write_file_atomic(folder / "target", "1"));
    fs::create_symlink("target", folder / "link");
    ASSERT_TRUE(write_file_atomic(folder / "link", "2"));
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_EQ(read_file(folder / "target").value(), "2");
}

TEST_F(File, SaysThatTheFolderDoesNotExist) {
    const auto written = write_file_atomic(folder / "none" / "a", "1");
    ASSERT_FALSE(written);
    EXPECT_EQ(written.error().message,
              "cannot write " + (folder / "none" / "a").string() + ": No such file or directory");
}

TEST_F(File, LeavesTheOldFileAndNothingElseWhenTheDiskIsFull) {
    if (::mount("none", folder.c_str(), "tmpfs", 0, "size=64k") != 0) GTEST_SKIP() << "mounting needs root";
    const bool first = write_file_atomic(folder / "a", "old").has_value();
    const auto second = write_file_atomic(folder / "a", std::string(1 << 20, 'x'));
    const auto kept = read_file(folder / "a");
    const auto left = names();
    ::umount(folder.c_str());
    ASSERT_TRUE(first);
    EXPECT_EQ(second.error().message, "cannot write " + (folder / "a").string() + ": No space left on device");
    EXPECT_EQ(kept.value(), "old");
    EXPECT_EQ(left, std::set<std::string>{"a"});
}

TEST_F(File, SaysThatTheFileSystemIsReadOnly) {
    if (::mount("none", folder.c_str(), "tmpfs", MS_RDONLY, "size=64k") != 0) GTEST_SKIP() << "mounting needs root";
    const auto written = write_file_atomic(folder / "a", "1");
    ::umount(folder.c_str());
    EXPECT_EQ(written.error().message, "cannot write " + (folder / "a").string() + ": Read-only file system");
}

TEST_F(File, ALockExcludesOthersUntilItIsReleased) {
    {
        const auto lock = FileLock::acquire(folder / "lock", FileLock::Mode::exclusive);
        ASSERT_TRUE(lock && lock->held());
        const auto other = FileLock::try_acquire(folder / "lock", FileLock::Mode::shared);
        ASSERT_TRUE(other);
        EXPECT_FALSE(other->held());
    }
    EXPECT_TRUE(FileLock::try_acquire(folder / "lock", FileLock::Mode::exclusive)->held());
}

TEST_F(File, SharedLocksDoNotExcludeOneAnother) {
    const auto lock = FileLock::acquire(folder / "lock", FileLock::Mode::shared);
    EXPECT_TRUE(FileLock::try_acquire(folder / "lock", FileLock::Mode::shared)->held());
    EXPECT_FALSE(FileLock::try_acquire(folder / "lock", FileLock::Mode::exclusive)->held());
}

TEST_F(File, AMovedLockStaysHeld) {
    auto lock = FileLock::acquire(folder / "lock", FileLock::Mode::exclusive);
    const FileLock moved = std::move(*lock);
    EXPECT_TRUE(moved.held());
    EXPECT_FALSE(FileLock::try_acquire(folder / "lock", FileLock::Mode::shared)->held());
}

TEST_F(File, TheCacheIsWhereXdgSays) {
    ::setenv("XDG_CACHE_HOME", folder.c_str(), 1);
    EXPECT_EQ(cache_folder(), folder / "kernelgen");
    EXPECT_TRUE(fs::is_directory(folder / "kernelgen"));
    ::unsetenv("XDG_CACHE_HOME");
}

}  // namespace
}  // namespace kernelgen
