// SPDX-License-Identifier: Apache-2.0
#include "core/host/compiler.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "core/backend/build_cache.h"
#include "core/backend/kernel_interface.h"
#include "core/backend/wrong_signature.h"
#include "core/base/file.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/host/compiler_run.h"
#include "core/host/instructions.h"
#include "core/host/kernel_source.h"

namespace kernelgen {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

constexpr double shortest_limit = 60;  ///< seconds for all sources of a variant

std::vector<std::string> compiler_flags(const BuildRequest& request) {
    std::vector<std::string> flags = {
        "-std=c++20",         "-O3",   "-march=native", "-fno-math-errno",          "-fno-trapping-math",
        "-ffp-contract=fast", "-fPIC", "-Wall",         "-fdiagnostics-color=never"};
    const std::vector<std::string>& own = request.implementation.variant.flags;
    flags.insert(flags.end(), own.begin(), own.end());
    const std::vector<std::string> macros = kernel_macros(request);
    flags.insert(flags.end(), macros.begin(), macros.end());
    flags.emplace_back("-iquote.");  // the project's folder, for `#include "…"`
    return flags;
}

fs::path include_folder() { return resource_folder() / "include"; }

const BuildCache& build_cache() {
    static const BuildCache cache("host", {".so"});
    return cache;
}

/// The errors in the interface behind a source become ones of the source: it does not end, or a kernel in it has not
/// the signature that its launch demands.
void move_into_source(const BuildRequest& request, const std::string& file, std::vector<CompilerMessage>& messages) {
    const Implementation& implementation = request.implementation;
    const Variant& variant = implementation.variant;
    const auto further = implementation.files.find(file);
    const std::string& text = further == implementation.files.end() ? implementation.text : further->second;
    const auto is_behind = [&](const CompilerMessage& message) { return message.file == interface_name(variant); };
    const auto tells_open_end = [&](const CompilerMessage& message) {
        return is_behind(message) && message.text.text().starts_with("expected '}' at end of input");
    };
    if (std::ranges::any_of(messages, tells_open_end)) {
        std::erase_if(messages, is_behind);
        messages.insert(messages.begin(), open_end(file, text));
        return;
    }
    // First, since most other errors follow from it.
    std::vector<CompilerMessage> first;
    for (const CompilerMessage& message : messages) {
        if (!is_behind(message) || message.severity != "error") continue;
        const std::string named = kernel_quoted_in(variant, message.text, '\'');
        const std::string& entry = named.empty() ? variant.entry : named;
        CompilerMessage error = wrong_signature(file, text, entry, demanded_prototype(request, entry));
        if (!std::ranges::contains(first, error)) first.push_back(std::move(error));
    }
    std::erase_if(messages, is_behind);
    messages.insert(messages.begin(), first.begin(), first.end());
}

/// Runs the compiler among the sources. `file` is what it compiles; "" where it links.
void run(const Compiler& compiler, const Compilation& job, const std::string& file,
         const std::vector<std::string>& arguments, BuildResult& result) {
    std::vector<std::string> command = {compiler.program};
    for (std::string& flag : compiler_flags(job.request)) command.push_back(std::move(flag));
    command.insert(command.end(), arguments.begin(), arguments.end());
    const auto retell = [&](std::vector<CompilerMessage>& messages) { move_into_source(job.request, file, messages); };
    run_compiler(job, command, retell, result);
}

/// Compiles one translation unit into `object` beside the sources, and notes what it read of this machine.
void compile_unit(const Compiler& compiler, Compilation& job, const std::string& file, const std::string& object,
                  BuildResult& result) {
    const std::string rule = object + ".d";
    run(compiler, job, file,
        {"-I" + include_folder().string(), "-MD", "-MF", "../" + rule, "-c", "-x", "c++", "./" + file, "-o",
         "../" + object},
        result);
    note_dependencies(job, rule);
}

/// Compiles the units one after another and links them into kernel.so in the job's folder.
void compile_all(const Compiler& compiler, Compilation& job, const SourceFiles& units, BuildResult& result) {
    job.if_undefined = [](const std::string& symbol) {
        return say("nothing defines `{}`; a kernel is an `extern \"C\"` function of the variant's `entry` name",
                   symbol);
    };
    std::vector<std::string> linking = {"-shared", "-Wl,-z,defs"};
    for (const auto& [file, text] : units) {
        const std::string object = std::to_string(linking.size()) + ".o";
        compile_unit(compiler, job, file, object, result);
        if (result.status != Status::ok) return;
        linking.push_back("../" + object);
    }
    linking.insert(linking.end(), {"-o", "../kernel.so"});
    run(compiler, job, "", linking, result);
    if (result.status == Status::ok) result.resources = instruction_counts_of(job.folder / "kernel.so");
}

std::string build_key(const Compiler& compiler, const std::string& processor, const BuildRequest& request,
                      const SourceFiles& units) {
    std::vector<std::string> parts = {join(compiler_flags(request), "\n"),
                                      "counts of instructions, as of version 3",
                                      compiler.program,
                                      compiler.version,
                                      processor,
                                      hash_of_folder(include_folder()),
                                      hash_of_sources(request.implementation)};
    for (const auto& [file, text] : units) parts.insert(parts.end(), {file, text});
    return hash_hex(join(parts, "\n"));
}

}  // namespace

Result<Compiler> find_compiler() {
    const char* named = std::getenv("KERNELGEN_CXX");
    const std::vector<std::string> programs =
        named != nullptr && *named != '\0' ? std::vector<std::string>{named} : std::vector<std::string>{"g++", "c++"};
    Said reason;
    for (const std::string& program : programs) {
        Command command{
            .arguments = {program, "--version"}, .environment = {{"LC_ALL", "C"}}, .folder = {}, .descriptors = {}};
        const Result<Finished> finished = run_to_end(command, {}, 10s);
        if (finished && finished->exit.success()) return Compiler{program, split(finished->output, '\n').front()};
        reason = finished ? say("`{} --version` {}", program, to_string(finished->exit)) : finished.error().message;
    }
    return fail(say("no C++ compiler: {}; install g++, or name one in KERNELGEN_CXX", reason));
}

BuildResult compile_kernel(const Compiler& compiler, const std::string& processor, const BuildRequest& request,
                           const Progress& progress, std::stop_token stop) {
    BuildResult result;
    const auto start = Clock::now();
    const Result<SourceFiles> units = kernel_translation_units(request);
    if (!units) {
        end_build(result, Status::build_failed, units.error().message);
        return result;
    }
    result.key = build_key(compiler, processor, request, *units);
    if (std::optional<BuildResult> known = build_cache().find(result.key)) return std::move(*known);
    result.artifact.language = Language::cpp;
    SourceFiles files = *units;
    files.insert(request.implementation.files.begin(), request.implementation.files.end());
    build_in_scratch(
        build_cache(), request, files, std::max(shortest_limit, request.timeout_seconds), progress, std::move(stop),
        [&](Compilation& job) { compile_all(compiler, job, *units, result); }, result);
    result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return result;
}

}  // namespace kernelgen
