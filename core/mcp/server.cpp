// SPDX-License-Identifier: Apache-2.0
#include "core/mcp/server.h"

#include <algorithm>
#include <csignal>
#include <future>
#include <map>
#include <memory>
#include <mutex>

#include "core/base/line_channel.h"
#include "core/base/text.h"
#include "core/mcp/json_rpc.h"
#include "core/mcp/progress.h"
#include "core/worker/job_queue.h"

namespace kernelgen::mcp {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

std::string_view version_for(const json& asked) {
    const auto* known = std::ranges::find_if(protocol_versions, [&](std::string_view each) { return asked == each; });
    return known == std::end(protocol_versions) ? *std::prev(known) : *known;
}

ordered_json tool_document(const Tool& tool) {
    return {{"name", tool.name},
            {"title", tool.title},
            {"description", tool.description},
            {"inputSchema", tool.input_schema},
            {"outputSchema", tool.output_schema},
            {"annotations", {{"title", tool.title}, {"readOnlyHint", tool.is_read_only}, {"openWorldHint", false}}}};
}

template <class Place>
ordered_json resource_document(const Place& place, const char* key, const std::string& uri) {
    return {{key, uri}, {"name", place.name}, {"description", place.description}, {"mimeType", place.mime_type}};
}

/// The token with which a client asks for progress; null where it asks for none.
json progress_token(const json& params) {
    const json meta = params.value("_meta", json());
    const json token = meta.is_object() ? meta.value("progressToken", json()) : json();
    return token.is_string() || token.is_number_integer() ? token : json();
}

ordered_json text_block(const std::string& text) { return {{"type", "text"}, {"text", text}}; }

ordered_json result_of(const Validated<Answer>& answer, bool is_structured) {
    if (!answer) return {{"content", {text_block(to_string(answer.error()))}}, {"isError", true}};
    ordered_json result = {{"content", {text_block(answer->text)}}, {"isError", false}};
    if (is_structured) result["structuredContent"] = answer->data;
    else result["content"].push_back(text_block(answer->data.dump(-1, ' ', false, json::error_handler_t::replace)));
    return result;
}

/// One session. This thread reads; two other threads answer what is not answered at once, one of them only calls that
/// take long.
class Server {
public:
    Server(const Service& service, int input, int output)
        : service_(service), channel_(input, output, longest_message) {}

    void run();

private:
    using Answered = std::expected<ordered_json, RpcError>;
    using Work = std::function<Answered(std::stop_token stop)>;

    void take(const std::string& line);
    void take(const Message& message);
    void take_notification(const Message& message);
    Answered answer(const Message& message);
    Answered initialize(const json& params);
    ordered_json list_tools() const;
    ordered_json list_templates() const;
    void call_tool(const Message& message);
    void list_resources(const Message& message);
    void read_resource(const Message& message);
    void start(const json& id, Work work, bool takes_long = false);
    void finish_job(const json& id, const Work& work, std::stop_token stop);
    void refuse(const Message& message, ErrorCode code, std::string why);
    void finish();
    void send(const ordered_json& message);

    const Service& service_;
    LineChannel channel_;
    bool is_initialized_ = false, is_structured_ = false;
    std::mutex mutex_;
    struct Started {
        JobPointer job;
        bool takes_long = false;
    };
    std::map<json, Started> jobs_;  ///< by the client's id
    JobQueue long_calls_{1, [](Job& job) { job.work(job); }};
    JobQueue short_calls_{1, [](Job& job) { job.work(job); }};
};

void Server::run() {
    while (const auto line = channel_.read_line()) {
        if (!trim(*line).empty()) take(*line);
    }
    if (channel_.was_too_long())
        send(response(RpcError{invalid_request, "a message is longer than 16 MiB; the session ends", nullptr}));
    finish();
}

/// Ends the session at the end of the input: stops calls that take long, and answers the rest, for a client that is a
/// script.
void Server::finish() {
    {
        const std::lock_guard lock(mutex_);
        for (auto& [id, started] : jobs_) {
            if (started.takes_long) started.job->stop.request_stop();
        }
    }
    std::promise<void> answered;
    auto last = std::make_shared<Job>();
    last->work = [&](Job&) {
        answered.set_value();
        return json();
    };
    short_calls_.push(std::move(last));
    answered.get_future().wait();
}

void Server::send(const ordered_json& message) {
    channel_.write_line(message.dump(-1, ' ', false, json::error_handler_t::replace));
}

void Server::take(const std::string& line) {
    const auto message = parse_message(line);
    if (!message) send(response(message.error()));
    else if (*message) take(**message);
}

void Server::take(const Message& message) {
    if (!message.id) return take_notification(message);
    static const std::map<std::string_view, void (Server::*)(const Message&)> jobs = {
        {"tools/call", &Server::call_tool},
        {"resources/list", &Server::list_resources},
        {"resources/read", &Server::read_resource}};
    const auto job = jobs.find(message.method);
    if (job != jobs.end() && is_initialized_) return (this->*job->second)(message);
    if (job != jobs.end()) return refuse(message, invalid_request, "`initialize` must come first");
    const Answered answered = answer(message);
    send(answered ? response(*message.id, *answered) : response(answered.error()));
}

void Server::take_notification(const Message& message) {
    if (message.method != "notifications/cancelled") return;
    const std::lock_guard lock(mutex_);
    const auto started = jobs_.find(message.params.value("requestId", json()));
    if (started != jobs_.end()) started->second.job->stop.request_stop();
}

void Server::refuse(const Message& message, ErrorCode code, std::string why) {
    send(response(RpcError{code, std::move(why), *message.id}));
}

Server::Answered Server::answer(const Message& message) {
    if (message.method == "initialize") return initialize(message.params);
    if (message.method == "ping") return ordered_json::object();
    if (message.method == "tools/list") return list_tools();
    if (message.method == "resources/templates/list") return list_templates();
    return std::unexpected(RpcError{method_not_found, "unknown method " + in_backquotes(message.method), *message.id});
}

Server::Answered Server::initialize(const json& params) {
    const std::string_view chosen = version_for(params.value("protocolVersion", json()));
    is_initialized_ = true;
    is_structured_ = chosen >= first_structured_version;
    return ordered_json{
        {"protocolVersion", chosen},
        {"capabilities", {{"tools", ordered_json::object()}, {"resources", ordered_json::object()}}},
        {"serverInfo", {{"name", service_.name}, {"title", service_.title}, {"version", service_.version}}},
        {"instructions", service_.instructions}};
}

ordered_json Server::list_tools() const {
    ordered_json tools = ordered_json::array();
    for (const Tool& each : service_.tools) tools.push_back(tool_document(each));
    return {{"tools", tools}};
}

ordered_json Server::list_templates() const {
    ordered_json templates = ordered_json::array();
    for (const ResourceTemplate& each : service_.templates)
        templates.push_back(resource_document(each, "uriTemplate", each.uri_template));
    return {{"resourceTemplates", templates}};
}

void Server::call_tool(const Message& message) {
    const json name = message.params.value("name", json());
    if (!name.is_string()) return refuse(message, invalid_params, "`name` must be a string");
    const auto tool = std::ranges::find(service_.tools, name.get<std::string>(), &Tool::name);
    if (tool == service_.tools.end()) {
        return refuse(message, invalid_params,
                      "unknown tool " + in_backquotes(name.get<std::string>()) + "; " +
                          suggest(name.get<std::string>(), names_of(service_.tools)));
    }
    const auto report = std::make_shared<ProgressReport>(progress_token(message.params),
                                                         [this](const ordered_json& told) { send(told); });
    const auto work = [this, tool, report, arguments = message.params.value("arguments", json::object())](
                          std::stop_token stop) -> Answered {
        const Call call{
            stop, [report](std::string_view text, double done, double total) { report->tell(text, done, total); }};
        const Validated<Answer> answered = tool->call(arguments, call);
        report->end();
        return result_of(answered, is_structured_);
    };
    start(*message.id, work, tool->takes_long);
}

void Server::list_resources(const Message& message) {
    start(*message.id, [this, id = *message.id](std::stop_token) -> Answered {
        const Result<std::vector<Resource>> resources = service_.resources();
        if (!resources) return std::unexpected(RpcError{internal_error, resources.error().message, id});
        ordered_json list = ordered_json::array();
        for (const Resource& each : *resources) list.push_back(resource_document(each, "uri", each.uri));
        return ordered_json{{"resources", list}};
    });
}

void Server::read_resource(const Message& message) {
    const json uri = message.params.value("uri", json());
    if (!uri.is_string()) return refuse(message, invalid_params, "`uri` must be a string");
    start(*message.id, [this, id = *message.id, uri](std::stop_token) -> Answered {
        const Result<ResourceText> found = service_.read_resource(uri.get<std::string>());
        if (!found) return std::unexpected(RpcError{resource_not_found, found.error().message, id});
        return ordered_json{{"contents", {{{"uri", uri}, {"mimeType", found->mime_type}, {"text", found->text}}}}};
    });
}

void Server::start(const json& id, Work work, bool takes_long) {
    auto job = std::make_shared<Job>();
    job->work = [this, id, work = std::move(work)](Job& self) {
        finish_job(id, work, self.stop.get_token());
        return json();
    };
    {
        const std::lock_guard lock(mutex_);
        if (!jobs_.emplace(id, Started{job, takes_long}).second) {
            send(response(RpcError{invalid_request, "a request with this id is under way", id}));
            return;
        }
    }
    (takes_long ? long_calls_ : short_calls_).push(std::move(job));
}

void Server::finish_job(const json& id, const Work& work, std::stop_token stop) {
    Answered answered;
    try {
        if (!stop.stop_requested()) answered = work(stop);
    } catch (const std::exception& error) {
        answered = std::unexpected(RpcError{internal_error, error.what(), id});
    }
    {
        const std::lock_guard lock(mutex_);
        jobs_.erase(id);  // before the answer, after which the client may use the id again
    }
    if (!stop.stop_requested()) send(answered ? response(id, *answered) : response(answered.error()));
}

}  // namespace

void serve(const Service& service, int input, int output) {
    std::signal(SIGPIPE, SIG_IGN);
    Server(service, input, output).run();
}

}  // namespace kernelgen::mcp
