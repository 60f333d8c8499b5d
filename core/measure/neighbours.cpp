// SPDX-License-Identifier: Apache-2.0
#include "core/measure/neighbours.h"

#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>

namespace kernelgen {
namespace {

struct ProcessTicks {
    pid_t parent = 0;
    double ticks = 0;  ///< its own, and of children that it has waited for
};

/// /proc/PID/stat: after the name, which may hold anything, stand state, parent, …, and as 12th to 15th the times.
bool read_process(const std::filesystem::path& folder, ProcessTicks& process) {
    std::ifstream file(folder / "stat");
    std::string line;
    if (!std::getline(file, line) || !line.contains(')')) return false;
    std::istringstream rest(line.substr(line.rfind(')') + 1));
    std::string state;
    rest >> state >> process.parent;
    constexpr int before_times = 9;
    double value = 0;
    for (int i = 0; i < before_times; ++i) rest >> value;
    for (int i = 0; i < 4 && rest >> value; ++i) process.ticks += value;
    return !rest.fail();
}

std::map<pid_t, ProcessTicks> all_processes() {
    std::map<pid_t, ProcessTicks> processes;
    std::error_code error;
    for (std::filesystem::directory_iterator entry("/proc", error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename();
        ProcessTicks process;
        if (name.find_first_not_of("0123456789") == std::string::npos && read_process(entry->path(), process))
            processes[static_cast<pid_t>(std::stol(name))] = process;
    }
    return processes;
}

bool descends(const std::map<pid_t, ProcessTicks>& processes, pid_t process, pid_t ancestor) {
    for (int steps = 0; steps < 64; ++steps) {
        if (process == ancestor) return true;
        const auto found = processes.find(process);
        if (found == processes.end()) return false;
        process = found->second.parent;
    }
    return false;
}

}  // namespace

/// The first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq, steal.
Neighbours::Ticks Neighbours::now() {
    Ticks ticks;
    std::ifstream file("/proc/stat");
    std::string name;
    file >> name;
    double value = 0;
    for (int field = 0; field < 8 && file >> value; ++field) {
        const bool idle = field == 3 || field == 4;
        ticks.all += value;
        if (!idle) ticks.busy += value;
    }
    const std::map<pid_t, ProcessTicks> processes = all_processes();
    for (const auto& [id, process] : processes) {
        if (descends(processes, id, ::getpid())) ticks.own += process.ticks;
    }
    return ticks;
}

Neighbours::Neighbours() : start_(now()) {}

std::optional<double> Neighbours::busy_share() const {
    constexpr double least_ticks = 50;
    const Ticks end = now();
    const double all = end.all - start_.all;
    if (all < least_ticks) return std::nullopt;
    return std::clamp((end.busy - start_.busy - (end.own - start_.own)) / all, 0.0, 1.0);
}

}  // namespace kernelgen
