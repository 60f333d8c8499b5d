// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

#include "core/base/file.h"
#include "core/base/result.h"

namespace kernelgen {

/// A temporary folder that is removed with its content. It is locked while its owner lives. Folders of killed owners
/// are removed when another folder is made beside them.
class ScratchFolder {
public:
    /// `prefix` is the beginning of the new folder's name in `parent`. All folders with this prefix there must belong
    /// to this class.
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
