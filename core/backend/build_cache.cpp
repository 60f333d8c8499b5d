// SPDX-License-Identifier: Apache-2.0
#include "core/backend/build_cache.h"

#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/base/file.h"
#include "core/base/text.h"

namespace kernelgen {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

constexpr std::size_t most_cached_files = 4000;

/// Keeps the cache bounded: beyond the limit the older half goes.
void prune_cache(const fs::path& folder) {
    std::vector<std::pair<fs::file_time_type, fs::path>> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (entry.is_regular_file(error)) files.emplace_back(entry.last_write_time(error), entry.path());
    }
    if (files.size() <= most_cached_files) return;
    std::ranges::sort(files);
    files.resize(files.size() / 2);
    for (const auto& [time, path] : files) fs::remove(path, error);
}

}  // namespace

Result<ScratchFolder> ScratchFolder::create(const fs::path& parent) {
    std::error_code error;
    fs::create_directories(parent, error);
    std::string pattern = (parent / "build-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) {
        return fail("cannot make a folder in " + parent.string() + ": " + std::generic_category().message(errno));
    }
    return ScratchFolder(pattern);
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept : path(std::exchange(other.path, {})) {}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    if (!path.empty()) fs::remove_all(path, ignored);
}

BuildCache::BuildCache(const std::string& folder, std::vector<std::string> extensions)
    : folder_(cache_folder() / folder), extensions_(std::move(extensions)) {}

fs::path BuildCache::file(const std::string& key, const std::string& extension) const {
    return folder_ / (key + extension);
}

Result<ScratchFolder> BuildCache::scratch() const { return ScratchFolder::create(folder_); }

std::optional<BuildResult> BuildCache::find(const std::string& key) const {
    const Result<std::string> text = read_file(file(key, ".json"));
    const auto exists = [&](const std::string& extension) {
        std::error_code error;
        return fs::exists(file(key, extension), error);
    };
    if (!text || !std::ranges::all_of(extensions_, exists)) return std::nullopt;
    try {
        BuildResult result = build_result_from_json(json::parse(*text));
        result.cached = true;
        result.artifact.path = file(key, extensions_.front()).string();
        return result;
    } catch (const std::exception&) {
        return std::nullopt;  // torn by a crash, or of another version: built again
    }
}

void BuildCache::store(const fs::path& scratch, BuildResult& result) const {
    for (const std::string& extension : extensions_) {
        std::error_code error;
        fs::rename(scratch / ("kernel" + extension), file(result.key, extension), error);
        if (error) return end_build(result, Status::unavailable, "cannot store the built kernel: " + error.message());
    }
    result.artifact.path = file(result.key, extensions_.front()).string();
    // Without its record the kernel is built again, so a failure to write it loses nothing.
    (void)write_file_atomic(file(result.key, ".json"),
                            to_json(result).dump(-1, ' ', false, json::error_handler_t::replace));
    prune_cache(folder_);
}

std::string hash_of_folder(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(folder, none)) files.push_back(entry.path());
    std::ranges::sort(files);
    std::string text;
    for (const fs::path& file : files)
        text += file.lexically_relative(folder).string() + "\n" + read_file(file).value_or("");
    return hash_hex(text);
}

void end_build(BuildResult& result, Status status, std::string reason) {
    result.status = status;
    result.reason = std::move(reason);
}

std::string first_error(const BuildResult& result) {
    for (const CompilerMessage& message : result.messages) {
        if (message.severity != "error") continue;
        const std::string place = message.line > 0 ? message.file + ":" + std::to_string(message.line) + ": " : "";
        return place + message.text;
    }
    return "the compiler failed: " + std::string(trim(result.log)).substr(0, 400);
}

}  // namespace kernelgen
