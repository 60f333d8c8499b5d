// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "core/base/file.h"
#include "core/base/result.h"

namespace kernelgen {

/// The paths of `rounds/` in a project, and of files in it.
std::filesystem::path rounds_folder(const std::filesystem::path& project_folder);
std::filesystem::path round_folder(const std::filesystem::path& project_folder, int round);
std::filesystem::path history_path(const std::filesystem::path& project_folder);

/// The lock `rounds/.lock`, which a process must hold to change a project's history.
class HistoryWriter {
public:
    /// Waits for the lock; makes `rounds/` where it is missing.
    static Result<HistoryWriter> open(const std::filesystem::path& project_folder);

    /// Appends a line and syncs it; where the last line is incomplete, first begins a new line. On an error the file is
    /// unchanged.
    Result<void> append(std::string_view line) const;

private:
    HistoryWriter(std::filesystem::path path, FileLock lock) : path_(std::move(path)), lock_(std::move(lock)) {}
    std::filesystem::path path_;
    FileLock lock_;
};

}  // namespace kernelgen
