// SPDX-License-Identifier: Apache-2.0
#include "core/host/host_backend.h"

#include <unistd.h>

#include <algorithm>
#include <format>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/backend/idle_executors.h"
#include "core/host/assembly.h"
#include "core/host/ceilings.h"
#include "core/host/compiler.h"
#include "core/host/environment.h"
#include "core/host/extension_build.h"
#include "core/host/loaded_kernel.h"
#include "core/python/interpreter.h"
#include "core/python/python_build.h"
#include "core/python/python_executor.h"

namespace kernelgen {
namespace {

class HostBackend final : public Backend {
public:
    explicit HostBackend(std::string program) : program_(std::move(program)) {}

    std::string kind() const override { return "cpu"; }
    BackendTraits traits() const override { return {.guards_pages = true, .interprets_triton = true, .is_host = true}; }
    std::vector<DeviceInfo> devices() override;
    BuildResult build(const BuildRequest& request, const Progress& progress, std::stop_token stop) override;
    Result<std::shared_ptr<Executor>> start_executor(const std::string& device, const ExecutorUse& use,
                                                     std::stop_token stop) override;
    void expect(const std::string& device, const std::vector<ExecutorUse>& uses) override;
    SampleLength sample_length(const std::string& device) const override;
    Counters count(Executor& executor, int slot, const std::string& device, const Artifact& artifact, const Call& call,
                   std::stop_token stop) override;
    Result<Ceilings> measure_ceilings(const std::string& device, const Progress& progress,
                                      std::stop_token stop) override;

private:
    const Result<Compiler>& compiler();
    Environment environment();
    BuildResult find_primitive(const Variant& variant);
    void add_assembly(const BuildRequest& request, const Progress& progress, std::stop_token stop, BuildResult& result);

    std::string program_;
    PythonBuilder python_builder_;
    IdleExecutors idle_executors_;
    std::once_flag searched_;
    std::optional<Result<Compiler>> compiler_;
};

BuildResult refused(Status status, Said reason) {
    BuildResult result;
    result.status = status;
    result.reason = std::move(reason);
    return result;
}

const Result<Compiler>& HostBackend::compiler() {
    std::call_once(searched_, [this] { compiler_.emplace(find_compiler()); });
    return *compiler_;
}

Environment HostBackend::environment() {
    Environment environment = host_environment();
    environment.compiler = compiler() ? compiler()->version : "none";
    if (const Result<std::string> version = onednn_version()) environment.libraries = "oneDNN " + *version;
    return environment;
}

std::vector<DeviceInfo> HostBackend::devices() {
    DeviceInfo device;
    device.name = "cpu";
    device.available = true;
    device.environment = environment();
    device.numbers = {{"threads", device.environment.threads}};
    device.description = std::format("{}, {} threads", device.environment.hardware, device.environment.threads);
    if (compiler()) device.languages.push_back(Language::cpp);
    else device.notes.push_back(compiler().error().message);
    if (const Result<std::string> version = onednn_version()) device.languages.push_back(Language::library);
    else device.notes.push_back(version.error().message);
    add_python_languages(device);
    add_extension_language(device, compiler());
    return {device};
}

BuildResult HostBackend::find_primitive(const Variant& variant) {
    if (variant.library != "onednn")
        return refused(Status::unavailable, say("no library `{}` for the CPU; there is: onednn", variant.library));
    const Result<std::unique_ptr<LoadedKernel>> kernel = load_onednn_primitive(variant.primitive);
    if (!kernel) return refused(Status::unavailable, kernel.error().message);
    BuildResult result;
    result.artifact = {Language::library, "", variant.library, variant.primitive};
    return result;
}

/// Adds the assembly, or a note that says why there is none.
void HostBackend::add_assembly(const BuildRequest& request, const Progress& progress, std::stop_token stop,
                               BuildResult& result) {
    const Result<std::string> text =
        host_assembly(*compiler(), host_environment().hardware, request, progress, std::move(stop));
    if (text) result.texts["assembly"] = *text;
    else result.messages.push_back({"", 0, 0, "note", text.error().message});
}

BuildResult HostBackend::build(const BuildRequest& request, const Progress& progress, std::stop_token stop) {
    const Variant& variant = request.implementation.variant;
    if (variant.language == Language::library) return find_primitive(variant);
    if (is_python(variant.language)) {
        const auto start = [&] { return start_executor("cpu", use_for({&request.implementation}), stop); };
        const auto nothing_compiled = [](const std::vector<TrialKernel>&, BuildResult&) {};
        return python_builder_.build(request, kind(), start, nothing_compiled, progress, stop);
    }
    if (variant.language == Language::extension)
        return build_extension(compiler(), "", request, progress, std::move(stop));
    if (variant.language != Language::cpp) {
        return refused(Status::unavailable, say("variant `{}` is in `{}`, which does not run on the CPU", variant.name,
                                                to_string(variant.language)));
    }
    if (!compiler()) return refused(Status::unavailable, compiler().error().message);
    BuildResult result = compile_kernel(*compiler(), host_environment().hardware, request, progress, stop);
    if (result.status == Status::ok && std::ranges::contains(request.texts, "assembly"))
        add_assembly(request, progress, std::move(stop), result);
    return result;
}

/// The environment of an executor.
std::map<std::string, std::string> executor_environment() {
    // OpenMP's threads (libgomp's, as oneDNN's are, or LLVM's) sit on the same CPUs as the pool's, and stop spinning
    // soon after a region.
    std::string places;
    for (const int cpu : allowed_cpus()) places += std::format("{}{{{}}}", places.empty() ? "" : ",", cpu);
    return {{"OMP_PROC_BIND", "close"},
            {"OMP_PLACES", places},
            {"OMP_DYNAMIC", "false"},
            {"GOMP_SPINCOUNT", "20000"},
            {"KMP_BLOCKTIME", "1"},
            // The heap keeps free memory at its end. Otherwise a kernel whose memory lies there would give it back
            // after each call and get fresh pages in the next one, and the kernels that it is compared with would not.
            {"MALLOC_TRIM_THRESHOLD_", "4000000000"},
            {"MALLOC_MMAP_THRESHOLD_", "33554432"}};
}

Result<std::unique_ptr<Executor>> start_python(std::stop_token stop) {
    return start_python_executor("cpu", {"cpu"}, executor_environment(), std::move(stop));
}

Result<std::shared_ptr<Executor>> HostBackend::start_executor(const std::string& device, const ExecutorUse& use,
                                                              std::stop_token stop) {
    if (device != "cpu") return fail(say("no device `{}` here; there is: cpu", device));
    // A kernel can do in its process what it likes: of the native ones each serves once.
    if (use.kind == ExecutorKind::native) return Executor::start({program_, "executor"}, executor_environment());
    return idle_executors_.take(device, use, start_python, std::move(stop));
}

void HostBackend::expect(const std::string& device, const std::vector<ExecutorUse>& uses) {
    if (device == "cpu") idle_executors_.expect(device, python_uses(uses), start_python);
}

SampleLength HostBackend::sample_length(const std::string&) const {
    constexpr double seconds = 200e-6;  // the timer resolves well below 1 us
    const double second_level = static_cast<double>(std::max(0l, ::sysconf(_SC_LEVEL2_CACHE_SIZE)));
    return {seconds, seconds, second_level * static_cast<double>(allowed_cpus().size()) / 2};
}

Counters HostBackend::count(Executor& executor, int slot, const std::string&, const Artifact&, const Call&,
                            std::stop_token) {
    Counters counters;
    double hit_rate = 0;
    const Outcome counted = executor.count(slot, hit_rate);
    if (counted.ok()) counters.cache_hit_rate = hit_rate;
    else counters.reason = counted.reason;
    return counters;
}

Result<Ceilings> HostBackend::measure_ceilings(const std::string& device, const Progress& progress,
                                               std::stop_token stop) {
    if (device != "cpu") return fail(say("no device `{}` here; there is: cpu", device));
    return measure_host_ceilings(*this, environment(), progress, stop);
}

}  // namespace

std::unique_ptr<Backend> make_host_backend(std::string program) {
    return std::make_unique<HostBackend>(std::move(program));
}

}  // namespace kernelgen
