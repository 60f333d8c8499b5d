// SPDX-License-Identifier: Apache-2.0
#include "core/worker/client.h"

#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <format>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "core/base/descriptor.h"
#include "core/base/json_reader.h"
#include "core/base/line_channel.h"
#include "core/base/process.h"
#include "core/base/text.h"
#include "core/base/text_file.h"
#include "core/listing/built_code.h"
#include "core/said/said.h"
#include "core/worker/messages.h"

namespace kernelgen {

using nlohmann::json;
using namespace std::chrono_literals;

namespace {

constexpr auto stop_interval = 50ms;
constexpr auto cancel_limit = 5s;  // after which a worker that does not answer a cancellation is killed

std::unexpected<Error> unreadable() {
    return fail(say("the worker's reply cannot be read: {}", "install the same version of KernelGen on both sides"));
}

/// A member that is a text; nothing where it is something else or is not there.
std::optional<std::string> text_of(const json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_string()) return std::nullopt;
    return found->get<std::string>();
}

/// The beginning of a line that came from anywhere, as a message can quote it.
std::string quoted(std::string line) {
    const auto is_odd = [](char c) { return static_cast<signed char>(c) < 0; };
    if (!is_utf8(line)) std::ranges::replace_if(line, is_odd, '?');
    return in_backquotes(trim(line));
}

}  // namespace

struct WorkerClient::Impl {
    using News = std::function<void(const json&)>;

    /// A call that waits for its reply.
    struct Pending {
        std::optional<json> reply;
        Progress progress;
        News news;
    };

    Pipe requests;  // this side writes
    Pipe replies;   // this side reads
    std::optional<Process> process;
    std::unique_ptr<LineChannel> channel;
    std::mutex mutex;
    std::condition_variable_any changed;
    std::map<std::int64_t, Pending> pending;
    std::int64_t next_id = 1;
    std::optional<json> greeting;
    std::string nonsense;  ///< the first line before the greeting that is no message
    Said death;            ///< why the worker is no longer there
    Said ended_because;    ///< where this side ended it
    std::optional<std::map<std::string, Sizes>> device_numbers;
    std::jthread reader;

    ~Impl() {
        requests.write_end.close();  // the worker ends at the end of its input
        if (process && !process->wait_for(2000ms)) process->kill();
        if (reader.joinable()) reader.join();
    }

    void read_replies();
    void take(json message);
    void take_nonsense(const std::string& line);
    Said why_not_started(const std::string& command, std::stop_token stop);
    Result<json> call(json request, const Progress& progress, std::stop_token stop, News news = {});
    void wait_for_reply(std::int64_t id, std::stop_token stop);
};

void WorkerClient::Impl::read_replies() {
    while (auto line = channel->read_line()) {
        // A line that is not a message of the protocol (a login banner, say) is passed over.
        try {
            take(json::parse(*line));
        } catch (const json::exception&) {
            take_nonsense(*line);
        }
    }
    take_nonsense(channel->rest());
    const auto exit = process->wait_for(1000ms);
    const std::lock_guard lock(mutex);
    death = exit ? say("the worker {}", to_string(*exit)) : Said("the worker closed its output");
    if (!ended_because.empty()) death = ended_because;
    changed.notify_all();
}

void WorkerClient::Impl::take_nonsense(const std::string& line) {
    const std::lock_guard lock(mutex);
    if (!greeting && nonsense.empty()) nonsense = trim(line);
}

void WorkerClient::Impl::take(json message) {
    Progress progress;
    News news;
    {
        const std::lock_guard lock(mutex);
        const std::string event = text_of(message, "event").value_or("");
        if (event == "hello") {
            greeting = std::move(message);
            changed.notify_all();
            return;
        }
        const auto found = pending.find(message.value("id", std::int64_t{-1}));
        if (found == pending.end()) return;
        if (event != "progress" && event != "news") {
            found->second.reply = std::move(message);
            changed.notify_all();
            return;
        }
        if (event == "news") news = found->second.news;
        else progress = found->second.progress;
    }
    if (news) news(message.at("news"));
    if (progress) progress(message.value("stage", ""), message.value("done", 0), message.value("total", 0));
}

void WorkerClient::Impl::wait_for_reply(std::int64_t id, std::stop_token stop) {
    const auto answered = [&] { return pending.at(id).reply || !death.empty(); };
    std::unique_lock lock(mutex);
    if (changed.wait(lock, stop, answered)) return;
    lock.unlock();
    channel->write({{"id", -id}, {"op", "cancel"}, {"target", id}});
    lock.lock();
    if (changed.wait_for(lock, cancel_limit, answered)) return;
    process->send_signal(SIGKILL);
    changed.wait(lock, answered);
}

Result<json> WorkerClient::Impl::call(json request, const Progress& progress, std::stop_token stop, News news) {
    std::int64_t id = 0;
    {
        const std::lock_guard lock(mutex);
        if (!death.empty()) return fail(death);
        id = next_id++;
        pending[id] = {.reply = {}, .progress = progress, .news = std::move(news)};
    }
    request["id"] = id;
    if (channel->write(request)) wait_for_reply(id, stop);
    const std::lock_guard lock(mutex);
    std::optional<json> reply = std::move(pending.at(id).reply);
    pending.erase(id);
    if (!reply) return fail(death.empty() ? Said("the worker no longer reads requests") : death);
    const std::string event = text_of(*reply, "event").value_or("");
    if (event == "error")
        return fail(own_words(*reply, "message", text_of(*reply, "message").value_or("the worker gave no reason")));
    if (event != "result" || !reply->contains("result")) return unreadable();
    return std::move(reply->at("result"));
}

WorkerClient::WorkerClient(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
WorkerClient::~WorkerClient() = default;

bool WorkerClient::alive() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->death.empty();
}

Said WorkerClient::death() const {
    const std::lock_guard lock(impl_->mutex);
    return impl_->death;
}

void WorkerClient::require_answer(std::chrono::seconds limit, std::stop_token stop) {
    std::int64_t id = 0;
    {
        const std::lock_guard lock(impl_->mutex);
        id = impl_->next_id++;
        impl_->pending[id];
    }
    impl_->channel->write({{"id", id}, {"op", "ping"}});
    std::unique_lock lock(impl_->mutex);
    const auto answered = [&] { return impl_->pending.at(id).reply || !impl_->death.empty(); };
    const bool is_there = impl_->changed.wait_for(lock, stop, limit, answered) || stop.stop_requested();
    impl_->pending.erase(id);
    if (is_there) return;
    impl_->ended_because = say("the worker did not answer for {} s", limit.count());
    impl_->process->send_signal(SIGKILL);
}

/// Ends what did not greet, and tells why, with what it printed.
Said WorkerClient::Impl::why_not_started(const std::string& command, std::stop_token stop) {
    std::unique_lock lock(mutex);
    const Said silent = stop.stop_requested() ? "cancelled" : "it did not greet in time";
    const Said why = death.empty() ? silent : death;
    process->send_signal(SIGTERM);  // so that a cluster's client takes its request out of the queue
    changed.wait_for(lock, 1s, [&] { return !death.empty(); });
    if (nonsense.empty() || stop.stop_requested()) return say("no worker behind `{}`: {}", command, why);
    return say(
        "no worker behind `{}`: {}; it printed {}, which is no message of a worker: the command must start `kernelgen "
        "worker`, with the program's full path where that is not on PATH",
        command, why, quoted(nonsense));
}

Result<std::unique_ptr<WorkerClient>> WorkerClient::start(const std::vector<std::string>& command, std::stop_token stop,
                                                          std::chrono::seconds patience) {
    std::signal(SIGPIPE, SIG_IGN);
    auto impl = std::make_unique<Impl>();
    if (!impl->requests.open() || !impl->replies.open()) return fail("cannot make a pipe to the worker");
    Result<Process> process = Process::start({.arguments = command,
                                              .environment = {},
                                              .folder = "",
                                              .input = impl->requests.read_end.get(),
                                              .output = impl->replies.write_end.get(),
                                              .error = STDERR_FILENO,
                                              .descriptors = {}});
    if (!process) return fail(say("cannot start the worker `{}`: {}", join(command, " "), process.error().message));
    impl->process = std::move(*process);
    impl->requests.read_end.close();
    impl->replies.write_end.close();
    impl->channel = std::make_unique<LineChannel>(impl->replies.read_end.get(), impl->requests.write_end.get());
    impl->reader = std::jthread([raw = impl.get()] { raw->read_replies(); });

    std::unique_lock lock(impl->mutex);
    const auto latest = std::chrono::steady_clock::now() + patience;
    const auto has_answered = [&] { return impl->greeting || !impl->death.empty(); };
    while (!impl->changed.wait_for(lock, stop_interval, has_answered)) {
        if (stop.stop_requested() || std::chrono::steady_clock::now() >= latest) break;
    }
    const bool has_greeted = impl->greeting.has_value();
    const json protocol = has_greeted ? impl->greeting->value("protocol", json()) : json();
    lock.unlock();
    if (!has_greeted) return fail(impl->why_not_started(join(command, " "), stop));
    if (protocol != worker_protocol_version) {
        const std::string spoken = protocol.is_number_integer() ? protocol.dump() : "unknown";
        return fail(say("the worker behind `{}` speaks protocol {}, this program {}: install the same version on both",
                        join(command, " "), spoken, worker_protocol_version));
    }
    return std::unique_ptr<WorkerClient>(new WorkerClient(std::move(impl)));
}

namespace {

/// A worker's result as `read` reads it. Errors: those of `reply`; a result that `read` cannot read.
template <class Read>
auto value_of(const Result<json>& reply, Read read) -> Result<decltype(read(*reply))> {
    if (!reply) return std::unexpected(reply.error());
    try {
        return read(*reply);
    } catch (const std::exception&) {  // its text is for who writes a worker, not for who uses one
        return unreadable();
    }
}

/// A reply as a result, or a result with the status that a call without a reply has.
template <class T, class Read>
T result_of(const Result<json>& reply, std::stop_token stop, Read read) {
    Result<T> value = value_of(reply, read);
    if (value) return std::move(*value);
    T result;
    result.status = !reply && stop.stop_requested() ? Status::cancelled : Status::crashed;
    result.reason = value.error().message;
    return result;
}

std::vector<WorkerDevice> devices_from_json(const json& described) {
    std::vector<WorkerDevice> devices;
    for (const json& device : described) {
        WorkerDevice& added = devices.emplace_back();
        added.info = device_info_from_json(device.at("info"));
        if (!device.at("ceilings").is_null()) added.ceilings = ceilings_from_json(device.at("ceilings"));
    }
    return devices;
}

json with_operation(json request, const char* operation) {
    request["op"] = operation;
    return request;
}

}  // namespace

Result<std::vector<WorkerDevice>> WorkerClient::devices(std::stop_token stop) {
    Result<std::vector<WorkerDevice>> devices =
        value_of(impl_->call({{"op", "capabilities"}}, {}, stop), devices_from_json);
    const std::lock_guard lock(impl_->mutex);
    if (!devices || impl_->device_numbers) return devices;
    impl_->device_numbers.emplace();
    for (const WorkerDevice& each : *devices) impl_->device_numbers->emplace(each.info.name, each.info.numbers);
    return devices;
}

Sizes WorkerClient::device_numbers(const std::string& device, std::stop_token stop) {
    const auto known = [&] {
        const std::lock_guard lock(impl_->mutex);
        return impl_->device_numbers;
    };
    if (!known()) devices(stop);
    const auto numbers = known().value_or(std::map<std::string, Sizes>());
    const auto found = numbers.find(device);
    return found == numbers.end() ? Sizes() : found->second;
}

BuildResult WorkerClient::build(const BuildRequest& request, const std::string& tag, const Progress& progress,
                                std::stop_token stop) {
    json message = with_operation(to_json(request), "build");
    message["tag"] = tag;
    auto result = result_of<BuildResult>(impl_->call(std::move(message), progress, stop), stop, build_result_from_json);
    note_texts_not_given(request, result);
    return result;
}

VerifyResult WorkerClient::verify(const VerifyRequest& request, const Progress& progress, std::stop_token stop) {
    return result_of<VerifyResult>(impl_->call(with_operation(to_json(request), "verify"), progress, stop), stop,
                                   verify_result_from_json);
}

Result<Explanation> WorkerClient::explain(const ExplainRequest& request, const Progress& progress,
                                          std::stop_token stop) {
    return value_of(impl_->call(with_operation(to_json(request), "explain"), progress, stop), explanation_from_json);
}

std::vector<BenchResult> WorkerClient::bench(const BenchRequest& request, const Progress& progress,
                                             std::stop_token stop) {
    const bool is_one = request.candidates.size() == 1;
    const Result<json> reply =
        impl_->call(with_operation(to_json(request), is_one ? "bench" : "compare"), progress, stop);
    std::vector<BenchResult> results;
    for (std::size_t i = 0; i < request.candidates.size(); ++i) {
        results.push_back(result_of<BenchResult>(
            reply, stop, [&](const json& told) { return bench_result_from_json(is_one ? told : told.at(i)); }));
    }
    return results;
}

std::vector<RaceResult> WorkerClient::race(const RaceRequest& request, const Progress& progress, std::stop_token stop) {
    const auto news = [&request](const json& told) {
        std::vector<RaceResult> results;
        for (const json& each : told) results.push_back(race_result_from_json(each));
        if (request.tell && results.size() == request.sides.candidates.size()) request.tell(results);
    };
    const Result<json> reply = impl_->call(with_operation(to_json(request), "race"), progress, stop, news);
    std::vector<RaceResult> results;
    for (std::size_t i = 0; i < request.sides.candidates.size(); ++i) {
        results.push_back(
            result_of<RaceResult>(reply, stop, [&](const json& told) { return race_result_from_json(told.at(i)); }));
    }
    return results;
}

HamperResult WorkerClient::hampered(const HamperRequest& request, const Progress& progress, std::stop_token stop) {
    return result_of<HamperResult>(impl_->call(with_operation(to_json(request), "hampered"), progress, stop), stop,
                                   hamper_result_from_json);
}

ModelAnswer WorkerClient::model(const ModelRequest& request, const Progress& progress, std::stop_token stop) {
    const Result<json> reply = impl_->call(with_operation(to_json(request), "model"), progress, stop);
    return result_of<ModelAnswer>(reply, stop, [](const json& told) {
        return ModelAnswer{parse_status(told.at("status").get<std::string>()).value(), own_words(told, "reason"),
                           told.at("told")};
    });
}

Result<Ceilings> WorkerClient::measure_ceilings(const std::string& device, const Progress& progress,
                                                std::stop_token stop) {
    return value_of(impl_->call({{"op", "ceilings"}, {"device", device}}, progress, stop), ceilings_from_json);
}

}  // namespace kernelgen
