// SPDX-License-Identifier: Apache-2.0
#include "core/base/descendants.h"

#include <dirent.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <thread>

namespace kernelgen {

namespace {

using Clock = std::chrono::steady_clock;

std::optional<pid_t> number_of(std::string_view name) {
    pid_t id = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id);
    if (error != std::errc() || end != name.data() + name.size()) return std::nullopt;
    return id;
}

/// Calls `use` with every name in a folder.
template <class Use>
void for_each_name(const std::string& folder, Use use) {
    DIR* opened = ::opendir(folder.c_str());
    if (opened == nullptr) return;
    while (const dirent* entry = ::readdir(opened)) use(std::string_view(entry->d_name));
    ::closedir(opened);
}

/// Reads a process's entry from /proc/ID/stat. Its second field is the program's name in parentheses and may hold
/// anything.
std::optional<ProcessEntry> read_entry(pid_t id) {
    std::ifstream file("/proc/" + std::to_string(id) + "/stat");
    std::string text;
    std::getline(file, text, '\0');
    const std::size_t name_end = text.rfind(')');
    if (name_end == std::string::npos) return std::nullopt;
    std::istringstream fields(text.substr(name_end + 1));
    ProcessEntry entry{.id = id};
    char state = 0;
    std::string skipped;
    fields >> state >> entry.parent;
    constexpr int start_field = 22;  // proc(5); the parent is the fourth
    for (int field = 5; field < start_field; ++field) fields >> skipped;
    fields >> entry.start;
    entry.ended = state == 'Z' || state == 'X';
    if (!fields) return std::nullopt;
    return entry;
}

/// Sends SIGKILL to exactly this process. A descriptor holds the process, so that its number cannot become another's
/// meanwhile.
void kill_exactly(const ProcessEntry& entry) {
    const int descriptor = static_cast<int>(::syscall(SYS_pidfd_open, entry.id, 0));
    if (descriptor < 0) {
        // Linux before 5.3 has no such descriptor. The number of our own child is not reused until it is reaped.
        if (errno == ENOSYS && entry.parent == ::getpid()) ::kill(entry.id, SIGKILL);
        return;
    }
    const auto now = read_entry(entry.id);
    if (now && now->start == entry.start) ::syscall(SYS_pidfd_send_signal, descriptor, SIGKILL, nullptr, 0);
    ::close(descriptor);
}

/// The children of this process's threads; none where the system does not list them.
std::vector<pid_t> own_children() {
    std::vector<pid_t> children;
    for_each_name("/proc/self/task", [&](std::string_view thread) {
        if (!number_of(thread)) return;
        std::ifstream file("/proc/self/task/" + std::string(thread) + "/children");
        for (pid_t id = 0; file >> id;) children.push_back(id);
    });
    return children;
}

/// Ends the children while they come. This is quick, since a process that starts its like and ends must be met within
/// the fraction of a millisecond that it lives.
void end_children(const std::set<pid_t>& except) {
    for (int round = 0; round < 1000; ++round) {
        bool any = false;
        for (const pid_t id : own_children()) {
            if (except.contains(id)) continue;
            any = true;
            ::kill(id, SIGKILL);
            ::waitpid(id, nullptr, WNOHANG);
        }
        if (!any) return;
    }
}

}  // namespace

std::vector<ProcessEntry> descendants_of(pid_t root, const std::set<pid_t>& except) {
    std::multimap<pid_t, ProcessEntry> by_parent;
    for_each_name("/proc", [&](std::string_view name) {
        const auto id = number_of(name);
        if (!id || except.contains(*id)) return;
        if (const auto entry = read_entry(*id)) by_parent.emplace(entry->parent, *entry);
    });
    std::vector<ProcessEntry> found;
    const auto add_children_of = [&](pid_t parent) {
        const auto [first, last] = by_parent.equal_range(parent);
        for (auto child = first; child != last; ++child) found.push_back(child->second);
        by_parent.erase(first, last);  // what is read while it changes could have a circle
    };
    add_children_of(root);
    for (std::size_t i = 0; i < found.size(); ++i) add_children_of(found[i].id);
    return found;
}

bool end_descendants(const std::set<pid_t>& except, std::chrono::milliseconds limit) {
    const Clock::time_point deadline = Clock::now() + limit;
    for (;;) {
        end_children(except);
        const std::vector<ProcessEntry> left = descendants_of(::getpid(), except);
        if (left.empty()) return true;
        for (const ProcessEntry& entry : left) {
            if (!entry.ended) kill_exactly(entry);
            if (entry.parent == ::getpid()) ::waitpid(entry.id, nullptr, WNOHANG);
        }
        if (Clock::now() >= deadline) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

}  // namespace kernelgen
