// SPDX-License-Identifier: Apache-2.0
#include "core/backend/build_cache.h"

#include <algorithm>
#include <chrono>
#include <map>
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

/// The hash of a file's contents: it shows whether the file was cut off or changed.
std::optional<std::string> hash_of_file(const fs::path& path) {
    constexpr std::uint64_t most_bytes = 1ull << 30;
    const Result<std::string> bytes = read_file(path, most_bytes);
    if (!bytes) return std::nullopt;
    return hash_hex(*bytes);
}

/// Contents by path; a file that cannot be read has the hash of nothing.
using Contents = std::map<std::string, std::string>;

std::string content_hash(const std::string& file) { return hash_hex(read_file(file).value_or("")); }

Contents contents_of(const std::vector<fs::path>& files) {
    Contents contents;
    for (const fs::path& each : files) contents[each.string()] = content_hash(each.string());
    return contents;
}

/// The key of a build of these files.
std::string key_with(const std::string& key, const Contents& contents) {
    if (contents.empty()) return key;
    std::string all = key;
    for (const auto& [file, hash] : contents) all += "\n" + file + "\n" + hash;
    return hash_hex(all);
}

/// The file system's clock is some milliseconds behind.
bool changed_since(const std::vector<fs::path>& files, fs::file_time_type begin) {
    using namespace std::chrono_literals;
    return std::ranges::any_of(files, [&](const fs::path& each) {
        std::error_code error;
        const fs::file_time_type changed = fs::last_write_time(each, error);
        return !error && begin != fs::file_time_type::max() && changed >= begin - 20ms;
    });
}

}  // namespace

BuildCache::BuildCache(const std::string& folder, std::vector<std::string> extensions)
    : folder_(cache_folder() / folder), extensions_(std::move(extensions)) {}

fs::path BuildCache::file(const std::string& key, const std::string& extension) const {
    return folder_ / (key + extension);
}

Result<ScratchFolder> BuildCache::scratch() const { return ScratchFolder::create(folder_, "build-"); }

std::optional<BuildResult> BuildCache::find(const std::string& key) const {
    const Result<std::string> text = read_file(file(key, ".json"));
    if (!text) return std::nullopt;
    try {
        const json record = json::parse(*text);
        BuildResult result = build_result_from_json(record);
        for (const auto& [read, hash] : record.value("read", Contents())) {
            if (content_hash(read) != hash) return std::nullopt;
        }
        for (const std::string& extension : extensions_) {
            const json& kept = record.at("hashes").at(extension);
            if (hash_of_file(file(result.key, extension)) != kept.get<std::string>()) return std::nullopt;
        }
        result.cached = true;
        result.artifact.path = file(result.key, extensions_.front()).string();
        return result;
    } catch (const std::exception&) {
        return std::nullopt;  // torn by a crash, or of another version: built again
    }
}

void BuildCache::store(const fs::path& scratch, BuildResult& result, const std::vector<fs::path>& read,
                       fs::file_time_type begin) const {
    const std::string asked = result.key;
    const Contents contents = contents_of(read);
    result.key = key_with(asked, contents);
    json hashes;
    for (const std::string& extension : extensions_) {
        const fs::path made = scratch / ("kernel" + extension);
        hashes[extension] = hash_of_file(made).value_or("");
        std::error_code error;
        fs::rename(made, file(result.key, extension), error);
        if (error)
            return end_build(result, Status::unavailable, say("cannot store the built kernel: {}", error.message()));
    }
    result.artifact.path = file(result.key, extensions_.front()).string();
    if (changed_since(read, begin)) return;
    json record = to_json(result);
    record["hashes"] = std::move(hashes);
    if (!contents.empty()) record["read"] = contents;
    // Without its record the kernel is built again, so a failure to write it loses nothing.
    (void)write_file_atomic(file(asked, ".json"), record.dump(-1, ' ', false, json::error_handler_t::replace));
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

void end_build(BuildResult& result, Status status, Said reason) {
    result.status = status;
    result.reason = std::move(reason);
}

Said first_error(const BuildResult& result) {
    for (const CompilerMessage& message : result.messages) {
        if (message.severity != "error") continue;
        const std::string place = message.line > 0 ? message.file + ":" + std::to_string(message.line) + ": " : "";
        return place + message.text;
    }
    return say("the compiler failed: {}", trim(result.log).substr(0, 400));
}

}  // namespace kernelgen
