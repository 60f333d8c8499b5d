// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "core/base/file.h"
#include "core/base/result.h"

namespace kernelgen {

/// A folder that is removed with what is in it. It is locked while its owner lives: what a killed owner left is removed
/// when another is made beside it.
class ScratchFolder {
public:
    /// `prefix` begins the name of a new folder in `parent`. Folders of that name are this class's own: no other may
    /// use the prefix there.
    static Result<ScratchFolder> create(const std::filesystem::path& parent,
                                        std::string_view prefix = "kernelgen-scratch-");
    ScratchFolder(ScratchFolder&& other) noexcept;
    ScratchFolder& operator=(ScratchFolder&&) = delete;
    ~ScratchFolder();

    std::filesystem::path path;

private:
    ScratchFolder(std::filesystem::path made, FileLock lock) : path(std::move(made)), lock_(std::move(lock)) {}
    FileLock lock_;
};

}  // namespace kernelgen
