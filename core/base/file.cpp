// SPDX-License-Identifier: Apache-2.0
#include "core/base/file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "core/base/descriptor.h"

namespace kernelgen {

namespace fs = std::filesystem;

namespace {

std::string reason_of(int error) { return std::generic_category().message(error); }

std::unexpected<Error> fail_on(std::string_view what, const fs::path& path, int error) {
    return fail("cannot " + std::string(what) + " " + path.string() + ": " + reason_of(error));
}

int write_all(int descriptor, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return errno;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return 0;
}

Said too_large(const fs::path& path, std::uint64_t limit_bytes) {
    return say("{} is larger than {} KiB, the most that is read here", path.string(), limit_bytes >> 10);
}

/// A new file beside `path`, named after it; its name is put into `made`.
int open_beside(const fs::path& path, fs::path& made) {
    const std::string stem = "." + path.filename().string() + "." + std::to_string(::getpid());
    for (int attempt = 0;; ++attempt) {
        made = path.parent_path() / (stem + "-" + std::to_string(attempt) + ".tmp");
        const int descriptor = ::open(made.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST) return descriptor;
    }
}

int fill(int descriptor, std::string_view bytes, const fs::path& replaced) {
    struct stat existing{};
    if (::stat(replaced.c_str(), &existing) == 0 && ::fchmod(descriptor, existing.st_mode & 07777) != 0) return errno;
    if (const int error = write_all(descriptor, bytes)) return error;
    return ::fsync(descriptor) == 0 ? 0 : errno;
}

void sync_folder(const fs::path& folder) {
    const Descriptor descriptor(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (descriptor.get() >= 0) ::fsync(descriptor.get());
}

int open_lock(const fs::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor >= 0 || (errno != EROFS && errno != EACCES)) return descriptor;
    const int refused = errno;
    const int read_only = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (read_only < 0) errno = refused;
    return read_only;
}

/// A folder that is made when missing and in which this user can write.
bool usable(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    return !error && ::access(folder.c_str(), W_OK | X_OK) == 0;
}

}  // namespace

Result<std::string> read_file(const fs::path& path, std::uint64_t limit_bytes) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.get() < 0) return fail_on("read", path, errno);
    struct stat status{};
    if (::fstat(file.get(), &status) != 0) return fail_on("read", path, errno);
    if (S_ISDIR(status.st_mode)) return fail_on("read", path, EISDIR);
    if (!S_ISREG(status.st_mode)) return fail(say("cannot read {}: it is not a regular file", path.string()));
    if (static_cast<std::uint64_t>(status.st_size) > limit_bytes) return fail(too_large(path, limit_bytes));

    std::string bytes(static_cast<std::size_t>(status.st_size) + 1, '\0');
    std::size_t filled = 0;
    for (;;) {
        const ssize_t count = ::read(file.get(), bytes.data() + filled, bytes.size() - filled);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return fail_on("read", path, errno);
        if (count == 0) break;
        filled += static_cast<std::size_t>(count);
        if (filled > limit_bytes) return fail(too_large(path, limit_bytes));
        if (filled == bytes.size()) bytes.resize(2 * bytes.size());
    }
    bytes.resize(filled);
    return bytes;
}

Result<void> write_file_atomic(const fs::path& path, std::string_view bytes) {
    std::error_code error;
    const fs::path target = fs::is_symlink(path, error) ? fs::weakly_canonical(path, error) : path;
    fs::path temporary;
    const int descriptor = open_beside(target, temporary);
    if (descriptor < 0) return fail_on("write", path, errno);
    int failure = fill(descriptor, bytes, target);
    if (::close(descriptor) != 0 && failure == 0) failure = errno;
    if (failure == 0 && ::rename(temporary.c_str(), target.c_str()) != 0) failure = errno;
    if (failure != 0) {
        ::unlink(temporary.c_str());
        return fail_on("write", path, failure);
    }
    sync_folder(target.parent_path());
    return {};
}

FileLock::FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileLock& FileLock::operator=(FileLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

FileLock::~FileLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

Result<FileLock> FileLock::acquire(const fs::path& path, Mode mode) {
    FileLock lock(open_lock(path));
    if (!lock.held()) return fail_on("lock", path, errno);
    while (::flock(lock.descriptor_, mode == Mode::shared ? LOCK_SH : LOCK_EX) != 0) {
        if (errno != EINTR) return fail_on("lock", path, errno);
    }
    return lock;
}

Result<FileLock> FileLock::try_acquire(const fs::path& path, Mode mode) {
    FileLock lock(open_lock(path));
    if (!lock.held()) return fail_on("lock", path, errno);
    while (::flock(lock.descriptor_, (mode == Mode::shared ? LOCK_SH : LOCK_EX) | LOCK_NB) != 0) {
        if (errno == EWOULDBLOCK) return FileLock(-1);
        if (errno != EINTR) return fail_on("lock", path, errno);
    }
    return lock;
}

fs::path cache_folder() {
    const char* cache = std::getenv("XDG_CACHE_HOME");
    if (cache && *cache == '/' && usable(fs::path(cache) / "kernelgen")) return fs::path(cache) / "kernelgen";
    const char* home = std::getenv("HOME");
    if (home && *home == '/' && usable(fs::path(home) / ".cache" / "kernelgen")) {
        return fs::path(home) / ".cache" / "kernelgen";
    }
    const fs::path folder = "/tmp/kernelgen-" + std::to_string(::geteuid());
    ::mkdir(folder.c_str(), 0700);
    return folder;
}

fs::path data_folder() {
    const char *data = std::getenv("XDG_DATA_HOME"), *home = std::getenv("HOME");
    if (data && *data == '/') return fs::path(data) / "kernelgen";
    if (home && *home == '/') return fs::path(home) / ".local" / "share" / "kernelgen";
    return {};
}

fs::path resource_folder() {
    std::error_code error;
    const fs::path program = fs::read_symlink("/proc/self/exe", error);
    return program.parent_path().parent_path() / "share" / "kernelgen";
}

}  // namespace kernelgen
