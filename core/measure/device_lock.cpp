// SPDX-License-Identifier: Apache-2.0
#include "core/measure/device_lock.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <format>
#include <optional>
#include <thread>

#include "core/base/verdict_sentences.h"
#include "core/measure/lock_holder.h"

namespace kernelgen {
namespace {

constexpr int noticeable_tries = 100;  // half a second
constexpr int long_tries = 2000;       // ten seconds

using NameOfLock = std::function<std::string(const std::string&)>;

NameOfLock& name_of_lock() {
    static NameOfLock name_of = [](const std::string&) { return std::string(); };
    return name_of;
}

std::string path_of_lock(const std::string& device, std::string_view ending) {
    std::string name = name_of_lock()(device);
    if (name.empty()) name = device;
    std::ranges::replace(name, ':', '-');
    std::ranges::replace(name, '/', '-');
    return std::format("/tmp/kernelgen-{}.{}", name, ending);
}

Result<FileLock> try_lock(const std::string& path, FileLock::Mode mode) {
    Result<FileLock> lock = FileLock::try_acquire(path, mode);
    if (!lock || lock->held()) ::chmod(path.c_str(), 0666);  // other users' processes share the device too
    return lock;
}

/// Looks now and then for the process that holds the lock. Error: a kernel started this process.
Result<void> look_for_holder(const std::string& path, int tries, const SaysWaiting& waiting) {
    if (tries == 0 || tries % noticeable_tries != 0) return {};
    const std::optional<LockHolder> holder = holder_of_lock(path);
    if (holder && holder->is_below) return fail(say(sentences::kernel_holds_lock, to_string(*holder)));
    if (!waiting) return {};
    if (tries == noticeable_tries) waiting("");
    else if (tries % long_tries == 0 && holder) waiting(std::format(" (held by {})", to_string(*holder)));
    return {};
}

}  // namespace

void set_names_of_locks(NameOfLock name_of) { name_of_lock() = std::move(name_of); }

Result<FileLock> lock_device(const std::string& device, DeviceUse use, std::stop_token stop,
                             const SaysWaiting& waiting) {
    const std::string path = path_of_lock(device, "lock"), path_of_turn = path_of_lock(device, "turn");
    const FileLock::Mode mode = use == DeviceUse::alone ? FileLock::Mode::exclusive : FileLock::Mode::shared;
    std::optional<FileLock> turn;  // held while its holder waits to be alone
    for (int tries = 0;; ++tries) {
        if (use != DeviceUse::together && !turn) {
            Result<FileLock> next = try_lock(path_of_turn, mode);
            if (!next) return next;
            if (next->held()) turn = std::move(*next);
        }
        const bool has_turn = turn || use == DeviceUse::together;
        if (has_turn) {
            Result<FileLock> lock = try_lock(path, mode);
            if (!lock || lock->held()) return lock;
        }
        if (use == DeviceUse::giving_way) turn.reset();
        if (stop.stop_requested())
            return fail(
                say("stopped while waiting for device `{}`, for which another kernelgen builds or measures", device));
        if (const Result<void> looked = look_for_holder(has_turn ? path : path_of_turn, tries, waiting); !looked)
            return std::unexpected(looked.error());
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

}  // namespace kernelgen
