// SPDX-License-Identifier: Apache-2.0
#include "core/measure/lock_holder.h"

#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <algorithm>
#include <format>
#include <fstream>
#include <sstream>

#include "core/base/descendants.h"
#include "core/base/text.h"

namespace kernelgen {
namespace {

/// The file as /proc/locks writes it.
std::string name_in_locks(const std::string& path) {
    struct stat file{};
    if (::stat(path.c_str(), &file) != 0) return "";
    return std::format("{:02x}:{:02x}:{}", major(file.st_dev), minor(file.st_dev), file.st_ino);
}

/// The command of a process in plain ASCII, since a process can call itself anything.
std::string command_of(pid_t id) {
    constexpr std::size_t longest = 80;
    std::ifstream file("/proc/" + std::to_string(id) + "/cmdline");
    std::string text(longest, '\0');
    file.read(text.data(), longest);  // does not throw where the process has ended meanwhile
    text.resize(static_cast<std::size_t>(file.gcount()));
    for (char& each : text) {
        if (each < ' ' || each > '~' || each == '`') each = ' ';
    }
    return std::string(trim(text));
}

}  // namespace

std::optional<LockHolder> holder_of_lock(const std::string& path) {
    const std::string wanted = name_in_locks(path);
    std::ifstream locks("/proc/locks");
    for (std::string line; std::getline(locks, line);) {
        std::istringstream fields(line);
        std::string number, kind, advisory, mode, file;
        pid_t id = 0;
        // A second field `->` is one that waits.
        if (!(fields >> number >> kind >> advisory >> mode >> id >> file)) continue;
        if (kind != "FLOCK" || file != wanted || id <= 0) continue;
        const auto below = descendants_of(::getpid());
        return LockHolder{id, command_of(id), std::ranges::contains(below, id, &ProcessEntry::id)};
    }
    return std::nullopt;
}

std::string to_string(const LockHolder& holder) { return std::format("process {} ({})", holder.id, holder.command); }

}  // namespace kernelgen
