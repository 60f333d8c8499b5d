// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>

#include <algorithm>

#include "core/host/kernel_source.h"
#include "core/host/loaded_kernel.h"

namespace kernelgen {
namespace {

__extension__ typedef __int128 wide_integer;  // a product of grid sizes and threads may pass 2^63

/// The kernels of a shared object, called as its appended interface wants it (kernel_source.h).
class SharedObjectKernel final : public LoadedKernel {
public:
    SharedObjectKernel(void* library, std::vector<LaunchFunction> functions, ThreadPool& pool)
        : library_(library), functions_(std::move(functions)), pool_(pool) {}
    ~SharedObjectKernel() override { ::dlclose(library_); }

    Outcome bind(const Call& call) override {
        call_ = call;
        threads_ = 1;
        for (const PlannedLaunch& launch : call.plan.launches) {
            const auto most = static_cast<wide_integer>(threads_of(launch));
            threads_ = std::max(threads_, static_cast<int>(std::min(programs_of(launch), most)));
        }
        return {};
    }
    void arm() override { pool_.arm(threads_); }
    void disarm() override { pool_.disarm(); }

    Outcome call(const CallBuffers& buffers) override {
        for (std::size_t i = 0; i < call_.plan.launches.size(); ++i)
            launch(call_.plan.launches[i], functions_[i], buffers);
        return {};
    }

private:
    LaunchArgument resolve(const Argument& argument, const CallBuffers& buffers) const {
        LaunchArgument value{};
        const auto index = static_cast<std::size_t>(argument.index);
        switch (argument.kind) {
            case Argument::Kind::input: value.pointer = buffers.inputs[index]; break;
            case Argument::Kind::output: value.pointer = buffers.outputs[index]; break;
            case Argument::Kind::workspace: value.pointer = buffers.workspace[index]; break;
            case Argument::Kind::attribute:
                if (const Attribute& each = call_.attributes[index]; each.type == AttributeType::real)
                    value.real = each.value;
                else value.integer = static_cast<std::int64_t>(each.value);
                break;
            case Argument::Kind::symbol: value.integer = call_.symbols[index]; break;
            case Argument::Kind::tensor_map: break;  // a GPU's
        }
        return value;
    }

    static wide_integer programs_of(const PlannedLaunch& launch) {
        return static_cast<wide_integer>(launch.grid[0]) * launch.grid[1] * launch.grid[2];
    }
    int threads_of(const PlannedLaunch& launch) const {
        return launch.threads > 0 ? std::min(launch.threads, pool_.size()) : pool_.size();
    }

    void launch(const PlannedLaunch& planned, LaunchFunction function, const CallBuffers& buffers) {
        std::vector<LaunchArgument> arguments;
        for (const Argument& argument : planned.args) arguments.push_back(resolve(argument, buffers));
        const wide_integer programs = programs_of(planned);
        const int threads = static_cast<int>(std::min(programs, static_cast<wide_integer>(threads_of(planned))));
        pool_.run(threads, [&](int thread) {
            const auto begin = static_cast<std::int64_t>(programs * thread / threads);
            const auto end = static_cast<std::int64_t>(programs * (thread + 1) / threads);
            if (begin < end) function(arguments.data(), begin, end, planned.grid.data());
        });
    }

    void* library_;
    std::vector<LaunchFunction> functions_;
    ThreadPool& pool_;
    Call call_;
    int threads_ = 1;  ///< that have a program in some launch
};

}  // namespace

Result<std::unique_ptr<LoadedKernel>> load_shared_object(const std::string& path, const Call& call, ThreadPool& pool) {
    void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) return fail(say("cannot load the built kernel: {}", ::dlerror()));
    std::vector<LaunchFunction> functions;
    for (std::size_t i = 0; i < call.plan.launches.size(); ++i) {
        const std::string symbol = launch_symbol(i);
        functions.push_back(reinterpret_cast<LaunchFunction>(::dlsym(library, symbol.c_str())));
        if (functions.back() == nullptr) {
            ::dlclose(library);
            return fail(
                say("the built kernel has no symbol `{}`: does a comment or #if of the source stay open?", symbol));
        }
    }
    return std::make_unique<SharedObjectKernel>(library, std::move(functions), pool);
}

}  // namespace kernelgen
