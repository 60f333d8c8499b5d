// SPDX-License-Identifier: Apache-2.0
// A stand-in for NVIDIA's driver with one device, whose kernels do nothing, so that what can go wrong with a driver is
// tested where there is none. FAKE_DRIVER_<WHAT>, set to a number, is what then goes wrong.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>

namespace {

using Code = int;
constexpr Code success = 0;

long setting(const char* what, long otherwise) {
    const char* text = std::getenv((std::string("FAKE_DRIVER_") + what).c_str());
    return text == nullptr ? otherwise : std::atol(text);
}

template <class T>
Code give(T** handle) {
    static int target;
    *handle = reinterpret_cast<T*>(&target);
    return success;
}

/// By the numbers of CUdevice_attribute.
int attribute(int which) {
    static const std::map<int, int> values = {{1, 1024},      {2, 1024},    {3, 1024},   {4, 64},       {5, 1 << 30},
                                              {6, 65535},     {7, 65535},   {12, 65536}, {13, 1980000}, {16, 132},
                                              {38, 60 << 20}, {39, 2048},   {75, 9},     {76, 0},       {81, 233472},
                                              {82, 65536},    {97, 232448}, {106, 32},   {111, 1024}};
    const auto found = values.find(which);
    return found == values.end() ? 0 : found->second;
}

constexpr std::size_t constant_bytes = 4 << 20;
char constant[constant_bytes];  ///< every module's `__constant__` variable

Code wait() {
    if (setting("HANGS", 0) != 0) ::sleep(600);
    return success;
}

}  // namespace

extern "C" {

Code cuInit(unsigned) { return static_cast<Code>(setting("INIT", success)); }
Code cuDriverGetVersion(int* version) {
    *version = static_cast<int>(setting("VERSION", 13000));
    return success;
}
Code cuGetErrorName(Code code, const char** text) {
    static char name[32];
    std::snprintf(name, sizeof name, "FAKE_ERROR_%d", code);
    *text = name;
    return success;
}
Code cuGetErrorString(Code, const char** text) {
    *text = "as the test wants it";
    return success;
}
Code cuDeviceGetCount(int* count) {
    *count = static_cast<int>(setting("DEVICES", 1));
    return success;
}
Code cuDeviceGet(int* device, int ordinal) {
    *device = ordinal;
    return success;
}
Code cuDeviceGetName(char* text, int size, int) {
    std::snprintf(text, static_cast<std::size_t>(size), "Fake GPU");
    return success;
}
Code cuDeviceGetAttribute(int* value, int which, int) {
    *value = attribute(which);
    return success;
}
Code cuDeviceTotalMem_v2(std::size_t* bytes, int) {
    *bytes = std::size_t{8} << 30;
    return success;
}
Code cuDeviceGetPCIBusId(char* text, int size, int) {
    std::snprintf(text, static_cast<std::size_t>(size), "0000:00:00.0");
    return success;
}
Code cuDevicePrimaryCtxRetain(void** context, int) {
    give(context);
    return static_cast<Code>(setting("CONTEXT", success));
}
Code cuCtxSetCurrent(void*) { return success; }
Code cuCtxSynchronize() { return wait(); }
Code cuModuleLoadData(void** module, const void*) {
    give(module);
    return static_cast<Code>(setting("LOAD", success));
}
Code cuModuleUnload(void*) { return success; }
Code cuModuleGetFunction(void** function, void*, const char* name) {
    constexpr Code not_found = 500;
    return std::strchr(name, '<') == nullptr ? give(function) : not_found;
}
Code cuFuncGetAttribute(int* value, int which, void*) {
    constexpr int max_threads_per_block = 0;
    *value = which == max_threads_per_block ? static_cast<int>(setting("THREADS", 1024)) : 0;
    return success;
}
Code cuFuncSetAttribute(void*, int, int) { return success; }
/// With COPIES_CONSTANT the kernel is `out[i] = constant[i]`, of its two parameters `out` and the number of floats.
Code cuLaunchKernel(void*, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void** values,
                    void**) {
    if (setting("COPIES_MAPPED", 0) != 0) {  // the output, the map of the input, N
        if (const void* mapped = *static_cast<void**>(values[1]); mapped != nullptr)
            std::memcpy(*static_cast<void**>(values[0]), mapped, sizeof(float) * *static_cast<std::size_t*>(values[2]));
        return success;
    }
    if (setting("COPIES_CONSTANT", 0) == 0) return success;
    std::memcpy(*static_cast<void**>(values[0]), constant, sizeof(float) * *static_cast<std::size_t*>(values[1]));
    return success;
}
/// The map tells its address and its axes.
Code cuTensorMapEncodeTiled(void* map, int, unsigned axes, void* address, const unsigned long long*,
                            const unsigned long long*, const unsigned*, const unsigned*, int, int, int, int) {
    static_cast<void**>(map)[0] = address;
    static_cast<unsigned long long*>(map)[1] = axes;
    return static_cast<Code>(setting("TENSOR_MAP", success));
}
Code cuModuleGetGlobal_v2(unsigned long long* address, std::size_t* bytes, void*, const char*) {
    *address = reinterpret_cast<unsigned long long>(constant);
    *bytes = static_cast<std::size_t>(setting("CONSTANT_BYTES", static_cast<long>(constant_bytes)));
    return static_cast<Code>(setting("VARIABLE", success));
}
Code cuMemcpyDtoDAsync_v2(unsigned long long target, unsigned long long source, std::size_t bytes, void*) {
    std::memcpy(reinterpret_cast<void*>(target), reinterpret_cast<const void*>(source), bytes);
    return success;
}
Code cuMemGetInfo_v2(std::size_t* free, std::size_t* total) {
    *total = std::size_t{8} << 30;
    *free = static_cast<std::size_t>(setting("FREE_BYTES", static_cast<long>(*total)));
    return success;
}
Code cuMemAlloc_v2(unsigned long long* address, std::size_t bytes) {
    *address = reinterpret_cast<unsigned long long>(std::malloc(bytes));
    return success;
}
Code cuMemFree_v2(unsigned long long address) {
    std::free(reinterpret_cast<void*>(address));
    return success;
}
Code cuMemHostAlloc(void** memory, std::size_t bytes, unsigned) {
    *memory = std::calloc(1, bytes);
    return success;
}
Code cuMemHostGetDevicePointer_v2(unsigned long long* address, void* memory, unsigned) {
    *address = reinterpret_cast<unsigned long long>(memory);
    return success;
}
Code cuMemFreeHost(void* memory) {
    std::free(memory);
    return success;
}
Code cuMemcpyHtoD_v2(unsigned long long target, const void* source, std::size_t bytes) {
    std::memcpy(reinterpret_cast<void*>(target), source, bytes);
    return success;
}
Code cuMemcpyDtoH_v2(void* target, unsigned long long source, std::size_t bytes) {
    std::memcpy(target, reinterpret_cast<const void*>(source), bytes);
    return success;
}
Code cuMemsetD8Async(unsigned long long target, unsigned char value, std::size_t bytes, void*) {
    std::memset(reinterpret_cast<void*>(target), value, bytes);
    return success;
}
Code cuStreamCreate(void** stream, unsigned) { return give(stream); }
Code cuStreamSynchronize(void*) { return wait(); }
Code cuEventCreate(void** event, unsigned) { return give(event); }
Code cuEventRecord(void*, void*) { return success; }
Code cuCtxRecordEvent(void*, void*) { return success; }
Code cuStreamWaitEvent(void*, void*, unsigned) { return success; }
Code cuEventElapsedTime(float* milliseconds, void*, void*) {
    *milliseconds = 1;
    return success;
}
Code cuStreamBeginCapture_v2(void*, unsigned) { return success; }
Code cuStreamEndCapture(void*, void** graph) { return give(graph); }
Code cuGraphInstantiateWithFlags(void** instance, void*, unsigned long long) { return give(instance); }
Code cuGraphLaunch(void*, void*) { return success; }
Code cuGraphDestroy(void*) { return success; }
Code cuGraphExecDestroy(void*) { return success; }

}  // extern "C"
