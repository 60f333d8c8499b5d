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

/// Builds on disk, each under a key that is a hash of everything from which it was made. Processes share the cache:
/// where two build the same, both compile, and the files of the last one stay; the files are equal. Thread safe.
class BuildCache {
public:
    /// `folder` is within the program's cache folder. `extensions` are the extensions of a build's files; the
    /// artifact's is the first.
    BuildCache(const std::string& folder, std::vector<std::string> extensions);

    /// The build with this key. Nothing where there is none, where one of its files is missing or has another hash than
    /// the stored one, or where a file that the build read has changed since.
    std::optional<BuildResult> find(const std::string& key) const;
    std::filesystem::path file(const std::string& key, const std::string& extension) const;
    /// A folder in which a compiler can work; on the same file system as the cache, so that its files can be renamed
    /// into the cache.
    Result<ScratchFolder> scratch() const;
    /// Moves `kernel` + each extension from `scratch` into the cache under `result.key`, and sets the artifact's path.
    /// `read` are the files of this machine that the build read and that are not part of the key. Their contents are
    /// added to the key, so that one key is one kernel. Where one of them changed since `begin`, it is unknown what was
    /// built: the result is then not found in the cache again. A failure is returned as the result's status.
    void store(const std::filesystem::path& scratch, BuildResult& result,
               const std::vector<std::filesystem::path>& read = {},
               std::filesystem::file_time_type begin = std::filesystem::file_time_type::max()) const;

private:
    std::filesystem::path folder_;
    std::vector<std::string> extensions_;
};

/// A hash of the names and contents of all files below a folder, such as the headers that sources may include.
std::string hash_of_folder(const std::filesystem::path& folder);

/// Gives a result a status that is not `ok`, and the reason.
void end_build(BuildResult& result, Status status, Said reason);

/// The reason for `build_failed`: the first error among the messages, with its place, or the beginning of the log.
Said first_error(const BuildResult& result);

}  // namespace kernelgen
