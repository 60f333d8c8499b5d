// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "core/base/file.h"
#include "core/base/result.h"

namespace kernelgen {

/// `rounds/` of a project, and the paths within.
std::filesystem::path rounds_folder(const std::filesystem::path& project_folder);
std::filesystem::path round_folder(const std::filesystem::path& project_folder, int round);
std::filesystem::path history_path(const std::filesystem::path& project_folder);

/// The right to change a project's history, which one process has at a time: a lock on `rounds/.lock`.
class HistoryWriter {
public:
    /// Waits for the lock; makes `rounds/` where it is missing.
    static Result<HistoryWriter> open(const std::filesystem::path& project_folder);

    /// Adds a line and syncs it; begins a new one where the last was torn. On an error the file is as it was.
    Result<void> append(std::string_view line) const;

private:
    HistoryWriter(std::filesystem::path path, FileLock lock) : path_(std::move(path)), lock_(std::move(lock)) {}
    std::filesystem::path path_;
    FileLock lock_;
};

}  // namespace kernelgen
