// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/result.h"

namespace kernelgen {

/// The bytes of a regular file; an error names the file and the reason. Files over `limit_bytes` are refused.
Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t limit_bytes = 64ull << 20);

/// Replaces `path` by a file with these bytes, atomically: the bytes are written to a file beside it, synced and
/// renamed. Errors (read-only folder, full disk) name the path and the reason; `path` is then unchanged, and no
/// temporary file is left.
Result<void> write_file_atomic(const std::filesystem::path& path, std::string_view bytes);

/// An advisory lock (flock) on a file, which is made where it is missing. The destructor releases the lock, and so does
/// the end of the process.
class FileLock {
public:
    enum class Mode { shared, exclusive };

    FileLock(const FileLock&) = delete;
    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&& other) noexcept;
    ~FileLock();

    /// Waits for the lock; use `try_acquire` in a loop where waiting must be cancellable.
    static Result<FileLock> acquire(const std::filesystem::path& path, Mode mode);
    /// As `acquire`, but does not wait: where another process holds the lock, the result is a lock with `held()` false.
    static Result<FileLock> try_acquire(const std::filesystem::path& path, Mode mode);

    bool held() const { return descriptor_ >= 0; }

private:
    explicit FileLock(int descriptor) : descriptor_(descriptor) {}
    int descriptor_ = -1;
};

/// `$XDG_CACHE_HOME/kernelgen` or `~/.cache/kernelgen`, or a folder under /tmp where neither can be written.
std::filesystem::path cache_folder();

/// `$XDG_DATA_HOME/kernelgen` or `~/.local/share/kernelgen`: the user's own rules and patterns. It may not exist; ""
/// where the environment names neither.
std::filesystem::path data_folder();

/// The installed `share/kernelgen` beside the program's own `bin`.
std::filesystem::path resource_folder();

}  // namespace kernelgen
