// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cuda_backend.h"

#include <format>

#include "core/backend/build_cache.h"
#include "gpu/cuda/builder.h"

namespace kernelgen {
namespace {

constexpr const char* default_model = "h200";  // what cuda:0 is built for where no device is

class CudaBackend final : public Backend {
public:
    explicit CudaBackend(std::string program) : builder_(std::move(program)) {}

    std::string kind() const override { return "cuda"; }
    std::vector<DeviceInfo> devices() override { return {}; }
    BuildResult build(const BuildRequest& request, std::stop_token stop) override;
    Result<std::unique_ptr<Executor>> start_executor(const std::string& device) override;
    Result<Ceilings> measure_ceilings(const std::string& device, const Progress& progress,
                                      std::stop_token stop) override;

private:
    CudaBuilder builder_;
};

/// What `device` is built for: the model that it names, or without a driver the default one.
Result<DeviceModel> target_of(const std::string& device) {
    const std::string id = device.substr(device.find(':') + 1);
    const bool is_number = id.find_first_not_of("0123456789") == std::string::npos;
    return find_device_model(is_number ? default_model : id);
}

BuildResult refused(std::string reason) {
    BuildResult result;
    end_build(result, Status::unavailable, std::move(reason));
    return result;
}

BuildResult CudaBackend::build(const BuildRequest& request, std::stop_token stop) {
    const Variant& variant = request.implementation.variant;
    if (variant.language != Language::cuda) {
        return refused(std::format("variant `{}` is in `{}`, which does not run on `{}`", variant.name,
                                   to_string(variant.language), request.device));
    }
    const Result<DeviceModel> target = target_of(request.device);
    if (!target) return refused(target.error().message);
    return builder_.build(request, *target, stop);
}

Result<std::unique_ptr<Executor>> CudaBackend::start_executor(const std::string& device) {
    return fail("no device `" + device + "` here");
}

Result<Ceilings> CudaBackend::measure_ceilings(const std::string& device, const Progress&, std::stop_token) {
    return fail("no device `" + device + "` here");
}

}  // namespace

std::unique_ptr<Backend> make_cuda_backend(std::string program) {
    return std::make_unique<CudaBackend>(std::move(program));
}

}  // namespace kernelgen
