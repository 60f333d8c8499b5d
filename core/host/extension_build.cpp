// SPDX-License-Identifier: Apache-2.0
#include "core/host/extension_build.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <format>

#include "core/backend/build_cache.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/host/compiler_run.h"
#include "core/host/environment.h"
#include "core/host/extension_source.h"
#include "core/project/project.h"
#include "core/project/why_not_on.h"
#include "core/python/interpreter.h"
#include "core/python/toolchain.h"

namespace kernelgen {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Flags = std::vector<std::string>;

namespace {

constexpr double times_limit = 20;  ///< PyTorch's headers take a compiler many seconds, nvcc minutes

const BuildCache& extension_cache() {
    static const BuildCache cache("extension", {".so"});
    return cache;
}

void append(Flags& flags, const Flags& more) { flags.insert(flags.end(), more.begin(), more.end()); }

/// What one build is made with.
struct Tools {
    Compiler compiler;     ///< of C++
    Compiler cuda;         ///< nvcc, where a source is of CUDA
    TorchToolchain torch;  ///< empty for interface `plain`
    std::string architecture;
};

bool needs_nvcc(const BuildRequest& request) { return has_cuda_source(request.implementation.variant); }

/// The project's own flags, and its tunables as macros.
Flags own_flags(const BuildRequest& request) {
    Flags flags = request.implementation.variant.flags;
    for (const auto& [name, value] : request.implementation.configuration)
        flags.push_back(std::format("-D{}={}", name, value));
    return flags;
}

Flags compile_flags(const Tools& tools, const BuildRequest& request, bool is_cuda) {
    Flags flags = {"-std=c++17", "-O3"};
    if (is_cuda) {
        append(flags, {"-arch=" + tools.architecture, "-Xcompiler", "-fPIC", "-Xptxas", "-v"});
        append(flags, tools.torch.nvcc);
    } else {
        append(flags, {"-march=native", "-fPIC", "-Wall", "-fdiagnostics-color=never"});
    }
    if (!is_plain(request.implementation.variant))
        flags.push_back(std::string("-DTORCH_EXTENSION_NAME=") + extension_module);
    append(flags, own_flags(request));
    append(flags, tools.torch.compile);
    flags.emplace_back(is_cuda ? "-I." : "-iquote.");  // the project's folder, for `#include "…"`
    return flags;
}

/// Compiles one file into `object` beside the sources, and notes what it read of this machine.
void compile_file(const Tools& tools, Compilation& job, const std::string& file, const std::string& object,
                  const Retelling& retell, BuildResult& result) {
    const bool is_cuda = is_cuda_source(file);
    Flags command = {is_cuda ? tools.cuda.program : tools.compiler.program};
    append(command, compile_flags(tools, job.request, is_cuda));
    append(command, {"-MD", "-MF", "../" + object + ".d", "-c", "./" + file, "-o", "../" + object});
    run_compiler(job, command, retell, result);
    note_dependencies(job, object + ".d");
}

void link(const Tools& tools, const Compilation& job, const Flags& objects, const Retelling& retell,
          BuildResult& result) {
    const bool is_cuda = needs_nvcc(job.request);
    Flags command = {is_cuda ? tools.cuda.program : tools.compiler.program, "-shared"};
    append(command, objects);
    append(command, tools.torch.link);
    if (!tools.architecture.empty()) append(command, tools.torch.link_cuda);
    append(command, job.request.implementation.variant.flags);
    // Python's own functions are found when it loads the file, so that undefined ones are known here only without it.
    if (is_plain(job.request.implementation.variant))
        append(command, is_cuda ? Flags{"-Xlinker", "-z,defs"} : Flags{"-Wl,-z,defs"});
    append(command, {"-o", "../kernel.so"});
    run_compiler(job, command, retell, result);
}

void compile_and_link(const Tools& tools, Compilation& job, const Flags& units, const Progress& progress,
                      BuildResult& result) {
    job.if_undefined = [](const std::string& symbol) {
        return say("nothing defines `{}`; list its file in `sources`, or its library in `flags`", symbol);
    };
    const Retelling retell = [&](std::vector<CompilerMessage>& messages) {
        move_into_extension(job.request.implementation, messages);
    };
    Flags objects;
    for (const std::string& unit : units) {
        const int done = static_cast<int>(objects.size());
        if (progress) progress("build " + unit, done, static_cast<int>(units.size()) + 1);
        const std::string object = std::format("{}.o", done);
        compile_file(tools, job, unit, object, retell, result);
        if (result.status != Status::ok) return;
        objects.push_back("../" + object);
    }
    link(tools, job, objects, retell, result);
}

/// The tools, but for those of PyTorch. Errors, with what to do: one is missing.
Result<Tools> find_tools(const Result<Compiler>& compiler, const std::string& architecture,
                         const BuildRequest& request) {
    const Result<PythonInterpreter>& interpreter = python_interpreter();
    if (!interpreter) return std::unexpected(interpreter.error());
    if (const auto missing = interpreter->lacks(Language::extension, "cpu")) return fail(*missing);
    if (!compiler) return std::unexpected(compiler.error());
    Tools tools{*compiler, {}, {}, architecture};
    if (!needs_nvcc(request)) return tools;
    if (architecture.empty()) return fail(why_not_on(request.implementation.variant, "cpu"));
    if (!nvcc()) return std::unexpected(nvcc().error());
    tools.cuda = *nvcc();
    return tools;
}

std::string extension_key(const Tools& tools, const BuildRequest& request, const ExtensionSources& sources) {
    Flags parts = {join(compile_flags(tools, request, false), "\n"),
                   join(compile_flags(tools, request, true), "\n"),
                   tools.architecture,
                   tools.compiler.program,
                   tools.compiler.version,
                   tools.cuda.program,
                   tools.cuda.version,
                   python_interpreter()->program,
                   python_interpreter()->text(),
                   host_environment().hardware,
                   join(sources.units, "\n")};
    for (const auto& [file, text] : sources.files) append(parts, {file, text});
    return hash_hex(join(parts, "\n"));
}

/// The built file as an executor loads it.
void describe_artifact(const BuildRequest& request, BuildResult& result) {
    const Variant& variant = request.implementation.variant;
    result.artifact.language = Language::extension;
    result.artifact.python.file = variant.source;
    result.artifact.python.entry = variant.entry;
    result.artifact.python.interface = is_plain(variant) ? "plain" : "torch";
    result.artifact.python.callable = request.implementation.callable;
}

void build_afresh(Tools tools, const BuildRequest& request, const ExtensionSources& sources, const Progress& progress,
                  std::stop_token stop, BuildResult& result) {
    if (!is_plain(request.implementation.variant)) {
        const Result<TorchToolchain>& torch = torch_toolchain();
        if (!torch) return end_build(result, Status::unavailable, torch.error().message);
        tools.torch = *torch;
    }
    build_in_scratch(
        extension_cache(), request, sources.files, times_limit * request.timeout_seconds, progress, std::move(stop),
        [&](Compilation& job) { compile_and_link(tools, job, sources.units, progress, result); }, result);
}

std::vector<std::string> places_of_nvcc() {
    std::vector<std::string> places;
    if (const char* named = std::getenv("KERNELGEN_NVCC"); named != nullptr && *named != '\0') return {named};
    for (const char* name : {"CUDA_HOME", "CUDA_PATH"}) {
        if (const char* folder = std::getenv(name); folder != nullptr && *folder != '\0')
            places.push_back((fs::path(folder) / "bin" / "nvcc").string());
    }
    append(places, {"nvcc", "/usr/local/cuda/bin/nvcc"});
    return places;
}

Result<Compiler> find_nvcc() {
    for (const std::string& program : places_of_nvcc()) {
        const Command command{
            .arguments = {program, "--version"}, .environment = {{"LC_ALL", "C"}}, .folder = {}, .descriptors = {}};
        const Result<Finished> finished = run_to_end(command, {}, 10s);
        if (finished && finished->exit.success()) return Compiler{program, finished->output};
    }
    return fail(
        "no nvcc, which compiles the `.cu` files of language `extension`: install a CUDA toolkit, or name its nvcc in "
        "KERNELGEN_NVCC");
}

}  // namespace

const Result<Compiler>& nvcc() {
    static const Result<Compiler> found = find_nvcc();
    return found;
}

BuildResult build_extension(const Result<Compiler>& compiler, const std::string& architecture,
                            const BuildRequest& request, const Progress& progress, std::stop_token stop) {
    BuildResult result;
    const Clock::time_point begin = Clock::now();
    const Result<Tools> tools = find_tools(compiler, architecture, request);
    if (!tools) {
        end_build(result, Status::unavailable, tools.error().message);
        return result;
    }
    const ExtensionSources sources = extension_sources(request.implementation);
    result.key = extension_key(*tools, request, sources);
    if (std::optional<BuildResult> known = extension_cache().find(result.key)) result = std::move(*known);
    else build_afresh(*tools, request, sources, progress, std::move(stop), result);
    if (!result.cached) result.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (result.status == Status::ok) describe_artifact(request, result);
    return result;
}

void add_extension_language(DeviceInfo& device, const Result<Compiler>& compiler) {
    if (!std::ranges::contains(device.languages, Language::torch)) return;
    if (compiler) device.languages.push_back(Language::extension);
    const bool is_cuda = kind_of_device(device.name) == "cuda";
    if (is_cuda && !nvcc()) device.notes.push_back(nvcc().error().message);
}

}  // namespace kernelgen
