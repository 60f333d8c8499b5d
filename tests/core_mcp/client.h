// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "core/base/descriptor.h"
#include "core/base/line_channel.h"
#include "core/mcp/server.h"

namespace kernelgen::mcp::testing {

struct Sum {
    int first = 0, second = 0;
    std::vector<std::string> words;
    std::string unit = "none";
};

/// A service with a tool that adds, one that waits until it is stopped, and one text.
inline Service example_service(std::atomic<int>& stopped) {
    Service service{.name = "example", .title = "Example", .version = "1", .instructions = "Add."};
    auto parameters = Parameters<Sum>().required("first", &Sum::first, "A number");
    parameters.required("second", &Sum::second, "Another")
        .optional("words", &Sum::words, "Texts")
        .choice("unit", &Sum::unit, {"none", "metre"}, "Of both");
    service.tools.push_back(with_parameters(Tool{.name = "add",
                                                 .title = "Add",
                                                 .description = "Adds.",
                                                 .output_schema = {{"type", "object"}, {"required", {"sum"}}},
                                                 .is_read_only = true},
                                            parameters, [](const Sum& sum, const Call&) -> Validated<Answer> {
                                                return Answer{std::to_string(sum.first + sum.second),
                                                              {{"sum", sum.first + sum.second}}};
                                            }));
    service.tools.push_back(with_parameters(Tool{.name = "wait", .takes_long = true}, Parameters<Sum>(),
                                            [&stopped](const Sum&, const Call& call) -> Validated<Answer> {
                                                while (!call.stop.stop_requested()) {
                                                    call.progress("waiting", 1, 0);
                                                    std::this_thread::sleep_for(std::chrono::milliseconds(20));
                                                }
                                                ++stopped;
                                                return Answer{"stopped", nlohmann::ordered_json::object()};
                                            }));
    service.resources = [] { return std::vector<Resource>{{"example:///a", "a", "A text", "text/plain"}}; };
    service.read_resource = [](const std::string& uri) -> Result<ResourceText> {
        if (uri != "example:///a") return fail("no such text");
        return ResourceText{"text/plain", "the text"};
    };
    return service;
}

/// A client of a server that runs in a thread of its own.
class Client {
public:
    Client() {
        if (!requests_.open() || !answers_.open()) std::abort();
        channel_ = std::make_unique<LineChannel>(answers_.read_end.get(), requests_.write_end.get());
        server_ = std::jthread([this] {
            serve(example_service(stopped), requests_.read_end.get(), answers_.write_end.get());
            answers_.write_end.close();
        });
    }
    ~Client() { end(); }

    void send_text(const std::string& line) { channel_->write_line(line); }
    void send(const nlohmann::json& message) { channel_->write(message); }
    /// The next message of the server; null at the end.
    nlohmann::json receive() {
        const auto line = channel_->read_line();
        return line ? nlohmann::json::parse(*line) : nlohmann::json();
    }
    /// The answer to a request; notifications before it are passed over.
    nlohmann::json ask(const std::string& method, nlohmann::json params = nlohmann::json::object()) {
        send({{"jsonrpc", "2.0"}, {"id", ++id_}, {"method", method}, {"params", std::move(params)}});
        return answer(id_);
    }
    nlohmann::json answer(const nlohmann::json& id) {
        for (;;) {
            const nlohmann::json message = receive();
            if (message.is_null() || message.value("id", nlohmann::json()) == id) return message;
        }
    }
    nlohmann::json call(const std::string& tool, nlohmann::json arguments) {
        return ask("tools/call", {{"name", tool}, {"arguments", std::move(arguments)}});
    }
    void initialize(const std::string& version = "2025-06-18") { ask("initialize", {{"protocolVersion", version}}); }
    void end() { requests_.write_end.close(); }

    std::atomic<int> stopped = 0;

private:
    Pipe requests_, answers_;
    std::unique_ptr<LineChannel> channel_;
    std::jthread server_;
    int id_ = 0;
};

}  // namespace kernelgen::mcp::testing
