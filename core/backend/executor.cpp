// SPDX-License-Identifier: Apache-2.0
#include "core/backend/executor.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <format>
#include <fstream>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "core/backend/crash_place.h"
#include "core/backend/executor_channel.h"
#include "core/backend/executor_protocol.h"
#include "core/backend/executor_replies.h"
#include "core/base/keeper.h"
#include "core/base/process.h"
#include "core/base/scratch_folder.h"
#include "core/base/text.h"
#include "core/base/verdict_sentences.h"

namespace kernelgen {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t kept_output = 4096;

/// How long an answer is awaited, and what is said where none comes.
struct Limit {
    double seconds = 0;
    Said late;
};

/// The name in /proc of the last in the chain of a process's first children.
std::string youngest_descendant(pid_t process) {
    std::string name = std::to_string(process);
    for (;;) {
        std::ifstream children("/proc/" + name + "/task/" + name + "/children");
        std::string child;
        if (!(children >> child)) return name;
        name = child;
    }
}

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
    std::string first_thread;             ///< the executor's own, in /proc
    ForeignThreads foreign_threads;
    std::optional<ExecutorChannel> channel;
    int printed_end = -1;              ///< of the pipe into which kernels print
    std::map<int, LoadRequest> loads;  ///< the last of each slot, to repeat after a restart
    Greeting greeting;
    double limit_seconds = 30;
    double exchange_seconds = 0;
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
    void collect_prints(std::stop_token ended, int descriptor, int ending);
    void finish_printing();

    /// `seconds`, and what a loaded artifact may take to compile.
    Limit with_compiling(double seconds) const;
    Patience patience_of(const Limit& limit);
    Outcome exchange(const Request& request, const Limit& limit, Reply& reply);
    Outcome exchange(const Request& request, double seconds, Reply& reply);
    Outcome exchange(const Request& request, double seconds);
    Outcome take(const std::string& line, const Request& request, Reply& reply);
    Outcome broken_off(Heard heard, const Limit& limit);
    Outcome ended();
    Outcome killed(Status status, Said reason);
    Outcome no_reply(const Said& what);
    /// Whether `layout` lies in the arena, which the executor cannot see.
    Outcome check(const Layout& layout) const;
};

Result<void> Executor::Impl::start() {
    Result<ScratchFolder> scratch =
        ScratchFolder::create(std::filesystem::temp_directory_path(), "kernelgen-executor-");
    if (!scratch) return std::unexpected(scratch.error());
    folder.emplace(std::move(*scratch));
    Result<ExecutorChannel> made = ExecutorChannel::create();
    if (!made) return std::unexpected(made.error());
    channel.emplace(std::move(*made));
    int pipe_ends[2];
    if (::pipe2(pipe_ends, O_CLOEXEC) != 0) return fail("cannot make a pipe");
    printed_end = pipe_ends[0];
    Command command{.arguments = keeper_command(arguments),
                    .environment = environment,
                    .folder = folder->path.string(),
                    .descriptors = {},
                    .keeper = true};
    command.output = command.error = pipe_ends[1];
    command.descriptors = {{executor_mailbox_descriptor, channel->descriptor()},
                           {executor_arena_descriptor, arena.descriptor()}};
    Result<Process> started = Process::start(command);
    channel->close_descriptor();
    ::close(pipe_ends[1]);
    if (!started) return std::unexpected(started.error());
    process.emplace(std::move(*started));
    drain = std::jthread(
        [this, descriptor = printed_end](std::stop_token ended) { collect_prints(std::move(ended), descriptor); });
    return await_greeting();
}

Result<void> Executor::Impl::await_greeting() {
    const std::stop_token of_requests = std::exchange(stop, greeting.stop);
    const Limit limit{greeting.limit_seconds, say("it did not {} within {} s", greeting.doing, greeting.limit_seconds)};
    std::string line;
    const Heard heard = channel->receive(line, patience_of(limit));
    const Outcome greeted = heard == Heard::done ? Outcome{} : broken_off(heard, limit);
    stop = of_requests;
    const Result<std::string> name = greeted.ok() ? read_greeting(line) : fail(greeted.reason);
    if (name) {
        first_thread = youngest_descendant(process->id());  // nothing but the executor runs there yet
        foreign_threads = ForeignThreads(process->id());
        return {};
    }
    killed(Status::crashed, "");  // the process has ended: nothing that it printed is lost
    const std::string program = join(arguments, " ");
    if (printed.empty()) return fail(say("the executor `{}` did not start: {}", program, name.error().message));
    return fail(
        say("the executor `{}` did not start: {}; it printed: {}", program, name.error().message, trim(printed)));
}

void Executor::Impl::end() {
    if (process) channel->tell(executor_end_request);
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
    collect_prints(std::move(ended), descriptor, ending);
    ::close(ending);  // the callback that writes to it is gone
}

void Executor::Impl::collect_prints(std::stop_token ended, int descriptor, int ending) {
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
}

Limit Executor::Impl::with_compiling(double seconds) const {
    const double all = seconds + compile_seconds;
    const std::string total = with_si_prefix(all, "s");
    return {all, compile_seconds > 0 ? say(sentences::timed_out_compiling, total, with_si_prefix(seconds, "s"))
                                     : say(sentences::timed_out, total)};
}

Patience Executor::Impl::patience_of(const Limit& limit) {
    const auto seconds = std::chrono::duration<double>(limit.seconds);
    return {Clock::now() + std::chrono::duration_cast<Clock::duration>(seconds), stop, &*process};
}

Outcome Executor::Impl::exchange(const Request& request, double seconds) {
    Reply reply;
    return exchange(request, seconds, reply);
}

Outcome Executor::Impl::exchange(const Request& request, double seconds, Reply& reply) {
    return exchange(request, Limit{seconds, say(sentences::timed_out, with_si_prefix(seconds, "s"))}, reply);
}

Outcome Executor::Impl::exchange(const Request& request, const Limit& limit, Reply& reply) {
    if (!process) return {Status::crashed, "the executor is not running"};
    const Patience patience = patience_of(limit);
    std::string line = to_line(request);
    const Clock::time_point start = Clock::now();
    Heard heard = channel->send(std::move(line), patience);
    if (heard == Heard::done) heard = channel->receive(line, patience);
    exchange_seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return heard == Heard::done ? take(line, request, reply) : broken_off(heard, limit);
}

Outcome Executor::Impl::take(const std::string& line, const Request& request, Reply& reply) {
    Result<Reply> read = read_reply(line, request);
    if (!read) return no_reply(read.error().message);
    reply = std::move(*read);
    if (reply.ends) {
        process->wait_for(1000ms);
        let_go();
    }
    return reply.outcome;
}

Outcome Executor::Impl::broken_off(Heard heard, const Limit& limit) {
    switch (heard) {
        case Heard::late: return killed(Status::timed_out, limit.late);
        case Heard::stopped: return killed(Status::cancelled, "cancelled");
        case Heard::ended: return ended();
        case Heard::done:
        case Heard::damaged: break;
    }
    return no_reply("it wrote what nobody had asked for");
}

Outcome Executor::Impl::ended() {
    const Exit exit = process->wait();
    let_go();
    if (exit.signal == SIGKILL) return {Status::crashed, sentences::killed};
    if (exit.signal == SIGXFSZ) return {Status::crashed, sentences::file_too_large};
    if (exit.status == too_many_processes_status) return {Status::crashed, sentences::too_many_processes};
    const std::lock_guard lock(printed_mutex);
    const std::string place = exit.signal != 0 ? crash_place(printed) : "";
    if (place.empty()) return {Status::crashed, say(sentences::crashed, kernelgen::to_string(exit))};
    return {Status::crashed, say(sentences::crashed_at, kernelgen::to_string(exit), place)};
}

Outcome Executor::Impl::killed(Status status, Said reason) {
    let_go();
    return {status, std::move(reason)};
}

Outcome Executor::Impl::no_reply(const Said& what) { return killed(Status::crashed, say(sentences::no_reply, what)); }

Outcome Executor::Impl::check(const Layout& layout) const {
    if (layout.total <= arena.size()) return {};
    return {Status::crashed, "the arena is smaller than the layout"};
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
void Executor::end() { impl_->let_go(); }

double Executor::waited_seconds() const { return impl_->process ? waited_for_processor(impl_->first_thread) : 0; }

double Executor::exchange_seconds() const { return impl_->exchange_seconds; }

const ForeignThreads& Executor::foreign_threads() const { return impl_->foreign_threads; }

std::string Executor::printed() const {
    const std::lock_guard lock(impl_->printed_mutex);
    return impl_->printed;
}

void Executor::set_limit(double seconds, std::stop_token stop) {
    impl_->limit_seconds = seconds;
    impl_->stop = std::move(stop);
}

Outcome Executor::load(int slot, const Artifact& artifact, const Call& call) {
    const LoadRequest request{slot, artifact, call};
    impl_->loads[slot] = request;
    impl_->compile_seconds = std::max(impl_->compile_seconds, artifact.python.compile_seconds);
    Reply reply;
    return impl_->exchange(request, impl_->with_compiling(impl_->limit_seconds), reply);
}

Outcome Executor::try_out(int slot, const Artifact& artifact, const Call& call, TrialReport& trial) {
    const double seconds = impl_->limit_seconds + artifact.python.compile_seconds;
    const Limit limit{seconds, say(sentences::trial_timed_out, with_si_prefix(seconds, "s"))};
    Reply reply;
    Outcome outcome = impl_->exchange(LoadRequest{slot, artifact, call, true}, limit, reply);
    trial = std::move(reply.trial).value_or(TrialReport{});
    return outcome;
}

Outcome Executor::clear() {
    impl_->loads.clear();
    impl_->compile_seconds = 0;
    const Outcome cleared = impl_->exchange(ClearRequest{}, impl_->limit_seconds);
    impl_->arena.clear();
    return cleared;
}

Outcome Executor::run(int slot, const Call& call, const Layout& layout, Placement placement) {
    if (const Outcome fits = impl_->check(layout); !fits.ok()) return fits;
    RunRequest request{slot, call, layout, placement};
    Reply reply;
    const Outcome outcome = impl_->exchange(request, impl_->with_compiling(impl_->limit_seconds), reply);
    if (!outcome.ok() || !reply.misaligned) return outcome;
    // A kernel may rely on buffers aligned to 256 bytes; then their ends are up to 255 bytes before the page.
    impl_->end();
    if (Result<void> started = impl_->start(); !started) return {Status::crashed, started.error().message};
    for (const auto& [number, load] : impl_->loads) {
        if (const Outcome loaded = impl_->exchange(load, impl_->limit_seconds); !loaded.ok()) return loaded;
    }
    request.alignment = 256;
    return impl_->exchange(request, impl_->limit_seconds);
}

Outcome Executor::prepare(std::span<const Call> calls, const Layout& layout, int sets) {
    if (const Outcome fits = impl_->check(layout); !fits.ok()) return fits;
    const double filling = static_cast<double>(layout.total) * sets / 100e6;
    Reply reply;
    return impl_->exchange(PrepareRequest{{calls.begin(), calls.end()}, layout, sets},
                           impl_->with_compiling(impl_->limit_seconds + filling), reply);
}

Outcome Executor::refill(std::span<const Patch> patches) {
    return impl_->exchange(RefillRequest{{patches.begin(), patches.end()}}, impl_->limit_seconds);
}

Outcome Executor::sample(const SampleRequest& request, Samples& samples) {
    // A batch is made of many turns only where these are short.
    constexpr std::size_t fewest = 2, most = 8;
    std::size_t calls = 0;
    for (const auto& turn : request.turns) calls += turn.size();
    const auto slow = static_cast<double>(std::clamp(calls, fewest, most));
    Reply reply;
    Outcome outcome = impl_->exchange(request, slow * impl_->limit_seconds, reply);
    if (reply.samples) samples = std::move(*reply.samples);
    return outcome;
}

Outcome Executor::count(int slot, double& hit_rate) {
    Reply reply;
    Outcome outcome = impl_->exchange(CountRequest{slot}, 2 * impl_->limit_seconds, reply);
    hit_rate = reply.hit_rate.value_or(hit_rate);
    return outcome;
}

}  // namespace kernelgen
