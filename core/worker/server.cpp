// SPDX-License-Identifier: Apache-2.0
#include "core/worker/server.h"

#include <csignal>

#include <algorithm>
#include <format>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <thread>

#include "core/backend/build_lock.h"
#include "core/base/line_channel.h"
#include "core/base/sentences.h"
#include "core/base/text.h"
#include "core/base/version.h"
#include "core/project/by_case.h"
#include "core/project/project_file.h"
#include "core/project/values.h"
#include "core/said/said.h"
#include "core/verify/reference_cache.h"
#include "core/worker/job_queue.h"
#include "core/worker/messages.h"

namespace kernelgen {

using nlohmann::json;

namespace {

/// What identifies a verified attempt of a request: everything that a verdict depends on.
template <class Request>
std::string verified_key(const Request& request, const Implementation& implementation, const Case& binding) {
    const json parts = {json(to_json(request.definition)),
                        json(to_json(implementation)),
                        request.reference ? json(to_json(*request.reference)) : json(),
                        json(to_json(request.accuracy)),
                        json(to_json(binding)),
                        request.device};
    return hash_hex(parts.dump(-1, ' ', false, json::error_handler_t::replace));
}

/// Why a request was not done.
struct Refused : std::runtime_error {
    explicit Refused(Said reason) : std::runtime_error(reason.text()), why(std::move(reason)) {}
    Said why;
};

json error_reply(std::int64_t id, const Said& message) {
    json reply = {{"id", id}, {"event", "error"}};
    put_said(reply, "message", message);
    return reply;
}

class Server {
public:
    Server(const Backends& backends, int input, int output) : backends_(backends), channel_(input, output) {}

    int run();

private:
    void dispatch(const std::string& line);
    void start(JobPointer job, JobQueue& queue);
    void cancel(std::int64_t id);
    void perform(Job& job);
    void reply_error(std::int64_t id, const Said& message);
    Progress progress_of(const Job& job);
    Backend* backend_of(const std::string& device) { return find_backend(backends_, device); }

    json devices(Job& job);
    json build(Job& job);
    json verify_request(Job& job);
    json explain_request(Job& job);
    std::vector<BenchResult> bench_all(Job& job);
    json bench_request(Job& job);
    json compare_request(Job& job);
    json race_request(Job& job);
    RaceNews news_of_race(const Job& job);
    json hamper_request(Job& job);
    template <class Request>
    std::string build_key(const Request& request, const Implementation& implementation, const Case& binding, Job& job);
    Outcome take_locks(const std::string& device, const std::string& purpose, Job& job, std::vector<FileLock>& locks);
    void note_screened(const VerifyRequest& request, const VerifyResult& result, Job& job);
    void require_verified(const std::string& side, const std::map<std::string, std::string>& verified,
                          const BenchRequest& request, const Implementation& implementation, Job& job);
    json ceilings(Job& job);
    json model_request(Job& job);

    /// The measurements of a device: one at a time.
    struct Measurements {
        explicit Measurements(Server& server)
            : queue(1, [&server](Job& job) { server.perform(job); }, [this, &server] { server.rest(*this); }) {}

        ReferenceCache references;
        KeptInputs inputs;
        JobQueue queue;  ///< last, so that its thread ends before what it uses
    };
    Measurements& measurements_of(const Job& job);
    void rest(Measurements& measurements);
    JobQueue& question_queue(const Job&) { return questions_; }
    JobQueue& build_queue(const Job&) { return builds_; }
    JobQueue& measurement_queue(const Job& job) { return measurements_of(job).queue; }

    const Backends& backends_;
    LineChannel channel_;
    std::mutex mutex_;
    std::map<std::int64_t, JobPointer> jobs_;                 ///< under way or waiting
    std::map<std::string, std::string> verified_candidates_;  ///< what was built, by what was asked for
    std::map<std::string, std::string> verified_baselines_;
    std::map<std::string, std::string> screened_;  ///< of a tuning

    // Last, so that their threads end before what they use.
    JobQueue builds_{std::max(1, static_cast<int>(std::thread::hardware_concurrency())),
                     [this](Job& job) { perform(job); }};
    JobQueue questions_{1, [this](Job& job) { perform(job); }};
    std::mutex devices_mutex_;
    std::map<std::string, Measurements> measurements_;  ///< by device
};

int Server::run() {
    channel_.write({{"event", "hello"},
                    {"protocol", worker_protocol_version},
                    {"kernelgen", version},
                    {"project_schema", project_schema_version}});
    while (const auto line = channel_.read_line()) {
        if (!trim(*line).empty()) dispatch(*line);
    }
    const std::lock_guard lock(mutex_);
    for (auto& [id, job] : jobs_) job->stop.request_stop();
    return 0;
}

void Server::dispatch(const std::string& line) {
    auto job = std::make_shared<Job>();
    job->body = json::parse(line, nullptr, false);
    if (!job->body.is_object() || !job->body.value("id", json()).is_number_integer() ||
        !job->body.value("op", json()).is_string()) {
        return reply_error(-1, "not a request: expected a JSON object with an integer `id` and a string `op`");
    }
    job->id = job->body["id"].get<std::int64_t>();
    const std::string operation = job->body["op"];
    if (operation == "cancel") {
        const json target = job->body.value("target", json());
        if (!target.is_number_integer()) return reply_error(job->id, "`target`: expected the id of a request");
        return cancel(target.get<std::int64_t>());
    }
    if (operation == "ping") {
        channel_.write({{"id", job->id}, {"event", "result"}, {"result", nullptr}});
        return;
    }
    struct Operation {
        json (Server::*answer)(Job&);
        JobQueue& (Server::*queue)(const Job&);
    };
    static const std::map<std::string, Operation> operations = {
        {"capabilities", {&Server::devices, &Server::question_queue}},
        {"build", {&Server::build, &Server::build_queue}},
        {"verify", {&Server::verify_request, &Server::measurement_queue}},
        {"explain", {&Server::explain_request, &Server::measurement_queue}},
        {"bench", {&Server::bench_request, &Server::measurement_queue}},
        {"compare", {&Server::compare_request, &Server::measurement_queue}},
        {"race", {&Server::race_request, &Server::measurement_queue}},
        {"hampered", {&Server::hamper_request, &Server::measurement_queue}},
        {"model", {&Server::model_request, &Server::measurement_queue}},
        {"ceilings", {&Server::ceilings, &Server::measurement_queue}}};
    const auto found = operations.find(operation);
    if (found == operations.end()) return reply_error(job->id, say("unknown operation `{}`", operation));
    if (job->body.value("tag", json("")).is_string()) job->tag = job->body.value("tag", "");
    job->work = [this, answer = found->second.answer](Job& self) { return (this->*answer)(self); };
    JobQueue& queue = (this->*found->second.queue)(*job);
    start(std::move(job), queue);
}

void Server::start(JobPointer job, JobQueue& queue) {
    {
        const std::lock_guard lock(mutex_);
        if (jobs_.contains(job->id)) return reply_error(job->id, "a request with this id is under way");
        for (auto& [id, other] : jobs_) {
            if (!job->tag.empty() && other->tag == job->tag) other->stop.request_stop();
        }
        jobs_[job->id] = job;
    }
    queue.push(std::move(job));
}

void Server::cancel(std::int64_t id) {
    const std::lock_guard lock(mutex_);
    if (const auto found = jobs_.find(id); found != jobs_.end()) found->second->stop.request_stop();
}

void Server::perform(Job& job) {
    json reply;
    try {
        reply = {{"id", job.id}, {"event", "result"}, {"result", job.work(job)}};
    } catch (const Refused& refused) {
        reply = error_reply(job.id, refused.why);
    } catch (const std::exception& error) {
        reply = error_reply(job.id, Said(error.what()));
    }
    {
        const std::lock_guard lock(mutex_);
        jobs_.erase(job.id);  // before the reply, after which a client may use the id again
    }
    channel_.write(reply);
}

void Server::reply_error(std::int64_t id, const Said& message) { channel_.write(error_reply(id, message)); }

Progress Server::progress_of(const Job& job) {
    return [this, id = job.id](std::string_view stage, int done, int total) {
        channel_.write({{"id", id}, {"event", "progress"}, {"stage", stage}, {"done", done}, {"total", total}});
    };
}

/// The value, or an exception with every diagnostic: `perform` makes it the request's error.
template <class T>
T checked(Validated<T> result) {
    if (!result) throw Refused(to_string(result.error()));
    return std::move(*result);
}

Server::Measurements& Server::measurements_of(const Job& job) {
    const json device = job.body.value("device", json("cpu"));
    const std::lock_guard lock(devices_mutex_);
    return measurements_.try_emplace(device.is_string() ? device.get<std::string>() : "", *this).first->second;
}

void Server::rest(Measurements& measurements) {
    measurements.references.clear();
    measurements.inputs.clear();
    for (const auto& backend : backends_) backend->rest();
}

json Server::devices(Job&) {
    json list = json::array();
    for (const auto& backend : backends_) {
        for (const DeviceInfo& device : backend->devices()) {
            const auto ceilings = load_ceilings(device.name, fingerprint(device.environment));
            list.push_back({{"info", to_json(device)}, {"ceilings", ceilings ? to_json(*ceilings) : json()}});
        }
    }
    return list;
}

Said no_backend(const std::string& device) { return say(sentences::no_device, device); }

/// A result of an attempt on a device that no backend has.
template <class T>
T unavailable(const std::string& device) {
    T result;
    result.status = Status::unavailable;
    result.reason = no_backend(device);
    return result;
}

/// The result of a build whose configuration a restriction forbids for the trial's sizes.
std::optional<BuildResult> restricted_on_trial(const BuildRequest& request) {
    if (!request.trial) return std::nullopt;
    const auto violated = violated_restriction(request.implementation, {"trial", request.dtype, *request.trial});
    if (!violated) return std::nullopt;
    BuildResult result;
    result.status = Status::restricted;
    result.reason = *violated;
    return result;
}

json Server::build(Job& job) {
    const BuildRequest request = checked(build_request_from_json(job.body));
    Backend* backend = backend_of(request.device);
    if (backend == nullptr) return to_json(unavailable<BuildResult>(request.device));
    if (const auto restricted = restricted_on_trial(request)) return to_json(*restricted);
    return to_json(backend->build(request, progress_of(job), job.stop.get_token()));
}

VerifyResult not_verified(const Outcome& why) {
    VerifyResult result;
    result.status = why.status;
    result.reason = why.reason;
    return result;
}

/// The key of an implementation's build for a case, with the headers as they are now; "" where none can be outside the
/// project.
template <class Request>
std::string Server::build_key(const Request& request, const Implementation& implementation, const Case& binding,
                              Job& job) {
    const Language language = implementation.variant.language;
    if (language != Language::cpp && language != Language::cuda) return "";
    const BuildRequest wanted{request.definition, for_case(implementation, binding), binding.dtype, request.device, {},
                              binding.sizes};
    return backend_of(request.device)->build(wanted, progress_of(job), job.stop.get_token()).key;
}

/// Takes the locks for work in which kernels run on the device and references are computed by all processors: it must
/// not run while either is timed on.
Outcome Server::take_locks(const std::string& device, const std::string& purpose, Job& job,
                           std::vector<FileLock>& locks) {
    locks.clear();
    for (const std::string& locked : std::set<std::string>{"cpu", device}) {
        Result<FileLock> lock =
            lock_for_build(locked, progress_of(job), job.stop.get_token(), purpose, DeviceUse::giving_way);
        if (!lock) return {job.stop.stop_requested() ? Status::cancelled : Status::unavailable, lock.error().message};
        locks.push_back(std::move(*lock));
    }
    return {};
}

json Server::explain_request(Job& job) {
    ExplainRequest request = checked(explain_request_from_json(job.body));
    Backend* backend = backend_of(request.verification.device);
    if (backend == nullptr) throw Refused(no_backend(request.verification.device));
    std::vector<FileLock> locks;
    request.verification.give_way = [&] { return take_locks(request.verification.device, "explain", job, locks); };
    request.verification.references = &measurements_of(job).references;
    return to_json(explain(request, *backend, progress_of(job), job.stop.get_token()));
}

json Server::verify_request(Job& job) {
    VerifyRequest request = checked(verify_request_from_json(job.body));
    request.references = &measurements_of(job).references;
    Backend* backend = backend_of(request.device);
    if (backend == nullptr) return to_json(unavailable<VerifyResult>(request.device));
    std::vector<FileLock> locks;
    request.give_way = [&] { return take_locks(request.device, "verify", job, locks); };
    if (const Outcome taken = request.give_way(); !taken.ok()) return to_json(not_verified(taken));
    VerifyResult result = verify(request, *backend, progress_of(job), job.stop.get_token());
    if (request.is_screen) note_screened(request, result, job);
    const std::lock_guard lock(mutex_);
    for (const CaseAccuracy& accuracy : result.cases) {
        if (!accuracy.own_case || accuracy.status != Status::ok) continue;
        const std::string key = verified_key(request, request.candidate, accuracy.binding);
        verified_baselines_[key] = accuracy.build_key;
        if (result.status == Status::ok && !request.own_cases_only) verified_candidates_[key] = accuracy.build_key;
    }
    return to_json(result);
}

void Server::note_screened(const VerifyRequest& request, const VerifyResult& result, Job& job) {
    if (result.status != Status::ok) return;
    for (const Case& binding : request.cases) {
        const std::string built = build_key(request, request.candidate, binding, job);
        const std::lock_guard lock(mutex_);
        screened_[verified_key(request, request.candidate, binding)] = built;
    }
}

/// Throws unless this very build of a side was verified: a header outside the project may have changed since.
void Server::require_verified(const std::string& side, const std::map<std::string, std::string>& verified,
                              const BenchRequest& request, const Implementation& implementation, Job& job) {
    const std::string key = verified_key(request, implementation, request.binding);
    std::string known;
    {
        const std::lock_guard lock(mutex_);
        const auto found = verified.find(key);
        if (found == verified.end())
            throw std::runtime_error("the " + side + " has not been verified on this case: verify before bench");
        known = found->second;
    }
    const std::string built = build_key(request, implementation, request.binding, job);
    if (!built.empty() && built != known) {
        throw std::runtime_error("a file that the " + side +
                                 " includes has changed since it was verified: verify again");
    }
}

std::vector<BenchResult> Server::bench_all(Job& job) {
    const BenchRequest request = checked(bench_request_from_json(job.body));
    Backend* backend = backend_of(request.device);
    if (backend == nullptr) throw Refused(no_backend(request.device));
    for (const Implementation& candidate : request.candidates) {
        const bool of_others = is_of_others(candidate.variant.language);
        require_verified("candidate", of_others ? verified_baselines_ : verified_candidates_, request, candidate, job);
    }
    require_verified("baseline", verified_baselines_, request, request.baseline, job);
    return bench(request, *backend, progress_of(job), job.stop.get_token());
}

json Server::bench_request(Job& job) {
    if (job.body.contains("candidates")) throw std::runtime_error("`bench` has one `candidate`; `compare` has several");
    return to_json(bench_all(job).front());
}

json Server::compare_request(Job& job) {
    json results = json::array();
    for (const BenchResult& each : bench_all(job)) results.push_back(to_json(each));
    return results;
}

json results_in_json(const std::vector<RaceResult>& results) {
    json all = json::array();
    for (const RaceResult& each : results) all.push_back(to_json(each));
    return all;
}

/// Sends what the first pairs of a race say to a client that asked for it.
RaceNews Server::news_of_race(const Job& job) {
    if (job.body.value("tells_first_pairs", json(false)) != json(true)) return {};
    return [this, id = job.id](const std::vector<RaceResult>& results) {
        channel_.write({{"id", id}, {"event", "news"}, {"news", results_in_json(results)}});
    };
}

json Server::race_request(Job& job) {
    RaceRequest request = checked(race_request_from_json(job.body));
    request.references = &measurements_of(job).references;
    request.inputs = &measurements_of(job).inputs;
    request.tell = news_of_race(job);
    Backend* backend = backend_of(request.sides.device);
    if (backend == nullptr) throw Refused(no_backend(request.sides.device));
    for (const Implementation& candidate : request.sides.candidates) {
        require_verified("candidate", screened_, request.sides, candidate, job);
    }
    require_verified("baseline", screened_, request.sides, request.sides.baseline, job);
    return results_in_json(race(request, *backend, progress_of(job), job.stop.get_token()));
}

json Server::hamper_request(Job& job) {
    const HamperRequest request = checked(hamper_request_from_json(job.body));
    Backend* backend = backend_of(request.sides.device);
    if (backend == nullptr) throw Refused(no_backend(request.sides.device));
    for (const Implementation& candidate : request.sides.candidates)
        require_verified("candidate", verified_baselines_, request.sides, candidate, job);
    require_verified("baseline", verified_baselines_, request.sides, request.sides.baseline, job);
    return to_json(time_hampered(request, *backend, progress_of(job), job.stop.get_token()));
}

json Server::ceilings(Job& job) {
    const std::string device = job.body.value("device", "cpu");
    Backend* backend = backend_of(device);
    if (backend == nullptr) throw Refused(no_backend(device));
    const Result<Ceilings> ceilings = backend->measure_ceilings(device, progress_of(job), job.stop.get_token());
    if (!ceilings) throw Refused(ceilings.error().message);
    return to_json(*ceilings);
}

json Server::model_request(Job& job) {
    const ModelRequest request = checked(model_request_from_json(job.body));
    Backend* backend = backend_of(request.device);
    const ModelAnswer answer = backend == nullptr
                                   ? unavailable<ModelAnswer>(request.device)
                                   : ask_model(request, *backend, progress_of(job), job.stop.get_token());
    json reply = {{"status", to_string(answer.status)}, {"told", answer.told}};
    put_said(reply, "reason", answer.reason);
    return reply;
}

}  // namespace

int serve_worker(const Backends& backends, int input, int output) {
    std::signal(SIGPIPE, SIG_IGN);
    return Server(backends, input, output).run();
}

}  // namespace kernelgen
