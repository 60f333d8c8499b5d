// SPDX-License-Identifier: Apache-2.0
#include "gpu/cuda/device_kernel.h"

#include <algorithm>
#include <array>
#include <format>
#include <map>
#include <vector>

#include "core/base/file.h"
#include "gpu/cuda/tensor_map.h"

namespace kernelgen::cuda {
namespace {

/// An argument as a kernel's parameter takes it.
union Value {
    Pointer pointer;
    std::int64_t integer;
    double real;
};

/// The limits of a launch that depend on the device alone.
struct LaunchLimits {
    std::array<std::int64_t, 3> block{}, grid{};
    std::int64_t shared_bytes = 0;
};

LaunchLimits limits_of(const Driver& driver, Device device) {
    const auto attribute = [&](DeviceAttribute which, int offset = 0) {
        int value = 0;
        driver.device_attribute(&value, static_cast<DeviceAttribute>(static_cast<int>(which) + offset), device);
        return value;
    };
    LaunchLimits limits;
    for (int axis = 0; axis < 3; ++axis) {
        limits.block[static_cast<std::size_t>(axis)] = attribute(DeviceAttribute::max_block_x, axis);
        limits.grid[static_cast<std::size_t>(axis)] = attribute(DeviceAttribute::max_grid_x, axis);
    }
    limits.shared_bytes = attribute(DeviceAttribute::shared_per_block);
    return limits;
}

class CubinKernel final : public DeviceKernel {
public:
    CubinKernel(const Driver& driver, Device device, Module module)
        : driver_(driver), limits_(limits_of(driver, device)), module_(module) {}
    CubinKernel(const CubinKernel&) = delete;
    ~CubinKernel() override { driver_.unload_module(module_); }

    Result<void> find_entries(const Artifact& artifact, const Call& call);
    Result<void> find_constants(const Call& call);
    Outcome bind(const Call& call) override;
    Outcome enqueue(const DeviceBuffers& buffers, Stream stream) override;

private:
    /// A `__constant__` variable.
    struct Constant {
        Pointer address = 0;
        std::size_t bytes = 0;
    };

    Outcome check(const PlannedLaunch& launch, Function function) const;
    Outcome check_constants(const PlannedLaunch& launch) const;
    Outcome fill_constants(const PlannedLaunch& launch, const DeviceBuffers& buffers, Stream stream) const;
    Value value_of(const Argument& argument, const DeviceBuffers& buffers) const;

    const Driver& driver_;
    LaunchLimits limits_;
    Module module_;
    std::vector<Function> functions_;            ///< one a launch
    std::map<std::string, Constant> constants_;  ///< by name
    Call call_;
};

Result<void> CubinKernel::find_entries(const Artifact& artifact, const Call& call) {
    for (const PlannedLaunch& launch : call.plan.launches) {
        Function function = nullptr;
        if (driver_.get_function(&function, module_, symbol_of(artifact, launch.entry).c_str()) != success)
            return fail(say("the built kernel has no entry `{}`", launch.entry));
        functions_.push_back(function);
    }
    return {};
}

Result<void> CubinKernel::find_constants(const Call& call) {
    for (const PlannedLaunch& launch : call.plan.launches) {
        for (const PlannedConstant& each : launch.constants) {
            Constant& found = constants_[each.constant];
            if (driver_.get_variable(&found.address, &found.bytes, module_, each.constant.c_str()) != success)
                return fail(say("the built kernel has no `__constant__` variable `{}`", each.constant));
        }
    }
    return {};
}

Outcome CubinKernel::check_constants(const PlannedLaunch& launch) const {
    for (const PlannedConstant& each : launch.constants) {
        const BoundTensor& input = call_.inputs[static_cast<std::size_t>(each.input)];
        const std::size_t bytes = constants_.at(each.constant).bytes;
        if (input.bytes <= bytes) continue;
        return {Status::over_limit, say("`{}` has {} bytes; the constant `{}`, into which it is copied, has {}",
                                        input.name, input.bytes, each.constant, bytes)};
    }
    return {};
}

/// Fills the constants within the call. Each call has inputs of its own, so the constants that are there belong to
/// another call.
Outcome CubinKernel::fill_constants(const PlannedLaunch& launch, const DeviceBuffers& buffers, Stream stream) const {
    for (const PlannedConstant& each : launch.constants) {
        const auto input = static_cast<std::size_t>(each.input);
        const Code status = driver_.copy_on_device(constants_.at(each.constant).address, buffers.inputs[input],
                                                   call_.inputs[input].bytes, stream);
        if (status != success) return outcome_of(status, "copying to the device");
    }
    return {};
}

Outcome CubinKernel::check(const PlannedLaunch& launch, Function function) const {
    const auto over = [&](const std::string& text) { return Outcome{Status::over_limit, launch.entry + ": " + text}; };
    int threads_limit = 0, static_shared = 0;
    driver_.function_attribute(&threads_limit, FunctionAttribute::max_threads_per_block, function);
    driver_.function_attribute(&static_shared, FunctionAttribute::static_shared_bytes, function);
    const std::int64_t threads = launch.block[0] * launch.block[1] * launch.block[2];
    if (threads > threads_limit) {
        return over(say("{} threads a block; with its registers it can have {}", threads, threads_limit));
    }
    if (launch.shared_bytes + static_shared > limits_.shared_bytes) {
        return over(say("{} bytes of shared memory a block; the device gives {}", launch.shared_bytes + static_shared,
                        limits_.shared_bytes));
    }
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (launch.block[axis] > limits_.block[axis])
            return over(say("{} threads on block axis {}; at most {}", launch.block[axis], axis, limits_.block[axis]));
        if (launch.grid[axis] > limits_.grid[axis])
            return over(say("{} blocks on grid axis {}; at most {}", launch.grid[axis], axis, limits_.grid[axis]));
    }
    return {};
}

Outcome CubinKernel::bind(const Call& call) {
    call_ = call;
    for (std::size_t i = 0; i < functions_.size(); ++i) {
        const PlannedLaunch& launch = call_.plan.launches[i];
        if (const Outcome checked = check(launch, functions_[i]); !checked.ok()) return checked;
        if (const Outcome checked = check_constants(launch); !checked.ok()) return checked;
        const Code status = driver_.set_function_attribute(functions_[i], FunctionAttribute::max_dynamic_shared_bytes,
                                                           static_cast<int>(launch.shared_bytes));
        if (status != success) return outcome_of(status, "asking for shared memory");
    }
    return {};
}

Value CubinKernel::value_of(const Argument& argument, const DeviceBuffers& buffers) const {
    const auto i = static_cast<std::size_t>(argument.index);
    switch (argument.kind) {
        case Argument::Kind::input: return {.pointer = buffers.inputs[i]};
        case Argument::Kind::output: return {.pointer = buffers.outputs[i]};
        case Argument::Kind::workspace: return {.pointer = buffers.workspace[i]};
        case Argument::Kind::attribute:
            if (call_.attributes[i].type == AttributeType::real) return {.real = call_.attributes[i].value};
            return {.integer = static_cast<std::int64_t>(call_.attributes[i].value)};  // its first byte is a `bool`
        case Argument::Kind::symbol:
        case Argument::Kind::tensor_map: break;
    }
    return {.integer = call_.symbols[i]};
}

Outcome CubinKernel::enqueue(const DeviceBuffers& buffers, Stream stream) {
    for (std::size_t i = 0; i < functions_.size(); ++i) {
        const PlannedLaunch& launch = call_.plan.launches[i];
        if (const Outcome filled = fill_constants(launch, buffers, stream); !filled.ok()) return filled;
        std::vector<Value> values;
        for (const Argument& argument : launch.args)
            values.push_back(argument.kind == Argument::Kind::tensor_map ? Value{} : value_of(argument, buffers));
        std::vector<EncodedTensorMap> maps;
        for (const PlannedTensorMap& map : launch.tensor_maps) {
            const auto& tensors = map.is_output ? buffers.outputs : buffers.inputs;
            maps.push_back(encode(driver_, map, tensors[static_cast<std::size_t>(map.index)]));
        }
        std::vector<void*> parameters;
        for (std::size_t place = 0; place < values.size(); ++place) {
            const Argument& argument = launch.args[place];
            const bool is_map = argument.kind == Argument::Kind::tensor_map;
            parameters.push_back(is_map ? static_cast<void*>(&maps[static_cast<std::size_t>(argument.index)])
                                        : &values[place]);
        }
        const auto size = [](std::int64_t extent) { return static_cast<unsigned>(extent); };
        const Code status =
            driver_.launch(functions_[i], size(launch.grid[0]), size(launch.grid[1]), size(launch.grid[2]),
                           size(launch.block[0]), size(launch.block[1]), size(launch.block[2]),
                           size(launch.shared_bytes), stream, parameters.data(), nullptr);
        if (status != success) return outcome_of(status, "launching `" + launch.entry + "`");
    }
    return {};
}

Said why_not_loaded(const Driver& driver, Code status) {
    if (status != no_binary_for_device && status != invalid_image && status != unsupported_ptx)
        return say("the driver cannot load the built kernel: {}", error_text(status));
    return say(
        "the driver cannot load the built kernel: {}; it was built for another architecture, or by an NVRTC newer than "
        "the driver (CUDA {}): update the driver, or name an older NVRTC in KERNELGEN_NVRTC",
        error_text(status), driver_version_text(driver));
}

/// Calls captured into a graph.
class CallGraph final : public Repetition {
public:
    explicit CallGraph(GraphExec graph) : graph_(graph) {}
    CallGraph(const CallGraph&) = delete;
    ~CallGraph() override { driver()->destroy_graph_exec(graph_); }

    Outcome enqueue(Stream stream) override {
        return outcome_of(driver()->launch_graph(graph_, stream), "replaying calls");
    }

private:
    GraphExec graph_;
};

}  // namespace

Outcome DeviceKernel::repeat(const std::vector<DeviceBuffers>& sets, Stream capturing,
                             std::unique_ptr<Repetition>& made) {
    const Driver& functions = *driver();
    if (const Code code = functions.begin_capture(capturing, capture_thread_local); code != success)
        return outcome_of(code, "capturing calls");
    Outcome put;
    for (const DeviceBuffers& buffers : sets) {
        if (put.ok()) put = enqueue(buffers, capturing);
    }
    Graph graph = nullptr;
    GraphExec instance = nullptr;
    Code code = functions.end_capture(capturing, &graph);
    if (put.ok() && code == success) code = functions.instantiate(&instance, graph, 0);
    if (graph != nullptr) functions.destroy_graph(graph);
    if (!put.ok()) return put;
    if (code != success) return outcome_of(code, "capturing calls");
    made = std::make_unique<CallGraph>(instance);
    return {};
}

Result<std::unique_ptr<DeviceKernel>> load_cubin(const Driver& driver, Device device, const Artifact& artifact,
                                                 const Call& call) {
    const Result<std::string> image = read_file(artifact.path);
    if (!image) return std::unexpected(image.error());
    Module module = nullptr;
    const Code status = driver.load_module(&module, image->data());
    if (status != success) return fail(why_not_loaded(driver, status));
    auto kernel = std::make_unique<CubinKernel>(driver, device, module);
    if (Result<void> found = kernel->find_entries(artifact, call); !found) return std::unexpected(found.error());
    if (Result<void> found = kernel->find_constants(call); !found) return std::unexpected(found.error());
    return kernel;
}

bool is_sticky(Code code) {
    constexpr Code deinitialized = 4, unknown = 999;
    return (code >= 700 && code < 800 && code != launch_out_of_resources) || code == deinitialized || code == unknown;
}

Outcome outcome_of(Code code, const std::string& doing) {
    if (code == success) return {};
    const Said reason = doing + ": " + error_text(code);
    if (code == out_of_memory || code == launch_out_of_resources || code == invalid_cluster_size)
        return {Status::over_limit, reason};
    return {is_sticky(code) ? Status::crashed : Status::launch_failed, reason};
}

}  // namespace kernelgen::cuda
