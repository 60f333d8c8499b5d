// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cuda_backend.h"

#include <format>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "core/backend/build_cache.h"
#include "core/backend/idle_executors.h"
#include "core/base/file.h"
#include "core/base/sentences.h"
#include "core/base/text.h"
#include "core/host/extension_build.h"
#include "core/measure/device_lock.h"
#include "core/python/interpreter.h"
#include "core/python/python_build.h"
#include "core/python/python_executor.h"
#include "gpu/cuda/builder.h"
#include "gpu/cuda/cuda_ceilings.h"
#include "gpu/cuda/device_kernel.h"
#include "gpu/cuda/devices.h"
#include "gpu/cuda/model_devices.h"
#include "gpu/cuda/profiler.h"
#include "gpu/cuda/resource_usage.h"
#include "gpu/cuda/triton_resources.h"

namespace kernelgen {
namespace {

constexpr const char* default_model = "h200";  // what cuda:0 is built for where no device is

class CudaBackend final : public Backend {
public:
    explicit CudaBackend(std::string program) : program_(program), builder_(std::move(program)) {
        set_names_of_locks(cuda::name_of_lock);
    }

    std::string kind() const override { return "cuda"; }
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
    void rest() override;

private:
    DeviceInfo describe(const cuda::PresentDevice& device, const std::string& name);
    Result<std::vector<std::string>> place_of(const std::string& device, std::stop_token stop);
    BuildResult find_primitive(const Variant& variant);
    BuildResult build_python(const BuildRequest& request, const Progress& progress, std::stop_token stop);
    BuildResult build_native(const BuildRequest& request, const Progress& progress, std::stop_token stop);

    std::string program_;
    CudaBuilder builder_;
    PythonBuilder python_builder_;
    IdleExecutors idle_executors_;
    IdleExecutors compilers_{static_cast<std::ptrdiff_t>(std::thread::hardware_concurrency())};  ///< without a device
};

int ordinal_of(const std::string& device) {
    long long ordinal = 0;
    parse_integer(std::string_view(device).substr(std::string_view("cuda:").size()), ordinal);
    return static_cast<int>(ordinal);
}

BuildResult refused(Status status, Said reason) {
    BuildResult result;
    end_build(result, status, std::move(reason));
    return result;
}

DeviceInfo CudaBackend::describe(const cuda::PresentDevice& device, const std::string& name) {
    DeviceInfo info;
    info.name = name;
    info.available = true;
    info.environment = cuda::environment_of(device, name);
    info.numbers = numbers_of(device.model);
    info.description = std::format("{}, {:.0f} GiB", device.model.name, info.environment.memory_gib);
    if (const Result<NvrtcLibrary>& nvrtc = builder_.compiler()) {
        info.languages.push_back(Language::cuda);
        info.environment.compiler = "NVRTC " + nvrtc->version;
    } else {
        info.notes.push_back(nvrtc.error().message);
        info.environment.compiler = "none";
    }
    if (const Result<std::string> version = cuda::cudnn_version()) {
        info.languages.push_back(Language::library);
        info.environment.libraries = "cuDNN " + *version;
    } else {
        info.notes.push_back(version.error().message);
    }
    add_python_languages(info);
    add_extension_language(info, find_compiler());
    return info;
}

std::vector<DeviceInfo> CudaBackend::devices() {
    std::vector<DeviceInfo> all;
    const Result<std::vector<cuda::PresentDevice>> present = cuda::present_devices();
    if (!present) {
        DeviceInfo missing;
        missing.name = "cuda:0";
        missing.reason = present.error().message;
        if (const Result<DeviceModel> model = find_device_model(default_model)) missing.numbers = numbers_of(*model);
        all.push_back(missing);
    }
    for (std::size_t i = 0; present && i < present->size(); ++i) {
        all.push_back(describe((*present)[i], std::format("cuda:{}", i)));
    }
    for (DeviceInfo& model : model_devices(builder_.compiler())) all.push_back(std::move(model));
    return all;
}

BuildResult CudaBackend::find_primitive(const Variant& variant) {
    if (variant.library != "cudnn")
        return refused(Status::unavailable, say("no library `{}` for CUDA; there is: cudnn", variant.library));
    if (const auto kernel = cuda::load_cudnn_primitive(variant.primitive); !kernel)
        return refused(Status::unavailable, kernel.error().message);
    BuildResult result;
    result.artifact = {Language::library, "", variant.library, variant.primitive};
    return result;
}

Error no_target(const Said& reason) {
    return {say("{}; `kernelgen devices` lists what kernels are built for", reason)};
}

/// The device model that kernels for `device` are built for: its own, the one that it names, or for cuda:0 without a
/// driver the default one.
Result<DeviceModel> target_of(const std::string& device) {
    const std::string id = device.substr(device.find(':') + 1);
    const bool is_number = id.find_first_not_of("0123456789") == std::string::npos;
    if (!is_number)
        return find_device_model(id).transform_error([](const Error& error) { return no_target(error.message); });
    if (!cuda::driver()) {
        if (device == "cuda:0") return find_device_model(default_model);
        return fail(say(sentences::no_device, device));
    }
    const Result<cuda::PresentDevice> present = cuda::find_present_device(device);
    if (!present) return std::unexpected(no_target(present.error().message));
    return present->model;
}

BuildResult CudaBackend::build(const BuildRequest& request, const Progress& progress, std::stop_token stop) {
    const Variant& variant = request.implementation.variant;
    if (variant.language == Language::library) return find_primitive(variant);
    if (is_python(variant.language)) return build_python(request, progress, stop);
    if (variant.language == Language::extension) return build_native(request, progress, stop);
    if (variant.language != Language::cuda) {
        return refused(Status::unavailable, say("variant `{}` is in `{}`, which does not run on `{}`", variant.name,
                                                to_string(variant.language), request.device));
    }
    const Result<DeviceModel> target = target_of(request.device);
    if (!target) return refused(Status::unavailable, target.error().message);
    return builder_.build(request, *target, progress, stop);
}

BuildResult CudaBackend::build_python(const BuildRequest& request, const Progress& progress, std::stop_token stop) {
    const Result<DeviceModel> target = target_of(request.device);
    if (!target) return refused(Status::unavailable, target.error().message);
    // Triton compiles for a GPU that is not here too; the wrapper is then called on the CPU's tensors.
    const bool is_here = !request.is_ahead && !builds_only_reason(request.device) && cuda::driver();
    const auto start = [&]() -> Result<std::shared_ptr<Executor>> {
        const ExecutorUse use = use_for({&request.implementation});
        if (is_here) return start_executor(request.device, use, stop);
        const std::string number = target->architecture.substr(3, target->architecture.find_last_of("0123456789") - 2);
        return compilers_.take(
            "model:" + number, use,
            [=](std::stop_token ending) {
                return start_python_executor("model", {"model", number}, {}, std::move(ending));
            },
            stop);
    };
    const auto describe = [&](const std::vector<TrialKernel>& kernels, BuildResult& result) {
        add_triton_resources(*target, kernels, result);
    };
    return python_builder_.build(request, is_here ? kind() : "cpu", start, describe, progress, stop);
}

/// An extension, which launches its kernels itself.
BuildResult CudaBackend::build_native(const BuildRequest& request, const Progress& progress, std::stop_token stop) {
    const Result<DeviceModel> target = target_of(request.device);
    if (!target) return refused(Status::unavailable, target.error().message);
    BuildResult result = build_extension(find_compiler(), target->architecture, request, progress, std::move(stop));
    if (result.status == Status::ok) add_resources_of_all(result);
    return result;
}

/// resources/cuda/timing.cu as something to build.
Result<BuildRequest> timing_kernels(const std::string& device) {
    Result<std::string> text = read_file(resource_folder() / "cuda" / "timing.cu");
    if (!text) return std::unexpected(text.error());
    BuildRequest request;
    request.device = device;
    request.definition.name = "timing";
    request.definition.symbols = {"N"};
    request.definition.inputs = {{"released", {"N"}, DType::i32}, {"data", {"N"}, {}}};
    request.definition.outputs = {{"never", {"N"}, {}}, {"words", {"N"}, DType::i32}};
    Variant& variant = request.implementation.variant;
    variant.name = "timing";
    variant.language = Language::cuda;
    variant.source = "timing.cu";
    variant.entry = "flush";
    for (const auto& [entry, args] : {std::pair{"hold", std::vector<std::string>{"released"}},
                                      std::pair{"flush", std::vector<std::string>{"data", "never", "N"}},
                                      std::pair{"stamp", std::vector<std::string>{"words"}}}) {
        Launch launch;
        launch.entry = entry;
        launch.grid = {"1"};
        launch.block = {"1"};
        launch.args = args;
        variant.launches.push_back(launch);
    }
    request.implementation.text = std::move(*text);
    return request;
}

/// The arguments that tell an executor its device: the ordinal and the kernels that timing needs.
Result<std::vector<std::string>> CudaBackend::place_of(const std::string& device, std::stop_token stop) {
    if (const auto reason = builds_only_reason(device)) return fail(*reason);
    const Result<cuda::PresentDevice> present = cuda::find_present_device(device);
    if (!present) return std::unexpected(present.error());
    const Result<BuildRequest> timing = timing_kernels(device);
    if (!timing) return std::unexpected(timing.error());
    const BuildResult built = build(*timing, {}, stop);
    if (built.status != Status::ok) return fail(say("the kernels that timing needs cannot be built: {}", built.reason));
    return std::vector<std::string>{std::to_string(ordinal_of(device)), built.artifact.path};
}

IdleExecutors::Start start_python_at(const std::vector<std::string>& place) {
    return [=](std::stop_token stop) {
        return start_python_executor("cuda", {"cuda", place[0], place[1]}, {}, std::move(stop));
    };
}

Result<std::shared_ptr<Executor>> CudaBackend::start_executor(const std::string& device, const ExecutorUse& use,
                                                              std::stop_token stop) {
    const Result<std::vector<std::string>> place = place_of(device, stop);
    if (!place) return std::unexpected(place.error());
    // Modules are loaded eagerly: one that is loaded lazily would wait for a stream that is held (gpu/cuda/timer.h).
    const auto start_native = [&](const std::stop_token&) {
        return Executor::start({program_, "cuda-executor", place->at(0), place->at(1)},
                               {{"CUDA_MODULE_LOADING", "EAGER"}});
    };
    const bool is_python = use.kind == ExecutorKind::python;
    return idle_executors_.take(device, use, is_python ? start_python_at(*place) : start_native, std::move(stop));
}

void CudaBackend::expect(const std::string& device, const std::vector<ExecutorUse>& uses) {
    const std::vector<ExecutorUse> wanted = python_uses(uses);
    if (wanted.empty()) return;
    const Result<std::vector<std::string>> place = place_of(device, {});
    if (place) idle_executors_.expect(device, wanted, start_python_at(*place));
}

SampleLength CudaBackend::sample_length(const std::string& device) const {
    const Result<cuda::PresentDevice> present = cuda::find_present_device(device);
    const double cached = present ? static_cast<double>(present->model.l2_bytes) / 2 : 0;
    return {10e-6, 100e-6, cached};  // events resolve well below 1 us
}

/// A context on a device makes other programs take the device for busy, and a tuning leaves many compilers behind.
void CudaBackend::rest() {
    constexpr std::size_t kept_compilers = 3;
    idle_executors_.end_native();
    compilers_.end_all_but(kept_compilers);
}

Counters CudaBackend::count(Executor&, int, const std::string& device, const Artifact& artifact, const Call& call,
                            std::stop_token stop) {
    return cuda::profile(program_, ordinal_of(device), artifact, call, stop);
}

Result<Ceilings> CudaBackend::measure_ceilings(const std::string& device, const Progress& progress,
                                               std::stop_token stop) {
    if (const auto reason = builds_only_reason(device)) return fail(*reason);
    const Result<cuda::PresentDevice> present = cuda::find_present_device(device);
    if (!present) return std::unexpected(present.error());
    const Environment environment = describe(*present, device).environment;
    idle_executors_.end_idle(device);  // whose contexts would be taken for other programs'
    return measure_cuda_ceilings(*this, device, environment, *present, progress, stop);
}

}  // namespace

std::unique_ptr<Backend> make_cuda_backend(std::string program) {
    return std::make_unique<CudaBackend>(std::move(program));
}

}  // namespace kernelgen
