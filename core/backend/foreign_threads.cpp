// SPDX-License-Identifier: Apache-2.0
#include "core/backend/foreign_threads.h"

#include <sched.h>

#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

#include "core/base/descendants.h"

namespace kernelgen {
namespace {

namespace fs = std::filesystem;

fs::path tasks_of(pid_t process) { return "/proc/" + std::to_string(process) + "/task"; }

/// Fields of /proc/…/stat from the third on (proc(5)); empty where there is no such thread.
std::vector<std::string> fields_of(const fs::path& thread) {
    std::ifstream file(thread / "stat");
    std::string text;
    std::getline(file, text, '\0');
    const std::size_t name_end = text.rfind(')');
    if (name_end == std::string::npos) return {};
    std::istringstream rest(text.substr(name_end + 1));
    std::vector<std::string> fields;
    for (std::string field; rest >> field;) fields.push_back(field);
    return fields;
}

constexpr std::size_t nice_field = 19 - 3, start_field = 22 - 3, priority_field = 40 - 3, policy_field = 41 - 3;

std::optional<std::uint64_t> start_of(const fs::path& thread) {
    const std::vector<std::string> fields = fields_of(thread);
    if (fields.size() <= start_field) return std::nullopt;
    return std::stoull(fields[start_field]);
}

/// The priority and scheduling policy of a thread; empty where it has ended. The affinity is not part of it: libgomp
/// binds the thread that enters a region.
std::string scheduling_of(const fs::path& thread) {
    const std::vector<std::string> fields = fields_of(thread);
    if (fields.size() <= policy_field) return "";
    return fields[nice_field] + ' ' + fields[priority_field] + ' ' + fields[policy_field];
}

/// Seconds for which a thread has run.
std::optional<double> thread_seconds(const fs::path& thread) {
    std::ifstream file(thread / "schedstat");
    double nanoseconds = 0;
    if (!(file >> nanoseconds)) return std::nullopt;
    return nanoseconds * 1e-9;
}

/// Seconds for which all threads of a process have run, those that have ended too.
std::optional<double> process_seconds(pid_t process) {
    clockid_t clock{};
    timespec time{};
    if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return std::nullopt;
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// How many CPUs there are on which a thread of a process below the keeper may run.
int cpus_below(pid_t keeper) {
    cpu_set_t all;
    CPU_ZERO(&all);
    for (const ProcessEntry& process : descendants_of(keeper)) {
        std::error_code ended;
        for (const auto& thread : fs::directory_iterator(tasks_of(process.id), ended)) {
            cpu_set_t one;
            const auto id = static_cast<pid_t>(std::stol(thread.path().filename()));
            if (::sched_getaffinity(id, sizeof one, &one) == 0) CPU_OR(&all, &all, &one);
        }
    }
    return CPU_COUNT(&all);
}

}  // namespace

ForeignThreads::ForeignThreads(pid_t keeper) : keeper_(keeper), cpus_(cpus_below(keeper)) {
    for (const ProcessEntry& process : descendants_of(keeper)) {
        std::error_code ended;
        for (const auto& thread : fs::directory_iterator(tasks_of(process.id), ended)) {
            const auto start = start_of(thread.path());
            if (!start) continue;
            const Id id{static_cast<pid_t>(std::stol(thread.path().filename())), *start};
            const auto seconds = thread_seconds(thread.path());
            is_told_ = is_told_ && seconds;
            own_[id] = {process.id, scheduling_of(thread.path()), seconds.value_or(0)};
        }
    }
}

std::map<ForeignThreads::Id, double> ForeignThreads::running() const {
    if (!is_told_) return {};
    std::map<pid_t, double> of_own;
    for (const auto& [id, own] : own_) {
        // What an own thread ran before a kernel ended it stays its own; the others are watched all the same.
        own.seconds = thread_seconds(tasks_of(own.process) / std::to_string(id.first)).value_or(own.seconds);
        of_own[own.process] += own.seconds;
    }
    std::map<Id, double> foreign;
    for (const ProcessEntry& process : descendants_of(keeper_)) {
        const auto seconds = process_seconds(process.id);
        if (!seconds) continue;
        const auto own = of_own.find(process.id);
        foreign[{process.id, process.start}] = *seconds - (own == of_own.end() ? 0 : own->second);
    }
    return foreign;
}

bool ForeignThreads::own_changed() const {
    for (const auto& [id, own] : own_) {
        if (scheduling_of(tasks_of(own.process) / std::to_string(id.first)) != own.scheduling) return true;
    }
    return false;
}

bool ForeignThreads::is_held_back() const {
    for (const auto& [id, own] : own_) {
        const std::string now = scheduling_of(tasks_of(own.process) / std::to_string(id.first));
        if (!now.empty() && now != own.scheduling) return true;
    }
    return cpus_ > 1 && cpus_below(keeper_) == 1;
}

double ran_between(const std::map<ForeignThreads::Id, double>& before,
                   const std::map<ForeignThreads::Id, double>& after) {
    double seconds = 0;
    for (const auto& [id, ran] : after) {
        const auto known = before.find(id);
        seconds += ran - (known == before.end() ? 0 : known->second);
    }
    return seconds;
}

}  // namespace kernelgen
