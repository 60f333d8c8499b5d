// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/backend/call_json.h"
#include "core/base/file.h"
#include "core/base/json_values.h"
#include "core/tensor/random.h"
#include "gpu/cuda/context.h"
#include "gpu/cuda/cuda_executor.h"
#include "gpu/cuda/device_kernel.h"

namespace kernelgen {

using nlohmann::json;
using namespace cuda;

namespace {

constexpr std::size_t most_generated = 1 << 22;  ///< elements; a longer input repeats them

/// Fills an input with normal values, or those of its domain.
Code fill(const Driver& driver, const BoundTensor& tensor, int number, Pointer target) {
    const std::size_t size = size_of(tensor.dtype), elements = tensor.bytes / size;
    std::vector<double> values(std::min(elements, most_generated));
    generate(InputSet::normal, 1, number, tensor.dtype, 0, values, tensor.domain);
    std::vector<std::byte> bytes(values.size() * size);
    encode(tensor.dtype, values, bytes.data());
    for (std::size_t begin = 0; begin < tensor.bytes; begin += bytes.size()) {
        const Code code =
            copy_to_device(driver, target + begin, bytes.data(), std::min(bytes.size(), tensor.bytes - begin));
        if (code != success) return code;
    }
    return success;
}

Outcome call_once(int ordinal, const Artifact& artifact, const Call& call) {
    DeviceContext context;
    if (const Outcome made = make_context(ordinal, context); !made.ok()) return made;
    auto kernel = artifact.language == Language::library ? load_cudnn_primitive(artifact.primitive)
                                                         : load_cubin(*context.driver, context.device, artifact, call);
    if (!kernel) return {Status::unavailable, kernel.error().message};
    if (const Outcome bound = (*kernel)->bind(call); !bound.ok()) return bound;
    const Layout layout = lay_out(call);
    const Result<DeviceMemory> memory = DeviceMemory::allocate(*context.driver, layout.total);
    if (!memory) return {Status::over_limit, memory.error().message};
    const DeviceBuffers buffers = buffers_at(memory->address(), layout);
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
        const Code code = fill(*context.driver, call.inputs[i], static_cast<int>(i), buffers.inputs[i]);
        if (code != success) return outcome_of(code, "copying to the device");
    }
    if (const Outcome put = (*kernel)->enqueue(buffers, context.stream); !put.ok()) return put;
    return outcome_of(context.driver->synchronize_stream(context.stream), "the kernel");
}

}  // namespace

int cuda_once_main(int ordinal, const std::string& request_file) {
    const Result<std::string> text = read_file(request_file);
    const json request = json::parse(text.value_or(""), nullptr, false);
    if (!request.is_object()) {
        std::cerr << "kernelgen: " << request_file << " does not describe a call\n";
        return 1;
    }
    const auto part = [&](const char* key) { return request.value(key, json()); };
    const Result<Artifact> artifact = read_whole<Artifact>(part("artifact"));
    const Result<Call> call = read_whole<Call>(part("call"));
    if (!artifact || !call) {
        const Error& wrong = artifact ? call.error() : artifact.error();
        std::cerr << "kernelgen: " << request_file << ": " << wrong.message << "\n";
        return 1;
    }
    const Outcome outcome = call_once(ordinal, *artifact, *call);
    if (outcome.ok()) return 0;
    std::cerr << "kernelgen: " << outcome.reason << "\n";
    return 1;
}

}  // namespace kernelgen
