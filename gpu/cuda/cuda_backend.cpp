// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/cuda_backend.h"

namespace kernelgen {
namespace {

class CudaBackend final : public Backend {
public:
    explicit CudaBackend(std::string program) : program_(std::move(program)) {}

    std::string kind() const override { return "cuda"; }
    std::vector<DeviceInfo> devices() override { return {}; }
    BuildResult build(const BuildRequest& request, std::stop_token stop) override;
    Result<std::unique_ptr<Executor>> start_executor(const std::string& device) override;
    Result<Ceilings> measure_ceilings(const std::string& device, const Progress& progress,
                                      std::stop_token stop) override;

private:
    std::string program_;
};

BuildResult CudaBackend::build(const BuildRequest& request, std::stop_token) {
    BuildResult result;
    result.status = Status::unavailable;
    result.reason = "no CUDA compiler for " + request.device;
    return result;
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
