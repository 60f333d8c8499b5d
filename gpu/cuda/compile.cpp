// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/compile.h"

#include <cxxabi.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <memory>

#include "core/backend/build_cache.h"
#include "core/backend/build_lock.h"
#include "core/backend/kernel_interface.h"
#include "core/backend/source_tree.h"
#include "core/base/file.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/project/name_expression.h"
#include "core/project/source_files.h"
#include "gpu/cuda/cuda_source.h"
#include "gpu/cuda/kernel_usage.h"
#include "gpu/cuda/toolkit_headers.h"

namespace kernelgen {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

constexpr auto compile_limit = 120s;
constexpr std::size_t log_limit = 64 << 10;
constexpr std::int64_t always_allowed_shared_bytes = 48 << 10;  // to any kernel, static

const BuildCache& build_cache() {
    static const BuildCache cache("cuda", {".cubin", ".ptx"});
    return cache;
}

/// Options for the folders of headers: those for kernels, then those that a compiler without a C library lacks, then
/// the toolkit's, then the project's.
std::vector<std::string> include_options(const std::vector<fs::path>& toolkit) {
    std::vector<std::string> options = {"-I" + (resource_folder() / "include").string(),
                                        "-I" + (resource_folder() / "nvrtc").string()};
    for (const fs::path& folder : toolkit) options.push_back("-I" + folder.string());
    options.emplace_back("-I.");
    return options;
}

std::vector<std::string> compiler_options(const std::string& architecture, const BuildRequest& request) {
    // NVRTC takes a generic lambda for a host function unless functions are the device's by default.
    std::vector<std::string> options = {"--std=c++20", "-arch=" + architecture, "--ptxas-options=-v", "--fmad=true",
                                        "-lineinfo",   "-default-device"};
    const std::vector<std::string>& own = request.implementation.variant.flags;
    options.insert(options.end(), own.begin(), own.end());
    const std::vector<std::string> macros = kernel_macros(request);
    options.insert(options.end(), macros.begin(), macros.end());
    return options;
}

std::vector<std::string> name_expressions(const Variant& variant) {
    std::vector<std::string> entries = entries_of(variant);
    std::erase_if(entries, [](const std::string& entry) { return !is_name_expression(entry); });
    return entries;
}

std::string build_key(const NvrtcLibrary& nvrtc, const std::vector<fs::path>& toolkit, const NvrtcProgram& unit,
                      const Implementation& implementation) {
    std::string constants;  // whose absence from the result is an error
    for (const Launch& launch : implementation.variant.launches) {
        for (const ConstantCopy& each : launch.constants) constants += each.constant + " ";
    }
    std::vector<std::string> parts = {unit.source + constants,
                                      hash_of_sources(implementation),
                                      join(unit.options, "\n"),
                                      nvrtc.path.string(),
                                      nvrtc.version,
                                      hash_of_folder(resource_folder() / "include"),
                                      hash_of_folder(resource_folder() / "nvrtc")};
    for (const fs::path& folder : toolkit) parts.push_back(folder.string());
    return hash_hex(join(parts, "\n"));
}

/// A log within the limit, with what ptxas says, which comes last.
std::string bounded_log(const std::string& log) {
    if (log.size() <= log_limit) return log;
    const std::string mark = "\n… some messages are left out …\n";
    const std::size_t usage = log.find("ptxas info");
    const std::size_t tail = usage == std::string::npos ? 0 : std::min(log.size() - usage, log_limit / 2);
    return log.substr(0, log_limit - tail - mark.size()) + mark + log.substr(log.size() - tail);
}

/// A kernel's symbol as the source names it: "void softmax<float, 1024>(float const*, float*)" of an instance of a
/// template.
std::string readable(const std::string& symbol) {
    const std::unique_ptr<char, decltype(&std::free)> text(
        abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, nullptr), &std::free);
    return text == nullptr ? symbol : text.get();
}

/// The reason where NVRTC fails without a message: more static shared memory than the architecture allows.
Said unspoken_reason(const BuildResult& result) {
    for (const KernelUsage& kernel : parse_kernel_usage(result.log)) {
        if (kernel.static_shared_bytes <= always_allowed_shared_bytes) continue;
        return say(
            "`{}` declares {} bytes of static shared memory, more than this architecture allows: declare it `extern "
            "__shared__` and give launch.shared_bytes",
            readable(kernel.entry), kernel.static_shared_bytes);
    }
    return "";
}

void take_failure(BuildResult& result) {
    const Said unspoken = tells_error(result.messages) ? "" : unspoken_reason(result);
    if (!unspoken.empty()) return end_build(result, Status::over_limit, unspoken);
    const Said reason = first_error(result);
    const bool too_much = reason.text().contains("uses too much");
    end_build(result, too_much ? Status::over_limit : Status::build_failed, reason);
}

/// Runs the compiler in `scratch`; on success kernel.cubin and kernel.ptx lie there.
void run_compiler(const Command& command, const NvrtcLibrary& nvrtc, const BuildRequest& request,
                  const Progress& progress, std::stop_token stop, BuildResult& result) {
    // The compiler would disturb what is timed on the CPU, and a little what is timed on its own device.
    std::vector<std::string> devices = {"cpu"};
    if (!request.is_ahead) devices.push_back(request.device);
    std::vector<FileLock> locks;
    for (const std::string& device : devices) {
        Result<FileLock> lock = lock_for_build(device, progress, stop);
        if (!lock) {
            const Status status = stop.stop_requested() ? Status::cancelled : Status::unavailable;
            return end_build(result, status, lock.error().message);
        }
        locks.push_back(std::move(*lock));
    }
    const Result<Finished> finished = run_to_end(command, stop, compile_limit);
    if (!finished) return end_build(result, Status::unavailable, finished.error().message);
    result.log = bounded_log(finished->output);
    result.messages =
        parse_nvrtc_log(request, result.log, read_file(fs::path(command.folder) / "kernel.ptx").value_or(""));
    name_files_as_in_project(result.messages);
    explain_error(toolkit_include_folders(nvrtc), request.implementation, result.messages);
    if (finished->stopped) return end_build(result, Status::cancelled, "cancelled");
    if (finished->timed_out) return end_build(result, Status::build_failed, "the compiler did not end within 120 s");
    if (finished->exit.success()) return;
    if (finished->exit.signal == 0 && finished->exit.status == 1) return take_failure(result);
    if (finished->exit.signal == 0 && finished->exit.status == 2) {
        return end_build(result, Status::unavailable, std::string(trim(finished->output)));
    }
    end_build(result, Status::build_failed,
              say("the CUDA compiler {}; change the source, or name another NVRTC in KERNELGEN_NVRTC",
                  to_string(finished->exit)));
}

SourceFiles all_files(const Implementation& implementation) {
    SourceFiles files = implementation.files;
    files[implementation.variant.source] = implementation.text;
    return files;
}

/// The files outside the project that a build may have read. NVRTC does not tell which it reads, so these are all that
/// the sources may include from the folders that `options` name.
std::vector<fs::path> files_outside(const Implementation& implementation, const std::vector<std::string>& options) {
    const SourceFiles own = all_files(implementation);
    const SourceReader read = [&](const std::string& path) -> Result<std::optional<std::string>> {
        const auto known = own.find(path);
        if (known != own.end()) return known->second;
        std::error_code error;
        if (!fs::path(path).is_absolute() || !fs::is_regular_file(path, error)) return std::nullopt;
        return read_file(path).value_or("");
    };
    Variant as_compiled = implementation.variant;
    as_compiled.flags = options;
    const Result<SourceFiles> found = included_files(as_compiled, own, read);
    std::vector<fs::path> files;
    for (const auto& [file, text] : found.value_or(SourceFiles())) {
        if (fs::path(file).is_absolute()) files.emplace_back(file);
    }
    return files;
}

void build_in_scratch(const std::string& program, const NvrtcProgram& unit, const NvrtcLibrary& nvrtc,
                      const BuildRequest& request, const Progress& progress, std::stop_token stop,
                      BuildResult& result) {
    const Result<ScratchFolder> scratch = build_cache().scratch();
    if (!scratch) return end_build(result, Status::unavailable, scratch.error().message);
    const auto written = write_file_atomic(scratch->path / "request.json", cuda_compiler_request(nvrtc.path, unit));
    if (!written) return end_build(result, Status::unavailable, written.error().message);
    if (const auto files = write_source_tree(scratch->path / "sources", all_files(request.implementation)); !files)
        return end_build(result, Status::unavailable, files.error().message);
    const fs::file_time_type begin = fs::file_time_type::clock::now();
    const Command command{.arguments = {program, "cuda-compiler"},
                          .environment = {{"LC_ALL", "C"}, {"TMPDIR", scratch->path.string()}},
                          .folder = scratch->path.string(),
                          .descriptors = {}};
    run_compiler(command, nvrtc, request, progress, stop, result);
    if (result.status != Status::ok) return;
    result.artifact.symbols = read_symbols(scratch->path);
    const std::vector<CompilerMessage> missing =
        missing_symbols(request, result.artifact, read_file(scratch->path / "kernel.ptx").value_or(""));
    result.messages.insert(result.messages.end(), missing.begin(), missing.end());
    if (!missing.empty()) return end_build(result, Status::build_failed, first_error(result));
    build_cache().store(scratch->path, result, files_outside(request.implementation, unit.options), begin);
}

}  // namespace

BuildResult compile_cuda(const std::string& program, const NvrtcLibrary& nvrtc, const std::string& architecture,
                         const BuildRequest& request, const Progress& progress, std::stop_token stop) {
    BuildResult result;
    const auto start = std::chrono::steady_clock::now();
    const Result<std::string> unit = cuda_translation_unit(request);
    if (!unit) {
        end_build(result, Status::build_failed, unit.error().message);
        return result;
    }
    const Variant& variant = request.implementation.variant;
    const std::vector<fs::path> toolkit = toolkit_include_folders(nvrtc);
    NvrtcProgram compiled{variant.source, *unit, compiler_options(architecture, request), name_expressions(variant)};
    result.key = build_key(nvrtc, toolkit, compiled, request.implementation);
    if (std::optional<BuildResult> known = build_cache().find(result.key)) return std::move(*known);
    for (std::string& option : include_options(toolkit)) compiled.options.push_back(std::move(option));
    result.artifact.language = Language::cuda;
    build_in_scratch(program, compiled, nvrtc, request, progress, stop, result);
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return result;
}

Result<std::string> ptx_of(const BuildResult& result) { return read_file(build_cache().file(result.key, ".ptx")); }

}  // namespace kernelgen
