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

/// Replaces `path` by a file with these bytes, or leaves it as it was: written beside it, synced, renamed.
/// Errors (read-only folder, full disk) name the path and the reason; no temporary file is left behind.
Result<void> write_file_atomic(const std::filesystem::path& path, std::string_view bytes);

/// An advisory lock (flock) on a file that is made when missing; released by the destructor and by death.
class FileLock {
public:
    enum class Mode { shared, exclusive };

    FileLock(const FileLock&) = delete;
    FileLock(FileLock&& other) noexcept;
    FileLock& operator=(FileLock&& other) noexcept;
    ~FileLock();

    /// Waits for the lock; use `try_acquire` in a loop where waiting must be cancellable.
    static Result<FileLock> acquire(const std::filesystem::path& path, Mode mode);
    /// As `acquire`, but an expected-but-empty lock (`held()` false) when another holds it.
    static Result<FileLock> try_acquire(const std::filesystem::path& path, Mode mode);

    bool held() const { return descriptor_ >= 0; }

private:
    explicit FileLock(int descriptor) : descriptor_(descriptor) {}
    int descriptor_ = -1;
};

/// `$XDG_CACHE_HOME/kernelgen` or `~/.cache/kernelgen`, or a folder under /tmp where neither can be written.
std::filesystem::path cache_folder();

/// The installed `share/kernelgen` beside the program's own `bin`.
std::filesystem::path resource_folder();

}  // namespace kernelgen
