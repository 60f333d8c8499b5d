// SPDX-License-Identifier: Apache-2.0
#include "core/host/compiler_run.h"

#include <algorithm>
#include <cstring>
#include <format>
#include <map>
#include <regex>
#include <system_error>

#include "core/backend/build_lock.h"
#include "core/backend/source_tree.h"
#include "core/base/file.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/base/verdict_sentences.h"

namespace kernelgen {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t log_limit = 64 << 10;
constexpr std::size_t longest_line = 2000;  // std::regex recurses with the length

/// The signal that ended the compiler or one of the programs that it runs, such as "SIGKILL"; empty where none did.
std::string signal_of(const Finished& finished) {
    static const std::regex driver(R"(fatal error: (\w+) signal terminated program)");
    if (finished.exit.signal != 0) {
        const char* name = ::sigabbrev_np(finished.exit.signal);
        return name == nullptr ? std::format("signal {}", finished.exit.signal) : std::format("SIG{}", name);
    }
    const std::vector<std::string> lines = split(finished.output, '\n');
    for (const std::string& line : lines) {
        std::smatch match;
        if (line.size() > longest_line || !std::regex_search(line, match, driver)) continue;
        static const std::map<std::string, std::string> names = {
            {"Killed", "SIGKILL"}, {"Terminated", "SIGTERM"}, {"Interrupt", "SIGINT"}, {"Hangup", "SIGHUP"}};
        const auto name = names.find(match[1].str());
        return name == names.end() ? match[1].str() : name->second;
    }
    return "";
}

/// Whether a signal asks a program to end. Such a signal ends everything together, so it says nothing of the source.
bool is_request_to_end(std::string_view signal) {
    return signal == "SIGTERM" || signal == "SIGINT" || signal == "SIGHUP";
}

/// Whether a compiler or linker could not write its files, as on a full disk. gcc says so of the last line of what it
/// has read.
bool has_no_space(const Finished& finished) {
    return !finished.exit.success() &&
           finished.output.contains(std::make_error_code(std::errc::no_space_on_device).message());
}

/// Compilers disturb what is timed on the CPU, and a little what is timed on the request's own device.
Result<std::vector<FileLock>> lock_for_compilers(const BuildRequest& request, const Progress& progress,
                                                 std::stop_token stop) {
    std::vector<std::string> devices = {"cpu"};
    if (!runs_on_host(request.device) && !request.is_ahead) devices.push_back(request.device);
    std::vector<FileLock> locks;
    for (const std::string& device : devices) {
        Result<FileLock> lock = lock_for_build(device, progress, stop);
        if (!lock) return std::unexpected(lock.error());
        locks.push_back(std::move(*lock));
    }
    return locks;
}

}  // namespace

void run_compiler(const Compilation& job, const std::vector<std::string>& command, const Retelling& retell,
                  BuildResult& result) {
    const Command started{.arguments = command,
                          .environment = {{"LC_ALL", "C"}, {"TMPDIR", job.folder.string()}},
                          .folder = (job.folder / "sources").string(),
                          .descriptors = {}};
    const auto left = std::max(std::chrono::duration_cast<std::chrono::milliseconds>(job.end - Clock::now()), 1ms);
    const Result<Finished> finished = run_to_end(started, job.stop, left);
    if (!finished) return end_build(result, Status::unavailable, finished.error().message);
    result.log = (result.log + finished->output).substr(0, log_limit);
    if (has_no_space(*finished)) {
        return end_build(result, Status::unavailable,
                         say("the compiler has no space left for its files in {}: delete something there, or name a "
                             "folder with more space in XDG_CACHE_HOME",
                             job.folder.parent_path().string()));
    }
    std::vector<CompilerMessage> messages =
        parse_compiler_output(finished->output.substr(0, log_limit), job.if_undefined);
    name_files_as_in_project(messages);
    retell(messages);
    result.messages.insert(result.messages.end(), messages.begin(), messages.end());
    if (finished->stopped) return end_build(result, Status::cancelled, "cancelled");
    if (finished->timed_out) {
        return end_build(result, Status::build_failed,
                         say("the compiler did not end within {:.0f} s; --timeout gives it longer", job.limit_seconds));
    }
    if (finished->exit.success()) return;
    const std::string signal = signal_of(*finished);
    if (is_request_to_end(signal)) return end_build(result, Status::cancelled, say(sentences::compiler_ended, signal));
    end_build(result, Status::build_failed,
              signal.empty() ? first_error(result) : say(sentences::compiler_killed, signal));
}

void note_dependencies(Compilation& job, const std::string& rule) {
    for (fs::path& each : outside_dependencies(read_file(job.folder / rule).value_or("")))
        job.read.push_back(std::move(each));
}

void build_in_scratch(const BuildCache& cache, const BuildRequest& request, const SourceFiles& files,
                      double limit_seconds, const Progress& progress, std::stop_token stop,
                      const std::function<void(Compilation&)>& compile, BuildResult& result) {
    const Result<ScratchFolder> scratch = cache.scratch();
    if (!scratch) return end_build(result, Status::unavailable, scratch.error().message);
    if (const auto written = write_source_tree(scratch->path / "sources", files); !written)
        return end_build(result, Status::unavailable, written.error().message);
    const Result<std::vector<FileLock>> locks = lock_for_compilers(request, progress, stop);
    if (!locks) {
        const Status status = stop.stop_requested() ? Status::cancelled : Status::unavailable;
        return end_build(result, status, locks.error().message);
    }
    const fs::file_time_type begin = fs::file_time_type::clock::now();
    const std::chrono::duration<double> limit(limit_seconds);
    const auto deadline = Clock::now() + std::chrono::duration_cast<Clock::duration>(limit);
    Compilation job{request, scratch->path, limit_seconds, deadline, std::move(stop), {}, {}};
    compile(job);
    if (result.status == Status::ok) cache.store(scratch->path, result, job.read, begin);
}

std::vector<CompilerMessage> parse_compiler_output(std::string_view output, Undefined if_undefined) {
    static const std::regex located(R"(^(.+?):(\d+):(?:(\d+):)? (fatal error|error|warning|note): (.*)$)");
    static const std::regex in_parentheses(R"(^(.+?)\((\d+)\): (error|warning)(?: #[\w-]+)?: (.*)$)");
    static const std::regex undefined(R"(undefined reference to [`'](.*)')");
    static const std::regex no_library(R"(cannot find -l(\S+?):)");
    std::vector<CompilerMessage> messages;
    for (const std::string& line : split(output, '\n')) {
        std::smatch match;
        if (line.size() > longest_line) continue;
        if (std::regex_match(line, match, located)) {
            const std::string severity = match[4] == "fatal error" ? "error" : match[4].str();
            messages.push_back({match[1], place_number(match[2]), match[3].matched ? place_number(match[3]) : 0,
                                severity, match[5].str()});
        } else if (std::regex_match(line, match, in_parentheses)) {
            messages.push_back({match[1], place_number(match[2]), 0, match[3], match[4].str()});
        } else if (std::regex_search(line, match, undefined)) {
            messages.push_back({"", 0, 0, "error", if_undefined(match[1])});
        } else if (std::regex_search(line, match, no_library)) {
            messages.push_back({"", 0, 0, "error",
                                say("the linker finds no library `{}`: install it, or name its folder by a flag `-L/…`",
                                    match[1].str())});
        }
    }
    return messages;
}

}  // namespace kernelgen
