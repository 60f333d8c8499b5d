// SPDX-License-Identifier: Apache-2.0
#include "core/backend/executor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <format>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <utility>

#include "core/base/keeper.h"
#include "core/base/scratch_folder.h"
#include "core/base/sentences.h"
#include "core/base/text.h"

namespace kernelgen {

using nlohmann::json;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t kept_output = 4096;

std::string_view to_string(Placement placement) {
    switch (placement) {
        case Placement::ends_guarded: return "ends_guarded";
        case Placement::starts_guarded: return "starts_guarded";
        case Placement::shared: break;
    }
    return "shared";
}

/// How long an answer is awaited, and what is said where none comes.
struct Limit {
    double seconds = 0;
    std::string late;
};

void close_descriptor(int& descriptor) {
    if (descriptor >= 0) ::close(descriptor);
    descriptor = -1;
}

}  // namespace

struct Executor::Impl {
    std::vector<std::string> arguments;
    std::map<std::string, std::string> environment;
    Arena arena;
    std::optional<ScratchFolder> folder;  ///< in which kernels run
    std::optional<Process> process;       ///< the executor's keeper, which ends as the executor does
    int socket = -1;
    int printed_end = -1;  ///< of the pipe into which kernels print
    std::string received;
    std::map<int, json> loads;  ///< the last of each slot, to repeat after a restart
    Greeting greeting;
    double limit_seconds = 30;
    double compile_seconds = 0;  ///< beyond the limit, for what a loaded artifact compiles
    std::stop_token stop;

    std::jthread drain;
    mutable std::mutex printed_mutex;
    std::string printed;

    explicit Impl(Arena shared) : arena(std::move(shared)) {}
    ~Impl() { end(); }

    Result<void> start();
    Result<void> await_greeting();
    void end();
    void let_go();
    void collect_prints(std::stop_token ended, int descriptor);
    void finish_printing();

    /// `seconds`, and what a loaded artifact may take to compile.
    Limit with_compiling(double seconds) const;
    Outcome exchange(const json& request, const Limit& limit, json& reply);
    Outcome exchange(const json& request, double seconds, json& reply);
    std::optional<json> take_line();
    Outcome wait_for_reply(const Limit& limit, json& reply);
    Outcome ended(Clock::time_point deadline);
    Outcome killed(Status status, std::string reason);
};

Result<void> Executor::Impl::start() {
    Result<ScratchFolder> made = ScratchFolder::create(std::filesystem::temp_directory_path(), "kernelgen-executor-");
    if (!made) return std::unexpected(made.error());
    folder.emplace(std::move(*made));
    int ends[2], pipe_ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return fail("cannot make a socket");
    socket = ends[0];
    if (::pipe2(pipe_ends, O_CLOEXEC) != 0) {
        ::close(ends[1]);
        return fail("cannot make a pipe");
    }
    printed_end = pipe_ends[0];
    Command command{.arguments = keeper_command(arguments),
                    .environment = environment,
                    .folder = folder->path.string(),
                    .descriptors = {},
                    .keeper = true};
    command.output = command.error = pipe_ends[1];
    command.descriptors = {{3, ends[1]}, {4, arena.descriptor()}};
    Result<Process> started = Process::start(command);
    ::close(ends[1]);
    ::close(pipe_ends[1]);
    if (!started) return std::unexpected(started.error());
    process.emplace(std::move(*started));
    received.clear();
    drain = std::jthread([this, descriptor = printed_end](std::stop_token ended) {
        collect_prints(std::move(ended), descriptor);
    });
    return await_greeting();
}

Result<void> Executor::Impl::await_greeting() {
    json hello;
    const std::stop_token of_requests = std::exchange(stop, greeting.stop);
    const Limit limit{greeting.limit_seconds,
                      std::format("it did not {} within {} s", greeting.doing, greeting.limit_seconds)};
    const Outcome greeted = wait_for_reply(limit, hello);
    stop = of_requests;
    if (greeted.ok()) return {};
    return fail("the executor `" + join(arguments, " ") + "` did not start: " + greeted.reason +
                (printed.empty() ? "" : "; it printed: " + std::string(trim(printed))));
}

void Executor::Impl::end() {
    close_descriptor(socket);  // an executor ends at the end of its requests
    if (process) process->wait_for(200ms);
    let_go();
    folder.reset();
}

/// Ends the process and all that it started, however they hold on to the pipe into which they print.
void Executor::Impl::let_go() {
    if (process) process->kill();
    process.reset();
    finish_printing();
}

void Executor::Impl::finish_printing() {
    drain.request_stop();
    if (drain.joinable()) drain.join();
    close_descriptor(printed_end);
}

void Executor::Impl::collect_prints(std::stop_token ended, int descriptor) {
    const int ending = ::eventfd(0, EFD_CLOEXEC);
    const std::stop_callback wake(ended, [ending] { ::eventfd_write(ending, 1); });
    ::fcntl(descriptor, F_SETFL, O_NONBLOCK);
    std::array<char, 1 << 16> buffer{};
    constexpr int most_after_end = 32;  // more than a pipe holds
    for (int after_end = 0; after_end < most_after_end; after_end += ended.stop_requested() ? 1 : 0) {
        pollfd entries[] = {{descriptor, POLLIN, 0}, {ending, POLLIN, 0}};
        ::poll(entries, 2, -1);
        const ssize_t count = ::read(descriptor, buffer.data(), buffer.size());
        if (count < 0 && (errno == EINTR || (errno == EAGAIN && !ended.stop_requested()))) continue;
        if (count <= 0) break;
        const std::lock_guard lock(printed_mutex);
        printed.append(buffer.data(), static_cast<std::size_t>(count));
        if (printed.size() > kept_output) printed.erase(0, printed.size() - kept_output);
    }
    ::close(ending);
}

Limit Executor::Impl::with_compiling(double seconds) const {
    const double all = seconds + compile_seconds;
    const std::string total = with_si_prefix(all, "s");
    return {all, compile_seconds > 0 ? std::format(sentences::timed_out_compiling, total, with_si_prefix(seconds, "s"))
                                     : std::format(sentences::timed_out, total)};
}

Outcome Executor::Impl::exchange(const json& request, double seconds, json& reply) {
    return exchange(request, Limit{seconds, std::format(sentences::timed_out, with_si_prefix(seconds, "s"))}, reply);
}

Outcome Executor::Impl::exchange(const json& request, const Limit& limit, json& reply) {
    if (!process) return {Status::crashed, "the executor is not running"};
    const std::string line = request.dump() + "\n";
    for (std::size_t sent = 0; sent < line.size();) {
        const ssize_t count = ::send(socket, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return ended(Clock::now() + 1s);
        sent += static_cast<std::size_t>(count);
    }
    return wait_for_reply(limit, reply);
}

std::optional<json> Executor::Impl::take_line() {
    const std::size_t end = received.find('\n');
    if (end == std::string::npos) return std::nullopt;
    json reply = json::parse(received.substr(0, end), nullptr, false);
    received.erase(0, end + 1);
    return reply;
}

Outcome Executor::Impl::wait_for_reply(const Limit& limit, json& reply) {
    constexpr auto stop_interval = 20ms;
    const Clock::time_point deadline =
        Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(limit.seconds));
    std::array<char, 1 << 16> buffer{};
    for (;;) {
        if (auto line = take_line()) {
            reply = std::move(*line);
            break;
        }
        if (stop.stop_requested()) return killed(Status::cancelled, "cancelled");
        if (Clock::now() >= deadline) return killed(Status::timed_out, limit.late);
        pollfd entry{socket, POLLIN, 0};
        if (::poll(&entry, 1, static_cast<int>(stop_interval / 1ms)) <= 0) continue;
        const ssize_t count = ::recv(socket, buffer.data(), buffer.size(), 0);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return ended(deadline);
        received.append(buffer.data(), static_cast<std::size_t>(count));
    }
    if (!reply.is_object()) return killed(Status::crashed, "the executor sent something that is no reply");
    if (reply.value("ends", false)) {
        process->wait_for(1000ms);
        let_go();
    }
    return {parse_status(reply.value("status", "ok")).value_or(Status::crashed), reply.value("reason", "")};
}

/// The socket was closed: the executor has ended, or ends with all that it started, or a kernel closed it.
Outcome Executor::Impl::ended(Clock::time_point deadline) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now());
    const std::optional<Exit> exit = process->wait_for(std::clamp(left, 0ms, 5000ms));
    if (!exit) return killed(Status::crashed, "the kernel's process closed its connection");
    let_go();
    if (exit->signal == SIGKILL) return {Status::crashed, std::string(sentences::killed)};
    if (exit->signal == SIGXFSZ) return {Status::crashed, std::string(sentences::file_too_large)};
    if (exit->status == too_many_processes_status) {
        return {Status::crashed, std::string(sentences::too_many_processes)};
    }
    return {Status::crashed, std::format(sentences::crashed, kernelgen::to_string(*exit))};
}

Outcome Executor::Impl::killed(Status status, std::string reason) {
    let_go();
    return {status, std::move(reason)};
}

Executor::Executor(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Executor::~Executor() = default;

Result<std::unique_ptr<Executor>> Executor::start(std::vector<std::string> arguments,
                                                  std::map<std::string, std::string> environment, Greeting greeting) {
    Result<Arena> arena = Arena::create();
    if (!arena) return std::unexpected(arena.error());
    auto impl = std::make_unique<Impl>(std::move(*arena));
    impl->arguments = std::move(arguments);
    impl->environment = std::move(environment);
    impl->greeting = std::move(greeting);
    if (Result<void> started = impl->start(); !started) return std::unexpected(started.error());
    return std::unique_ptr<Executor>(new Executor(std::move(impl)));
}

Arena& Executor::arena() { return impl_->arena; }
bool Executor::alive() const { return impl_->process.has_value(); }

std::string Executor::printed() const {
    const std::lock_guard lock(impl_->printed_mutex);
    return impl_->printed;
}

void Executor::set_limit(double seconds, std::stop_token stop) {
    impl_->limit_seconds = seconds;
    impl_->stop = std::move(stop);
}

Outcome Executor::load(int slot, const Artifact& artifact, const Call& call) {
    const json request = {{"op", "load"}, {"slot", slot}, {"artifact", to_json(artifact)}, {"call", to_json(call)}};
    impl_->loads[slot] = request;
    impl_->compile_seconds = std::max(impl_->compile_seconds, artifact.python.compile_seconds);
    json reply;
    return impl_->exchange(request, impl_->with_compiling(impl_->limit_seconds), reply);
}

Outcome Executor::try_out(int slot, const Artifact& artifact, const Call& call, json& reply) {
    const double seconds = impl_->limit_seconds + artifact.python.compile_seconds;
    return impl_->exchange(
        {{"op", "load"}, {"slot", slot}, {"artifact", to_json(artifact)}, {"call", to_json(call)}, {"trial", true}},
        Limit{seconds, std::format(sentences::trial_timed_out, with_si_prefix(seconds, "s"))}, reply);
}

Outcome Executor::clear() {
    impl_->loads.clear();
    impl_->compile_seconds = 0;
    json reply;
    const Outcome cleared = impl_->exchange({{"op", "clear"}}, impl_->limit_seconds, reply);
    impl_->arena.clear();
    return cleared;
}

Outcome Executor::run(int slot, const Call& call, const Layout& layout, Placement placement) {
    json request = {{"op", "run"},
                    {"slot", slot},
                    {"call", to_json(call)},
                    {"layout", to_json(layout)},
                    {"placement", to_string(placement)},
                    {"alignment", 1}};
    json reply = json::object();  // stays so where the executor ends without one
    const Outcome outcome = impl_->exchange(request, impl_->with_compiling(impl_->limit_seconds), reply);
    if (!outcome.ok() || !reply.value("misaligned", false)) return outcome;
    // A kernel may rely on buffers aligned to 256 bytes; then their ends are up to 255 bytes before the page.
    impl_->end();
    if (Result<void> started = impl_->start(); !started) return {Status::crashed, started.error().message};
    for (const auto& [number, load] : impl_->loads) {
        if (const Outcome loaded = impl_->exchange(load, impl_->limit_seconds, reply); !loaded.ok()) return loaded;
    }
    request["alignment"] = 256;
    return impl_->exchange(request, impl_->limit_seconds, reply);
}

Outcome Executor::prepare(const Call& candidate, const Call& baseline, const Layout& layout, int rotations) {
    const double filling = static_cast<double>(layout.total) * rotations / 100e6;
    json reply;
    return impl_->exchange({{"op", "prepare"},
                            {"candidate", to_json(candidate)},
                            {"baseline", to_json(baseline)},
                            {"layout", to_json(layout)},
                            {"rotations", rotations}},
                           impl_->with_compiling(impl_->limit_seconds + filling), reply);
}

Outcome Executor::refill() {
    json reply;
    return impl_->exchange({{"op", "refill"}}, impl_->limit_seconds, reply);
}

Outcome Executor::sample(const SampleRequest& request, Samples& samples) {
    json reply;
    const Outcome outcome = impl_->exchange({{"op", "sample"},
                                             {"candidate_first", request.candidate_first},
                                             {"repeats", request.repeats},
                                             {"flush", request.flush},
                                             {"poison", request.poison},
                                             {"capture", request.capture}},
                                            2 * impl_->limit_seconds, reply);
    if (!outcome.ok()) return outcome;
    samples.candidate = reply.at("candidate").get<std::vector<double>>();
    samples.baseline = reply.at("baseline").get<std::vector<double>>();
    samples.grown_bytes = reply.at("grown_bytes");
    samples.discarded = reply.value("discarded", 0);
    samples.conditions = reply.value("conditions", std::map<std::string, double>());
    return outcome;
}

Outcome Executor::count(int calls, double& hit_rate) {
    json reply;
    const Outcome outcome =
        impl_->exchange({{"op", "count"}, {"calls", calls}}, impl_->limit_seconds * (1 + calls), reply);
    if (outcome.ok()) hit_rate = reply.at("hit_rate");
    return outcome;
}

Outcome Executor::request(const json& request, json& reply) {
    return impl_->exchange(request, impl_->limit_seconds, reply);
}

}  // namespace kernelgen
