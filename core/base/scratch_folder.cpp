// SPDX-License-Identifier: Apache-2.0
#include "core/base/scratch_folder.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

namespace kernelgen {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view unique_part = "XXXXXX";
constexpr std::string_view lock_name = ".lock";

/// Removes a folder, also where a program that ran in it has taken access rights away from folders.
void remove_folder(const fs::path& folder) {
    std::error_code error;
    fs::remove_all(folder, error);
    if (!error) return;
    std::error_code ignored;
    fs::permissions(folder, fs::perms::owner_all, fs::perm_options::add, ignored);
    for (auto entry = fs::recursive_directory_iterator(folder, ignored); entry != fs::end(entry);
         entry.increment(ignored)) {
        if (!entry->is_symlink(ignored) && entry->is_directory(ignored)) {
            fs::permissions(entry->path(), fs::perms::owner_all, fs::perm_options::add, ignored);
        }
    }
    fs::remove_all(folder, ignored);
}

/// Whether a folder was left behind: no process holds its lock; or it has no lock file and has not changed for an hour,
/// because its maker was killed before it made one.
bool is_left(const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(folder / lock_name, error)) {
        const auto changed = fs::last_write_time(folder, error);
        return !error && fs::file_time_type::clock::now() - changed > std::chrono::hours(1);
    }
    const Result<FileLock> lock = FileLock::try_acquire(folder / lock_name, FileLock::Mode::exclusive);
    return lock && lock->held();
}

void remove_left(const fs::path& parent, std::string_view prefix) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(parent, error)) {
        const std::string name = entry.path().filename();
        std::error_code none;
        const bool own = name.starts_with(prefix) && name.size() == prefix.size() + unique_part.size() &&
                         !entry.is_symlink(none) && entry.is_directory(none);
        if (own && is_left(entry.path())) remove_folder(entry.path());
    }
}

}  // namespace

Result<ScratchFolder> ScratchFolder::create(const fs::path& parent, std::string_view prefix) {
    std::error_code error;
    fs::create_directories(parent, error);
    remove_left(parent, prefix);
    std::string made = (parent / prefix).string() + std::string(unique_part);
    if (::mkdtemp(made.data()) == nullptr) {
        return fail(say("cannot make a folder in {}: {}", parent.string(), std::generic_category().message(errno)));
    }
    // The lock file gets its name only when it is locked: other processes look for it by this name, and take a folder
    // whose lock nobody holds for one that was left behind.
    const fs::path folder = made, unlocked = folder / ".unlocked";
    Result<FileLock> lock = FileLock::try_acquire(unlocked, FileLock::Mode::exclusive);
    if (lock) fs::rename(unlocked, folder / lock_name, error);
    if (!lock || error) {
        remove_folder(folder);
        return fail(say("cannot lock a folder in {}: {}", parent.string(),
                        lock ? Said(error.message()) : lock.error().message));
    }
    return ScratchFolder(folder, std::move(*lock));
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path(std::exchange(other.path, {})), lock_(std::move(other.lock_)) {}

ScratchFolder::~ScratchFolder() {
    if (!path.empty()) remove_folder(path);
}

}  // namespace kernelgen
