// SPDX-License-Identifier: Apache-2.0
#include "core/base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <future>
#include <mutex>
#include <set>
#include <span>
#include <system_error>
#include <thread>
#include <utility>

#include "core/base/descendants.h"
#include "core/base/descriptor.h"
#include "core/base/text.h"

namespace kernelgen {

namespace {

using Clock = std::chrono::steady_clock;

void signal_event(int descriptor) {
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(descriptor, &one, sizeof one);
}

/// Waits until one of `entries` is ready or `deadline` passes; true where one is.
bool poll_until(std::span<pollfd> entries, Clock::time_point deadline) {
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
        const int timeout = static_cast<int>(std::clamp<long long>(left, 0, 1'000'000'000));
        const int ready = ::poll(entries.data(), entries.size(), timeout);
        if (ready > 0) return true;
        if (ready == 0 && Clock::now() >= deadline) return false;
    }
}

Clock::time_point deadline_after(std::chrono::milliseconds limit) {
    return Clock::now() + std::min<std::chrono::milliseconds>(limit, std::chrono::hours(24 * 365));
}

/// Everything a child needs between fork and exec, where it may not allocate.
struct Launch {
    std::string program;
    std::vector<char*> arguments, environment;
    std::vector<std::string> variables;
    const char* folder = nullptr;
    struct Mapping {
        int target, source;
    };
    std::vector<Mapping> descriptors;
    int first_free = 3;  ///< above every target
    pid_t parent = 0;
    Descriptor null;
    Pipe failure;
};

/// What the child writes into the failure pipe when it cannot become the program.
struct StartFailure {
    enum Step : int { none, descriptors, folder, execute } step = none;
    int error = 0;
};

Result<std::string> find_program(const std::string& name, const std::string& path) {
    const auto executable = [](const std::filesystem::path& file) {
        std::error_code error;
        return std::filesystem::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0;
    };
    if (name.empty()) return fail("cannot start a program without a name");
    if (name.contains('/')) return std::filesystem::absolute(name).string();
    for (const std::string& folder : split(path, ':')) {
        const auto file = std::filesystem::path(folder.empty() ? "." : folder) / name;
        if (executable(file)) return std::filesystem::absolute(file).string();
    }
    return fail(say("cannot start `{}`: no such program on PATH", name));
}

void add_environment(Launch& launch, const std::map<std::string, std::string>& changes) {
    for (char** entry = ::environ; entry && *entry; ++entry) {
        const std::string_view text = *entry;
        if (!changes.contains(std::string(text.substr(0, text.find('='))))) launch.variables.emplace_back(text);
    }
    for (const auto& [name, value] : changes) launch.variables.push_back(name + "=" + value);
    for (std::string& variable : launch.variables) launch.environment.push_back(variable.data());
    launch.environment.push_back(nullptr);
}

Result<void> add_descriptors(Launch& launch, const Command& command) {
    launch.null = Descriptor(::open("/dev/null", O_RDWR | O_CLOEXEC));
    if (launch.null.get() < 0 || !launch.failure.open()) {
        return fail(say("cannot start `{}`: {}", command.arguments[0], std::generic_category().message(errno)));
    }
    launch.descriptors.push_back({STDIN_FILENO, command.input < 0 ? launch.null.get() : command.input});
    launch.descriptors.push_back({STDOUT_FILENO, command.output < 0 ? launch.null.get() : command.output});
    launch.descriptors.push_back({STDERR_FILENO, command.error < 0 ? STDERR_FILENO : command.error});
    for (const auto& [target, source] : command.descriptors) launch.descriptors.push_back({target, source});
    for (const auto& mapping : launch.descriptors) launch.first_free = std::max(launch.first_free, mapping.target + 1);
    return {};
}

Result<void> prepare(Launch& launch, const Command& command) {
    if (command.arguments.empty()) return fail("cannot start a program without a name");
    const auto changed_path = command.environment.find("PATH");
    const char* inherited = ::getenv("PATH");
    const std::string path = changed_path != command.environment.end() ? changed_path->second
                             : inherited                               ? inherited
                                                                       : "/usr/local/bin:/usr/bin:/bin";
    Result<std::string> program = find_program(command.arguments[0], path);
    if (!program) return std::unexpected(program.error());
    launch.program = std::move(*program);
    for (const std::string& argument : command.arguments) {
        launch.arguments.push_back(const_cast<char*>(argument.c_str()));
    }
    launch.arguments.push_back(nullptr);
    if (!command.folder.empty()) launch.folder = command.folder.c_str();
    launch.parent = ::getpid();
    add_environment(launch, command.environment);
    return add_descriptors(launch, command);
}

// From here to `become_program` only async-signal-safe calls are allowed: other threads of the parent may hold any
// lock.

void close_others_on_exec() {
    if (::close_range(3, ~0u, CLOSE_RANGE_CLOEXEC) == 0) return;
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);  // kernels before 5.11
    for (int number = 3; number < static_cast<int>(std::min<rlim_t>(limit.rlim_cur, 65536)); ++number) {
        ::fcntl(number, F_SETFD, FD_CLOEXEC);
    }
}

bool map_descriptors(Launch& launch) {
    for (auto& mapping : launch.descriptors) {
        mapping.source = ::fcntl(mapping.source, F_DUPFD, launch.first_free);
        if (mapping.source < 0) return false;
    }
    close_others_on_exec();
    for (const auto& mapping : launch.descriptors) {
        if (::dup2(mapping.source, mapping.target) < 0) return false;
    }
    return true;
}

void reset_signals() {
    for (int signal = 1; signal < NSIG; ++signal) {
        struct sigaction action{};
        if (::sigaction(signal, nullptr, &action) != 0) continue;
        if (action.sa_handler == SIG_IGN && signal != SIGPIPE) continue;
        action = {};
        action.sa_handler = SIG_DFL;
        ::sigaction(signal, &action, nullptr);
    }
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

[[noreturn]] void become_program(Launch& launch) {
    ::setpgid(0, 0);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != launch.parent) ::_exit(127);  // it died before the request above
    const int report = ::fcntl(launch.failure.write_end.get(), F_DUPFD_CLOEXEC, launch.first_free);
    StartFailure failure;
    if (!map_descriptors(launch)) {
        failure = {StartFailure::descriptors, errno};
    } else if (launch.folder && ::chdir(launch.folder) != 0) {
        failure = {StartFailure::folder, errno};
    } else {
        reset_signals();
        ::execve(launch.program.c_str(), launch.arguments.data(), launch.environment.data());
        failure = {StartFailure::execute, errno};
    }
    [[maybe_unused]] const ssize_t written = ::write(report, &failure, sizeof failure);
    ::_exit(127);
}

// Async-signal safety is no longer needed.

Said describe(const StartFailure& failure, const Launch& launch, const Command& command) {
    const std::string reason = std::generic_category().message(failure.error);
    if (failure.step == StartFailure::folder) {
        return say("cannot start `{}` in {}: {}", command.arguments[0], command.folder, reason);
    }
    if (failure.step == StartFailure::execute) return say("cannot start {}: {}", launch.program, reason);
    return say("cannot start `{}`: {}", command.arguments[0], reason);
}

/// The children that were started here and are not yet reaped. All others are what children left behind.
struct Children {
    std::mutex mutex;
    std::set<pid_t> ids;
};

Children& children() {
    static Children all;
    return all;
}

/// Ends processes that a killed keeper has left: they are children of this process now.
void end_what_keepers_left() {
    constexpr auto limit = std::chrono::seconds(5);
    const std::lock_guard lock(children().mutex);
    end_descendants(children().ids, limit);
}

/// Forks with every signal blocked, so that no handler of the parent runs in the child.
pid_t fork_child(Launch& launch) {
    sigset_t all, before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    const std::lock_guard lock(children().mutex);
    const pid_t id = ::fork();
    if (id == 0) become_program(launch);
    const int error = errno;
    if (id > 0) children().ids.insert(id);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    errno = error;
    return id;
}

StartFailure read_failure(Launch& launch) {
    launch.failure.write_end.close();
    StartFailure failure;
    ssize_t count;
    do {
        count = ::read(launch.failure.read_end.get(), &failure, sizeof failure);
    } while (count < 0 && errno == EINTR);
    return count == sizeof failure ? failure : StartFailure{};
}

}  // namespace

/// The child is forked and awaited by a thread of its own: the kernel sends the parent's death signal when the thread
/// that forked ends, and that must not be one which a caller may end earlier.
struct Process::Impl {
    pid_t id = -1;
    bool keeper = false;
    Descriptor ended{::eventfd(0, EFD_CLOEXEC)};
    std::mutex mutex;
    bool reaped = false;  ///< from then on its number may be another's
    std::optional<Exit> exit;
    std::thread waiter;

    ~Impl() {
        kill();
        if (waiter.joinable()) waiter.join();
    }

    void kill() {
        if (keeper) ask_to_end();
        signal_group(SIGKILL);
    }

    void ask_to_end() {
        constexpr auto patience = std::chrono::seconds(5);
        {
            const std::lock_guard lock(mutex);
            if (id <= 0 || reaped) return;
            ::kill(id, SIGTERM);
        }
        pollfd entry{ended.get(), POLLIN, 0};
        poll_until({&entry, 1}, deadline_after(patience));
    }

    void signal_group(int signal) {
        const std::lock_guard lock(mutex);
        if (id > 0 && !reaped) ::kill(-id, signal);
    }

    void reap() {
        siginfo_t info{};
        while (::waitid(P_PID, static_cast<id_t>(id), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR) {
        }
        const Exit how = reap_group();
        if (keeper && how.signal == SIGKILL) end_what_keepers_left();
        const std::lock_guard lock(mutex);
        exit = how;
        signal_event(ended.get());
    }

    Exit reap_group() {
        const std::scoped_lock lock(mutex, children().mutex);
        ::kill(-id, SIGKILL);             // the group's number is ours until the leader is reaped
        int status = W_EXITCODE(255, 0);  // kept where a parent that ignores SIGCHLD has lost it
        while (::waitpid(id, &status, 0) < 0 && errno == EINTR) {
        }
        children().ids.erase(id);
        reaped = true;
        return WIFSIGNALED(status) ? Exit{0, WTERMSIG(status)} : Exit{WEXITSTATUS(status), 0};
    }
};

Said to_string(const Exit& exit) {
    if (exit.signal == 0) return say("exited with status {}", exit.status);
    const char* name = ::sigabbrev_np(exit.signal);
    const char* description = ::sigdescr_np(exit.signal);
    if (!name || !description) return say("was ended by signal {}", exit.signal);
    std::string sentence = description;
    if (sentence.size() > 1 && std::islower(static_cast<unsigned char>(sentence[1]))) {
        sentence[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(sentence[0])));
    }
    return say("was ended by SIG{} ({})", name, sentence);
}

Process::Process(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Process::Process(Process&& other) noexcept = default;
Process& Process::operator=(Process&& other) noexcept = default;
Process::~Process() = default;

Result<Process> Process::start(const Command& command) {
    Launch launch;
    if (Result<void> ready = prepare(launch, command); !ready) return std::unexpected(ready.error());

    if (command.keeper) ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    auto impl = std::make_unique<Impl>();
    impl->keeper = command.keeper;
    std::promise<StartFailure> started;
    std::future<StartFailure> result = started.get_future();
    impl->waiter = std::thread([&launch, impl = impl.get(), started = std::move(started)]() mutable {
        impl->id = fork_child(launch);
        if (impl->id < 0) return started.set_value({StartFailure::descriptors, errno});
        started.set_value(read_failure(launch));
        impl->reap();
    });
    const StartFailure failure = result.get();
    if (failure.step != StartFailure::none) return fail(describe(failure, launch, command));
    return Process(std::move(impl));
}

pid_t Process::id() const { return impl_->id; }

int Process::ended_descriptor() const { return impl_->ended.get(); }

std::optional<Exit> Process::wait_for(std::chrono::milliseconds limit) {
    pollfd entry{impl_->ended.get(), POLLIN, 0};
    poll_until({&entry, 1}, deadline_after(limit));
    const std::lock_guard lock(impl_->mutex);
    return impl_->exit;
}

Exit Process::wait() {
    for (;;) {
        if (const auto exit = wait_for(std::chrono::hours(1))) return *exit;
    }
}

void Process::send_signal(int signal) { impl_->signal_group(signal); }

void Process::kill() {
    impl_->kill();
    wait();
}

/// /proc/…/schedstat: nanoseconds of running, nanoseconds of waiting, turns.
double waited_for_processor(const std::string& folder) {
    std::ifstream file("/proc/" + folder + "/schedstat");
    double running = 0, waiting = 0;
    return file >> running >> waiting ? waiting * 1e-9 : 0;
}

namespace {

/// Appends what a full pipe holds, up to `limit` bytes in all; false at the end of the pipe.
bool drain(int descriptor, std::string& output, std::size_t limit) {
    char block[65536];  // a pipe's capacity
    const ssize_t count = ::read(descriptor, block, sizeof block);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    output.append(block, std::min(static_cast<std::size_t>(count), limit - output.size()));
    return count > 0;
}

}  // namespace

Result<Finished> run_to_end(Command command, std::stop_token stop, std::chrono::milliseconds limit,
                            std::size_t output_limit) {
    Pipe pipe;
    const Descriptor stopping(::eventfd(0, EFD_CLOEXEC));
    if (!pipe.open() || stopping.get() < 0) {
        return fail(say("cannot collect a program's output: {}", std::generic_category().message(errno)));
    }
    ::fcntl(pipe.read_end.get(), F_SETFL, O_NONBLOCK);
    command.output = command.error = pipe.write_end.get();
    Result<Process> process = Process::start(command);
    if (!process) return std::unexpected(process.error());
    pipe.write_end.close();

    const std::stop_callback wake(stop, [&] { signal_event(stopping.get()); });
    const Clock::time_point deadline = deadline_after(limit);
    Finished finished;
    for (bool ended = false; !ended;) {
        pollfd entries[] = {
            {process->ended_descriptor(), POLLIN, 0}, {stopping.get(), POLLIN, 0}, {pipe.read_end.get(), POLLIN, 0}};
        finished.timed_out = !poll_until(entries, deadline);
        finished.stopped = entries[1].revents != 0;
        if (finished.timed_out || finished.stopped) process->kill();
        ended = entries[0].revents != 0 || finished.timed_out || finished.stopped;
        if (pipe.read_end.get() >= 0 && !drain(pipe.read_end.get(), finished.output, output_limit)) {
            pipe.read_end.close();  // poll ignores it from now on
        }
    }
    finished.exit = process->wait();
    return finished;
}

}  // namespace kernelgen
