// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/backend/build.h"
#include "core/base/result.h"
#include "core/base/scratch_folder.h"

namespace kernelgen {

/// What was built before, on disk, found by the key of everything that it was made from. Processes share it: two that
/// build the same do it twice and the last one's files stay, which are the same. Thread safe.
class BuildCache {
public:
    /// `folder` is within the program's cache folder; `extensions` are those of a build's files, the artifact's first.
    BuildCache(const std::string& folder, std::vector<std::string> extensions);

    /// Nothing where it was not built, where a file of it is missing or not as it was stored, or where a file that the
    /// build read has another content now.
    std::optional<BuildResult> find(const std::string& key) const;
    std::filesystem::path file(const std::string& key, const std::string& extension) const;
    /// Where a compiler works; beside the cache, so that what it made can be renamed into it.
    Result<ScratchFolder> scratch() const;
    /// Takes `kernel` + each extension from `scratch` and keeps the result under `result.key`; sets the artifact's
    /// path. `read` are the files of this machine that the build read and that are not in the key: with their contents
    /// it becomes another one, so that one key is one kernel. A file that changed since `begin` leaves it unknown what
    /// was built: the result is then not found again. A failure becomes the result's status.
    void store(const std::filesystem::path& scratch, BuildResult& result,
               const std::vector<std::filesystem::path>& read = {},
               std::filesystem::file_time_type begin = std::filesystem::file_time_type::max()) const;

private:
    std::filesystem::path folder_;
    std::vector<std::string> extensions_;
};

/// A hash of the names and contents of the files below a folder, such as the headers that sources may include.
std::string hash_of_folder(const std::filesystem::path& folder);

/// Ends a build with a status that is not `ok`.
void end_build(BuildResult& result, Status status, std::string reason);

/// The first error among the messages with its place, or the beginning of the log: a reason for `build_failed`.
std::string first_error(const BuildResult& result);

}  // namespace kernelgen
