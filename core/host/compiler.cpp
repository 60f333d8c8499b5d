// SPDX-License-Identifier: Apache-2.0
#include "core/host/compiler.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <regex>

#include "core/base/file.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/host/kernel_source.h"
#include "core/measure/device_lock.h"

namespace kernelgen {

namespace fs = std::filesystem;
using nlohmann::json;
using namespace std::chrono_literals;

namespace {

constexpr auto compile_limit = 60s;
constexpr std::size_t log_limit = 64 << 10;
constexpr std::size_t most_cached_files = 4000;

std::vector<std::string> compiler_flags(const BuildRequest& request) {
    std::vector<std::string> flags = {
        "-std=c++20", "-O3",     "-march=native", "-fno-math-errno", "-fno-trapping-math",       "-ffp-contract=fast",
        "-fPIC",      "-shared", "-Wall",         "-Wl,-z,defs",     "-fdiagnostics-color=never"};
    const std::vector<std::string>& own = request.implementation.variant.flags;
    flags.insert(flags.end(), own.begin(), own.end());
    const std::vector<std::string> macros = kernel_macros(request);
    flags.insert(flags.end(), macros.begin(), macros.end());
    return flags;
}

fs::path include_folder() { return resource_folder() / "include"; }

/// A hash of the header that sources may include: another one makes another kernel.
std::string header_hash() {
    std::vector<fs::path> files;
    std::error_code none;
    for (const auto& entry : fs::recursive_directory_iterator(include_folder(), none)) files.push_back(entry.path());
    std::ranges::sort(files);
    std::string text;
    for (const fs::path& file : files) text += read_file(file).value_or("");
    return hash_hex(text);
}

struct CachedFiles {
    fs::path object, record;
};

CachedFiles cached_files(const std::string& key) {
    const fs::path folder = cache_folder() / "host";
    return {folder / (key + ".so"), folder / (key + ".json")};
}

bool read_cached(const CachedFiles& files, BuildResult& result) {
    const Result<std::string> text = read_file(files.record);
    std::error_code error;
    if (!text || !fs::exists(files.object, error)) return false;
    try {
        result = build_result_from_json(json::parse(*text));
    } catch (const std::exception&) {
        return false;  // torn by a crash, or of another version: built again
    }
    result.cached = true;
    result.artifact.path = files.object.string();
    return true;
}

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

/// A folder that is removed with what is in it.
class ScratchFolder {
public:
    static Result<ScratchFolder> create(const fs::path& parent) {
        std::error_code error;
        fs::create_directories(parent, error);
        std::string pattern = (parent / "build-XXXXXX").string();
        if (::mkdtemp(pattern.data()) == nullptr) {
            return fail("cannot make a folder in " + parent.string() + ": " + std::generic_category().message(errno));
        }
        return ScratchFolder(pattern);
    }
    ScratchFolder(ScratchFolder&& other) noexcept : path(std::exchange(other.path, {})) {}
    ~ScratchFolder() {
        std::error_code ignored;
        if (!path.empty()) fs::remove_all(path, ignored);
    }

    fs::path path;

private:
    explicit ScratchFolder(fs::path made) : path(std::move(made)) {}
};

void failed(BuildResult& result, Status status, std::string reason) {
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

/// Runs the compiler in `scratch`; on success its output lies there as kernel.so.
void run_compiler(const Compiler& compiler, const BuildRequest& request, const std::string& unit,
                  const fs::path& scratch, std::stop_token stop, BuildResult& result) {
    if (const auto written = write_file_atomic(scratch / "kernel.cpp", unit); !written) {
        return failed(result, Status::unavailable, written.error().message);
    }
    Command command{.arguments = {compiler.program},
                    .environment = {{"LC_ALL", "C"}},
                    .folder = scratch.string(),
                    .descriptors = {}};
    command.environment["TMPDIR"] = scratch.string();
    for (std::string& flag : compiler_flags(request)) command.arguments.push_back(std::move(flag));
    for (const std::string& each :
         {"-I" + include_folder().string(), std::string("kernel.cpp"), std::string("-o"), std::string("kernel.so")}) {
        command.arguments.push_back(each);
    }
    const Result<FileLock> lock = lock_device(request.device, FileLock::Mode::shared, stop);
    if (!lock)
        return failed(result, stop.stop_requested() ? Status::cancelled : Status::unavailable, lock.error().message);
    const Result<Finished> finished = run_to_end(command, stop, compile_limit);
    if (!finished) return failed(result, Status::unavailable, finished.error().message);
    result.log = finished->output.substr(0, log_limit);
    result.messages = parse_compiler_output(result.log);
    if (finished->stopped) return failed(result, Status::cancelled, "cancelled");
    if (finished->timed_out) return failed(result, Status::build_failed, "the compiler did not end within 60 s");
    if (!finished->exit.success()) failed(result, Status::build_failed, first_error(result));
}

void store(const CachedFiles& files, const fs::path& scratch, BuildResult& result) {
    std::error_code error;
    fs::rename(scratch / "kernel.so", files.object, error);
    if (error) return failed(result, Status::unavailable, "cannot store the built kernel: " + error.message());
    result.artifact = {Language::cpp, files.object.string(), "", ""};
    // Without its record the object is built again, so a failure to write it loses nothing.
    (void)write_file_atomic(files.record, to_json(result).dump());
    prune_cache(files.object.parent_path());
}

}  // namespace

Result<Compiler> find_compiler() {
    const char* named = std::getenv("KERNELGEN_CXX");
    const std::vector<std::string> programs =
        named != nullptr && *named != '\0' ? std::vector<std::string>{named} : std::vector<std::string>{"g++", "c++"};
    std::string reason;
    for (const std::string& program : programs) {
        Command command{
            .arguments = {program, "--version"}, .environment = {{"LC_ALL", "C"}}, .folder = {}, .descriptors = {}};
        const Result<Finished> finished = run_to_end(command, {}, 10s);
        if (finished && finished->exit.success()) return Compiler{program, split(finished->output, '\n').front()};
        reason = finished ? "`" + program + " --version` " + to_string(finished->exit) : finished.error().message;
    }
    return fail("no C++ compiler: " + reason + "; install g++, or name one in KERNELGEN_CXX");
}

BuildResult compile_kernel(const Compiler& compiler, const std::string& processor, const BuildRequest& request,
                           std::stop_token stop) {
    BuildResult result;
    const auto start = std::chrono::steady_clock::now();
    const Result<std::string> unit = kernel_translation_unit(request);
    if (!unit) {
        failed(result, Status::build_failed, unit.error().message);
        return result;
    }
    const std::string key =
        hash_hex(join(std::vector<std::string>{*unit, join(compiler_flags(request), " "), compiler.program,
                                               compiler.version, processor, header_hash()},
                      "\n"));
    const CachedFiles files = cached_files(key);
    if (!read_cached(files, result)) {
        result.key = key;
        Result<ScratchFolder> scratch = ScratchFolder::create(files.object.parent_path());
        if (!scratch) {
            failed(result, Status::unavailable, scratch.error().message);
            return result;
        }
        run_compiler(compiler, request, *unit, scratch->path, stop, result);
        result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (result.status == Status::ok) store(files, scratch->path, result);
    }
    return result;
}

std::vector<CompilerMessage> parse_compiler_output(std::string_view output) {
    static const std::regex located(R"(^(.+?):(\d+):(?:(\d+):)? (fatal error|error|warning|note): (.*)$)");
    static const std::regex undefined(R"(undefined reference to [`'](.*)')");
    std::vector<CompilerMessage> messages;
    for (const std::string& line : split(output, '\n')) {
        std::smatch match;
        if (line.size() > 2000) continue;  // std::regex recurses with the length
        if (std::regex_match(line, match, located)) {
            const std::string severity = match[4] == "fatal error" ? "error" : match[4].str();
            messages.push_back(
                {match[1], std::stoi(match[2]), match[3].matched ? std::stoi(match[3]) : 0, severity, match[5]});
        } else if (std::regex_search(line, match, undefined)) {
            messages.push_back({"", 0, 0, "error",
                                "nothing defines `" + match[1].str() +
                                    "`; a kernel is an `extern \"C\"` function of the variant's `entry` name"});
        }
    }
    return messages;
}

}  // namespace kernelgen
