// SPDX-License-Identifier: Apache-2.0
#include "core/python/python_executors.h"

#include "core/base/file.h"
#include "core/project/project.h"
#include "core/python/interpreter.h"

namespace kernelgen {
namespace {

constexpr double import_limit_seconds = 60;  ///< PyTorch from a disk that has not read it yet
constexpr double clear_limit_seconds = 10;
constexpr std::size_t most_idle = 2;

Result<std::unique_ptr<Executor>> start(const std::string& kind, const std::vector<std::string>& arguments,
                                        const std::map<std::string, std::string>& environment, std::stop_token stop) {
    const Result<PythonInterpreter>& interpreter = python_interpreter();
    if (!interpreter) return std::unexpected(interpreter.error());
    if (const auto missing = interpreter->lacks(Language::torch, kind)) return fail(*missing);
    const auto folder = resource_folder();
    const auto library = folder.parent_path().parent_path() / "lib" / "kernelgen" / "libkernelgen_executor.so";
    std::vector<std::string> command = {interpreter->program, "-B", "-u",
                                        (folder / "python" / "kernelgen_executor.py").string(), library.string()};
    command.insert(command.end(), arguments.begin(), arguments.end());
    return Executor::start(std::move(command), environment, {import_limit_seconds, "import PyTorch", std::move(stop)});
}

}  // namespace

Result<std::shared_ptr<Executor>> PythonExecutors::take(const std::string& device,
                                                        const std::vector<std::string>& arguments,
                                                        const std::map<std::string, std::string>& environment,
                                                        std::stop_token stop) {
    std::unique_ptr<Executor> executor;
    {
        const std::lock_guard lock(idle_->mutex);
        std::vector<std::unique_ptr<Executor>>& idle = idle_->executors[device];
        if (!idle.empty()) {
            executor = std::move(idle.back());
            idle.pop_back();
        }
    }
    if (!executor || !executor->alive()) {
        Result<std::unique_ptr<Executor>> started =
            start(kind_of_device(device), arguments, environment, std::move(stop));
        if (!started) return std::unexpected(started.error());
        executor = std::move(*started);
    }
    const auto give_back = [idle = std::weak_ptr(idle_), device](Executor* used) {
        std::unique_ptr<Executor> owned(used);
        const std::shared_ptr<Idle> home = idle.lock();
        if (!home || !owned->alive()) return;
        owned->set_limit(clear_limit_seconds, {});
        if (!owned->clear().ok()) return;
        const std::lock_guard lock(home->mutex);
        if (home->executors[device].size() < most_idle) home->executors[device].push_back(std::move(owned));
    };
    return std::shared_ptr<Executor>(executor.release(), give_back);
}

}  // namespace kernelgen
