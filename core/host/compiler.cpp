// SPDX-License-Identifier: Apache-2.0
#include "core/host/compiler.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <format>
#include <regex>

#include "core/backend/build_cache.h"
#include "core/backend/build_lock.h"
#include "core/backend/kernel_interface.h"
#include "core/base/file.h"
#include "core/base/process.h"
#include "core/base/sentences.h"
#include "core/base/text.h"
#include "core/host/kernel_source.h"

namespace kernelgen {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

constexpr auto compile_limit = 60s;
constexpr std::size_t log_limit = 64 << 10;

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

const BuildCache& build_cache() {
    static const BuildCache cache("host", {".so"});
    return cache;
}

/// Where the source does not end, the first errors are in the interface behind it: they become one of the source.
void tell_open_end(const BuildRequest& request, std::vector<CompilerMessage>& messages) {
    const std::string interface = "interface of " + request.implementation.variant.name;
    const auto is_behind = [&](const CompilerMessage& message) { return message.file == interface; };
    const auto tells = [&](const CompilerMessage& message) {
        return is_behind(message) && message.text.starts_with("expected '}' at end of input");
    };
    if (std::ranges::none_of(messages, tells)) return;
    std::erase_if(messages, is_behind);
    messages.insert(messages.begin(), open_end(request));
}

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
        if (line.size() > 2000 || !std::regex_search(line, match, driver)) continue;
        return match[1] == "Killed" ? "SIGKILL" : match[1].str();
    }
    return "";
}

/// Runs the compiler in `scratch`; on success its output lies there as kernel.so.
void run_compiler(const Compiler& compiler, const BuildRequest& request, const std::string& unit,
                  const fs::path& scratch, const Progress& progress, std::stop_token stop, BuildResult& result) {
    if (const auto written = write_file_atomic(scratch / "kernel.cpp", unit); !written) {
        return end_build(result, Status::unavailable, written.error().message);
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
    const Result<FileLock> lock = lock_for_build(request.device, progress, stop);
    if (!lock)
        return end_build(result, stop.stop_requested() ? Status::cancelled : Status::unavailable, lock.error().message);
    const Result<Finished> finished = run_to_end(command, stop, compile_limit);
    if (!finished) return end_build(result, Status::unavailable, finished.error().message);
    result.log = finished->output.substr(0, log_limit);
    result.messages = parse_compiler_output(result.log);
    tell_open_end(request, result.messages);
    if (finished->stopped) return end_build(result, Status::cancelled, "cancelled");
    if (finished->timed_out) return end_build(result, Status::build_failed, "the compiler did not end within 60 s");
    if (finished->exit.success()) return;
    const std::string signal = signal_of(*finished);
    end_build(result, Status::build_failed,
              signal.empty() ? first_error(result) : std::format(sentences::compiler_killed, signal));
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
                           const Progress& progress, std::stop_token stop) {
    BuildResult result;
    const auto start = std::chrono::steady_clock::now();
    const Result<std::string> unit = kernel_translation_unit(request);
    if (!unit) {
        end_build(result, Status::build_failed, unit.error().message);
        return result;
    }
    result.key = hash_hex(join(std::vector<std::string>{*unit, join(compiler_flags(request), " "), compiler.program,
                                                        compiler.version, processor, hash_of_folder(include_folder())},
                               "\n"));
    if (std::optional<BuildResult> known = build_cache().find(result.key)) return std::move(*known);
    const Result<ScratchFolder> scratch = build_cache().scratch();
    if (!scratch) {
        end_build(result, Status::unavailable, scratch.error().message);
        return result;
    }
    run_compiler(compiler, request, *unit, scratch->path, progress, stop, result);
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    result.artifact.language = Language::cpp;
    if (result.status == Status::ok) build_cache().store(scratch->path, result);
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
                {match[1], place_number(match[2]), match[3].matched ? place_number(match[3]) : 0, severity, match[5]});
        } else if (std::regex_search(line, match, undefined)) {
            messages.push_back({"", 0, 0, "error",
                                "nothing defines `" + match[1].str() +
                                    "`; a kernel is an `extern \"C\"` function of the variant's `entry` name"});
        }
    }
    return messages;
}

}  // namespace kernelgen
