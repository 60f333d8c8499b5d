// SPDX-License-Identifier: Apache-2.0
#include "core/base/keeper.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <format>
#include <fstream>
#include <optional>
#include <string_view>

#include "core/base/descendants.h"
#include "core/base/file.h"

namespace kernelgen {

namespace {

constexpr auto ending_limit = std::chrono::seconds(4);  // less than a Process waits for its keeper

sigset_t every_signal() {
    sigset_t all;
    ::sigfillset(&all);
    return all;
}

bool write_text(const char* path, const std::string& text) {
    const int descriptor = ::open(path, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) return false;
    const bool written = ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
    ::close(descriptor);
    return written;
}

// The namespace

/// Lets children of this process begin a new PID namespace. Users other than root need a user namespace for it, in
/// which user and group keep their numbers.
bool enter_namespace() {
    const uid_t user = ::geteuid();
    const gid_t group = ::getegid();
    if (user == 0) return ::unshare(CLONE_NEWPID) == 0;
    return ::unshare(CLONE_NEWUSER | CLONE_NEWPID) == 0 && write_text("/proc/self/setgroups", "deny") &&
           write_text("/proc/self/uid_map", std::format("{0} {0} 1", user)) &&
           write_text("/proc/self/gid_map", std::format("{0} {0} 1", group));
}

/// A /proc of the namespace's own: a driver looks for itself there by the number that it has in the namespace.
bool mount_proc() {
    return ::unshare(CLONE_NEWNS) == 0 && ::mount(nullptr, "/proc", nullptr, MS_PRIVATE | MS_REC, nullptr) == 0 &&
           ::mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr) == 0;
}

/// Root may write the system's settings without any capability, also the names of programs that Linux starts with all
/// rights (core_pattern). So they are for reading only: those in /proc that containers protect too, and all of /sys.
/// Linux before 5.12 cannot protect /sys with what is mounted in it.
void protect_settings() {
    if (::geteuid() != 0) return;
    for (const char* path : {"/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs"}) {
        if (::mount(path, path, nullptr, MS_BIND, nullptr) != 0) continue;  // not on this system
        ::mount(nullptr, path, nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, nullptr);
    }
    mount_attr attributes{};
    attributes.attr_set = MOUNT_ATTR_RDONLY;
    attributes.propagation = MS_PRIVATE;
    ::mount_setattr(AT_FDCWD, "/sys", AT_RECURSIVE, &attributes, sizeof attributes);
}

int status_of(pid_t child) {
    int status = -1;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

/// Whether a namespace can be made. A child tries it, since a system may allow the first steps and refuse the last
/// ones.
bool namespace_works() {
    const char* setting = std::getenv("KERNELGEN_PID_NAMESPACE");
    if (setting != nullptr && std::string_view(setting) == "0") return false;
    const pid_t tried = ::fork();
    if (tried == 0) {
        if (!enter_namespace()) ::_exit(1);
        const pid_t first = ::fork();
        if (first == 0) ::_exit(::getpid() == 1 && mount_proc() ? 0 : 1);
        ::_exit(first > 0 && status_of(first) == 0 ? 0 : 1);
    }
    return tried > 0 && status_of(tried) == 0;
}

// The program

/// Drops root's capabilities but those for files and counters. No kernel needs the others, such as tracing the worker,
/// raising limits and priorities, or setting the clock.
void drop_capabilities() {
    constexpr std::array kept = {CAP_CHOWN,  CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH, CAP_FOWNER,
                                 CAP_FSETID, CAP_IPC_LOCK,     CAP_PERFMON};
    for (int capability = 0; ::prctl(PR_CAPBSET_READ, capability) >= 0; ++capability) {
        if (std::ranges::find(kept, capability) == kept.end()) ::prctl(PR_CAPBSET_DROP, capability);
    }
}

void set_limits() {
    const rlimit none{0, 0}, file{kept_file_bytes, kept_file_bytes};
    ::setrlimit(RLIMIT_CORE, &none);
    ::setrlimit(RLIMIT_FSIZE, &file);
    // Where memory runs out, the system ends the kernel's process, not the worker nor what else the machine does.
    write_text("/proc/self/oom_score_adj", "1000");
}

[[noreturn]] void become_program(const std::vector<std::string>& arguments) {
    ::setpgid(0, 0);  // so that a signal to its own group does not reach the keeper
    set_limits();
    drop_capabilities();
    std::vector<char*> pointers;
    for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
    pointers.push_back(nullptr);
    const sigset_t all = every_signal();
    ::sigprocmask(SIG_UNBLOCK, &all, nullptr);
    ::execvp(pointers[0], pointers.data());
    ::dprintf(STDERR_FILENO, "cannot start %s: %s\n", pointers[0], std::strerror(errno));
    ::_exit(127);
}

/// Ends this process with its parent, which holds the other end of the pipe `report`.
void die_with_parent(int report) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    pollfd entry{report, 0, 0};
    if (::poll(&entry, 1, 0) > 0 && (entry.revents & POLLERR) != 0) ::_exit(127);  // it died before
}

/// Closes the keeper's own descriptors. The other end of a pipe must see that the program has closed it, so the keeper
/// must not hold it open. A `Process` begins with few descriptors.
void close_descriptors(int except) {
    for (int number = 0; number < 256; ++number) {
        if (number != except) ::close(number);
    }
}

/// The first process of the namespace, whose end is that of all others in it. It reaps them, and reports how the
/// program ended.
[[noreturn]] void be_first(const std::vector<std::string>& arguments, int report) {
    ::setsid();
    die_with_parent(report);
    if (!mount_proc()) ::_exit(127);
    protect_settings();
    const pid_t program = ::fork();
    if (program == 0) become_program(arguments);
    close_descriptors(report);
    for (;;) {
        int status = 0;
        const pid_t ended = ::waitpid(-1, &status, 0);
        if (ended < 0 && errno == EINTR) continue;
        if (ended >= 0 && ended != program) continue;
        if (ended == program) (void)!::write(report, &status, sizeof status);
        ::_exit(0);
    }
}

// The keeper

/// The number of processes and threads in the whole system. It is cheap to read, and never smaller than the number of
/// the kernel's own.
int tasks_of_system() {
    std::ifstream file("/proc/loadavg");
    std::string load, counts;
    for (int i = 0; i < 3; ++i) file >> load;
    file >> counts;
    const std::size_t slash = counts.find('/');
    return slash == std::string::npos ? 0 : std::atoi(counts.c_str() + slash + 1);
}

struct Keeper {
    bool isolated = false;
    pid_t child = -1;  ///< the namespace's first process, or the program
    int report = -1;   ///< what the first process says of the program
    int other_tasks = tasks_of_system();
    int looks = 0;

    bool too_many();
    void end_all();
    std::optional<int> reap();
    int wait();
};

/// Counts where the system has many more than before, and else every two seconds: those of others may end while the
/// program starts its own. So little is disturbed.
bool Keeper::too_many() {
    constexpr int looks_a_count = 20;
    const int tasks = tasks_of_system();
    other_tasks = std::min(other_tasks, tasks);
    if (tasks < other_tasks + kept_processes / 2 && ++looks % looks_a_count != 0) return false;
    const int own = static_cast<int>(descendants_of(::getpid()).size());
    other_tasks = tasks - own;
    return own > kept_processes;
}

void Keeper::end_all() {
    if (isolated) {
        ::kill(child, SIGKILL);
        status_of(child);  // the system keeps it until all others in the namespace are gone
    } else {
        end_descendants({}, ending_limit);
    }
}

/// Reaps children that have ended; returns the program's status where it is among them.
std::optional<int> Keeper::reap() {
    std::optional<int> found;
    int status = 0;
    for (pid_t ended = 0; (ended = ::waitpid(-1, &status, WNOHANG)) > 0;) {
        if (ended != child) continue;
        found = status;
        if (!isolated) continue;
        if (::read(report, &status, sizeof status) == sizeof status) found = status;
    }
    return found;
}

/// The program's status as `waitpid` has it, when all that it started has ended.
int Keeper::wait() {
    constexpr timespec interval{0, 100'000'000};  // a bomb makes some thousands of processes meanwhile
    sigset_t awaited;
    ::sigemptyset(&awaited);
    ::sigaddset(&awaited, SIGCHLD);
    for (const int signal : {SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&awaited, signal);
    for (;;) {
        if (const auto status = reap()) {
            if (!isolated) end_all();
            return *status;
        }
        const int signal = ::sigtimedwait(&awaited, nullptr, &interval);
        const bool asked = signal > 0 && signal != SIGCHLD;
        if (!asked && !too_many()) continue;
        end_all();
        return asked ? W_EXITCODE(0, signal) : W_EXITCODE(too_many_processes_status, 0);
    }
}

/// Ends as the program ended. Handlers of exit are not called: nothing more can be started where a namespace has ended.
[[noreturn]] void end_as(int status) {
    if (!WIFSIGNALED(status)) ::_exit(WEXITSTATUS(status));
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
    std::signal(WTERMSIG(status), SIG_DFL);
    const sigset_t all = every_signal();
    ::sigprocmask(SIG_UNBLOCK, &all, nullptr);
    ::kill(::getpid(), WTERMSIG(status));
    ::_exit(128 + WTERMSIG(status));
}

}  // namespace

std::vector<std::string> keeper_command(std::vector<std::string> arguments) {
    const auto program = resource_folder().parent_path().parent_path() / "bin" / "kernelgen";
    // The keeper starts it in another folder.
    if (!arguments.empty() && arguments[0].contains('/')) arguments[0] = std::filesystem::absolute(arguments[0]);
    arguments.insert(arguments.begin(), {program.string(), "keeper"});
    return arguments;
}

int keeper_main(std::vector<std::string> arguments) {
    if (arguments.empty()) return 127;
    const sigset_t all = every_signal();
    ::sigprocmask(SIG_BLOCK, &all, nullptr);  // until the program begins; the keeper takes them in `wait`
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);       // instead of SIGKILL, which `Process` asked for
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return 127;
    Keeper keeper{.isolated = namespace_works() && enter_namespace(), .report = ends[0]};
    keeper.child = ::fork();
    if (keeper.child == 0) {
        ::close(ends[0]);
        if (keeper.isolated) be_first(arguments, ends[1]);
        die_with_parent(ends[1]);
        become_program(arguments);
    }
    close_descriptors(ends[0]);
    end_as(keeper.child < 0 ? W_EXITCODE(127, 0) : keeper.wait());
}

}  // namespace kernelgen
