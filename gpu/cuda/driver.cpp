// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/driver.h"

#include <format>

#include "core/base/shared_library.h"

namespace kernelgen::cuda {
namespace {

constexpr int least_version = 12000;  ///< CUDA 12.0, as the driver numbers it

/// Finds every function; the name of the first that is missing, or null.
const char* find_all(const SharedLibrary& library, Driver& driver) {
    const char* missing = nullptr;
    const auto find = [&](const char* name, auto& function) {
        if (!library.find(name, function) && missing == nullptr) missing = name;
    };
    find("cuInit", driver.init);
    find("cuDriverGetVersion", driver.driver_version);
    find("cuGetErrorName", driver.error_name);
    find("cuGetErrorString", driver.error_string);
    find("cuDeviceGetCount", driver.device_count);
    find("cuDeviceGet", driver.device_get);
    find("cuDeviceGetName", driver.device_name);
    find("cuDeviceGetAttribute", driver.device_attribute);
    find("cuDeviceTotalMem_v2", driver.device_memory);
    find("cuDeviceGetPCIBusId", driver.pci_bus_id);
    find("cuDevicePrimaryCtxRetain", driver.retain_context);
    find("cuCtxSetCurrent", driver.set_context);
    find("cuCtxSynchronize", driver.synchronize);
    find("cuModuleLoadData", driver.load_module);
    find("cuModuleUnload", driver.unload_module);
    find("cuModuleGetFunction", driver.get_function);
    find("cuModuleGetGlobal_v2", driver.get_variable);
    find("cuFuncGetAttribute", driver.function_attribute);
    find("cuFuncSetAttribute", driver.set_function_attribute);
    find("cuLaunchKernel", driver.launch);
    find("cuTensorMapEncodeTiled", driver.encode_tensor_map);
    find("cuMemGetInfo_v2", driver.memory_info);
    find("cuMemAlloc_v2", driver.allocate);
    find("cuMemFree_v2", driver.release);
    find("cuMemHostAlloc", driver.allocate_host);
    find("cuMemHostGetDevicePointer_v2", driver.host_pointer);
    find("cuMemFreeHost", driver.release_host);
    find("cuMemcpyHtoD_v2", driver.copy_to_device);
    find("cuMemcpyDtoH_v2", driver.copy_to_host);
    find("cuMemcpyDtoDAsync_v2", driver.copy_on_device);
    find("cuMemsetD8Async", driver.set_bytes);
    find("cuStreamCreate", driver.create_stream);
    find("cuStreamSynchronize", driver.synchronize_stream);
    find("cuEventCreate", driver.create_event);
    find("cuEventRecord", driver.record_event);
    library.find("cuCtxRecordEvent", driver.record_context_event);
    find("cuStreamWaitEvent", driver.wait_event);
    find("cuEventElapsedTime", driver.elapsed_ms);
    find("cuStreamBeginCapture_v2", driver.begin_capture);
    find("cuStreamEndCapture", driver.end_capture);
    find("cuGraphInstantiateWithFlags", driver.instantiate);
    find("cuGraphLaunch", driver.launch_graph);
    find("cuGraphDestroy", driver.destroy_graph);
    find("cuGraphExecDestroy", driver.destroy_graph_exec);
    return missing;
}

std::string text_of(Code (*ask)(Code, const char**), Code status) {
    const char* text = nullptr;
    return ask != nullptr && ask(status, &text) == success && text != nullptr ? text : "unknown error";
}

std::string text_and_name(const Driver& driver, Code status) {
    return std::format("{} ({})", text_of(driver.error_string, status), text_of(driver.error_name, status));
}

Result<Driver> open_driver() {
    static const std::string names[] = {"libcuda.so.1"};
    const Result<SharedLibrary> library = SharedLibrary::open(names);
    if (!library)
        return fail("no NVIDIA driver is installed (libcuda.so.1 was not found); install one for this machine's GPU");
    Driver driver{};
    int version = 0;
    const char* missing = find_all(*library, driver);
    if (driver.driver_version != nullptr) driver.driver_version(&version);
    if (missing != nullptr || version < least_version) {
        const std::string own = std::format("{}.{}", version / 1000, version % 1000 / 10);
        if (missing == nullptr)
            return fail(say("the NVIDIA driver is too old: it is for CUDA {}; install one for CUDA 12 or later", own));
        return fail(
            say("the NVIDIA driver is too old: it is for CUDA {} and lacks {}; install one for CUDA 12 or later", own,
                missing));
    }
    if (const Code status = driver.init(0); status != success)
        return fail(say("the NVIDIA driver does not start: {}", text_and_name(driver, status)));
    return driver;
}

}  // namespace

const Result<Driver>& driver() {
    static const Result<Driver> opened = open_driver();
    return opened;
}

Said error_text(Code status) {
    return driver() ? Said(text_and_name(*driver(), status)) : say("CUDA error {}", status);
}

std::string driver_version_text(const Driver& driver) {
    int version = 0;
    driver.driver_version(&version);
    return std::format("{}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace kernelgen::cuda
