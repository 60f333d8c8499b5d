// SPDX-License-Identifier: Apache-2.0
#include "core/python/python_executors.h"

#include <algorithm>
#include <iterator>

#include "core/base/file.h"
#include "core/project/project.h"
#include "core/python/interpreter.h"

namespace kernelgen {
namespace {

constexpr double import_limit_seconds = 60;  ///< PyTorch from a disk that has not read it yet
constexpr double clear_limit_seconds = 10;
constexpr std::ptrdiff_t most_idle = 3;

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

std::unique_ptr<Executor> PythonExecutors::take_idle(Home& home, const Use& use) {
    const auto serves = [&](const Idle& each) {
        const auto is_known = [&](const std::string& file) { return std::ranges::contains(use.files, file); };
        return each.use.device == use.device && std::ranges::all_of(each.use.files, is_known);
    };
    const std::lock_guard lock(home.mutex);
    const auto found = std::ranges::find_if(home.idle, serves);
    if (found == home.idle.end()) return nullptr;
    std::unique_ptr<Executor> executor = std::move(found->executor);
    home.idle.erase(found);
    return executor;
}

void PythonExecutors::end_idle(const std::string& device) {
    std::vector<Idle> ended;  // after the lock is let go
    const std::lock_guard lock(home_->mutex);
    const auto of_others =
        std::ranges::stable_partition(home_->idle, [&](const Idle& each) { return each.use.device != device; });
    std::ranges::move(of_others, std::back_inserter(ended));
    home_->idle.erase(of_others.begin(), of_others.end());
}

void PythonExecutors::give_back(Home& home, const Use& use, std::unique_ptr<Executor> executor) {
    if (!executor->alive()) return;
    executor->set_limit(clear_limit_seconds, {});
    if (!executor->clear().ok()) return;
    Idle longest;  // ended after the lock is let go
    const std::lock_guard lock(home.mutex);
    home.idle.push_back({use, std::move(executor)});
    const auto of_device = [&](const Idle& each) { return each.use.device == use.device; };
    if (std::ranges::count_if(home.idle, of_device) <= most_idle) return;
    const auto first = std::ranges::find_if(home.idle, of_device);
    longest = std::move(*first);
    home.idle.erase(first);
}

Result<std::shared_ptr<Executor>> PythonExecutors::take(const Use& use, const std::vector<std::string>& arguments,
                                                        const std::map<std::string, std::string>& environment,
                                                        std::stop_token stop) {
    std::unique_ptr<Executor> executor = take_idle(*home_, use);
    if (!executor || !executor->alive()) {
        Result<std::unique_ptr<Executor>> started =
            start(kind_of_device(use.device), arguments, environment, std::move(stop));
        if (!started) return std::unexpected(started.error());
        executor = std::move(*started);
    }
    const auto let_go = [home = std::weak_ptr(home_), use](Executor* used) {
        std::unique_ptr<Executor> owned(used);
        if (const std::shared_ptr<Home> known = home.lock()) give_back(*known, use, std::move(owned));
    };
    return std::shared_ptr<Executor>(executor.release(), let_go);
}

}  // namespace kernelgen
