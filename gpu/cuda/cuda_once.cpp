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

/// The values of a call's inputs.
struct OnceInputs {
    InputSet set = InputSet::normal;
    std::uint64_t seed = 1;
    bool are_exact = false;  ///< every element as a check has it; else a long input repeats its first elements
};

/// Fills an input with values of a set, or those of its domain.
Code fill(const Driver& driver, const BoundTensor& tensor, int number, const OnceInputs& inputs, Pointer target) {
    const std::size_t size = size_of(tensor.dtype), elements = tensor.bytes / size;
    const InputSet set = set_for(inputs.set, static_cast<std::int64_t>(elements));
    std::vector<double> values(std::min(elements, most_generated));
    std::vector<std::byte> bytes(values.size() * size);
    for (std::size_t begin = 0; begin < tensor.bytes; begin += bytes.size()) {
        if (begin == 0 || inputs.are_exact) {
            generate(set, inputs.seed, number, tensor.dtype, static_cast<std::int64_t>(begin / size), values,
                     tensor.domain);
            encode(tensor.dtype, values, bytes.data());
        }
        const Code code =
            copy_to_device(driver, target + begin, bytes.data(), std::min(bytes.size(), tensor.bytes - begin));
        if (code != success) return code;
    }
    return success;
}

/// Buffers of one allocation each, so that a checker of memory sees where each ends.
struct BuffersApart {
    std::vector<DeviceMemory> memory;
    DeviceBuffers buffers;
};

Result<BuffersApart> allocate_apart(const Driver& driver, const Layout& layout) {
    BuffersApart made;
    for (const auto& [regions, pointers] :
         {std::pair(&layout.inputs, &made.buffers.inputs), std::pair(&layout.outputs, &made.buffers.outputs),
          std::pair(&layout.workspace, &made.buffers.workspace)}) {
        for (const Region& region : *regions) {
            Result<DeviceMemory> memory = DeviceMemory::allocate(driver, region.bytes);
            if (!memory) return std::unexpected(memory.error());
            pointers->push_back(memory->address());
            made.memory.push_back(std::move(*memory));
        }
    }
    return made;
}

Outcome call_once(int ordinal, const Artifact& artifact, const Call& call, const OnceInputs& inputs) {
    DeviceContext context;
    if (const Outcome made = make_context(ordinal, context); !made.ok()) return made;
    auto kernel = artifact.language == Language::library ? load_cudnn_primitive(artifact.primitive)
                                                         : load_cubin(*context.driver, context.device, artifact, call);
    if (!kernel) return {Status::unavailable, kernel.error().message};
    if (const Outcome bound = (*kernel)->bind(call); !bound.ok()) return bound;
    const Layout layout = lay_out(call);
    const Result<BuffersApart> apart = allocate_apart(*context.driver, layout);
    if (!apart) return {Status::over_limit, apart.error().message};
    const DeviceBuffers& buffers = apart->buffers;
    for (std::size_t i = 0; i < call.inputs.size(); ++i) {
        const Code code = fill(*context.driver, call.inputs[i], static_cast<int>(i), inputs, buffers.inputs[i]);
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
    OnceInputs inputs;
    if (request.contains("set")) {  // a check is replayed: inputs are those that it had
        const auto set = parse_input_set(request["set"].is_string() ? request["set"].get<std::string>() : "");
        if (!set || !part("seed").is_number_unsigned()) {
            std::cerr << "kernelgen: " << request_file << " has no inputs that this program knows\n";
            return 1;
        }
        inputs = {*set, request["seed"].get<std::uint64_t>(), true};
    }
    const Outcome outcome = call_once(ordinal, *artifact, *call, inputs);
    if (outcome.ok()) return 0;
    std::cerr << "kernelgen: " << outcome.reason << "\n";
    return 1;
}

}  // namespace kernelgen
