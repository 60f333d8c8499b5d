// SPDX-License-Identifier: Apache-2.0
#include "core/python/called_back.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/backend/call_json.h"
#include "core/backend/executor_replies.h"
#include "core/said/told.h"

namespace kernelgen {

using nlohmann::json;

namespace {

constexpr const char* no_reply = "Python answered with something that is no reply";

}  // namespace

Outcome CalledBack::load(const kernelgen_python_callbacks* callbacks, const Artifact& artifact, const Call& call,
                         std::optional<TrialReport>& trial, std::unique_ptr<CalledBack>& loaded) {
    static int numbers = 0;
    if (callbacks == nullptr) return {Status::unavailable, "this executor has no Python interpreter"};
    std::unique_ptr<CalledBack> made(new CalledBack(*callbacks, ++numbers));
    json artifact_json = to_json(artifact).at("python");
    artifact_json["language"] = to_string(artifact.language);
    artifact_json["path"] = artifact.path;
    json reply;
    Outcome outcome = made->ask(
        {{"op", "load"}, {"artifact", artifact_json}, {"call", to_json(call)}, {"trial", trial.has_value()}}, reply);
    if (trial) {
        Result<TrialReport> read = read_trial(reply);
        if (!read) return {Status::crashed, no_reply};
        trial = std::move(*read);
    }
    if (outcome.ok()) loaded = std::move(made);
    return outcome;
}

CalledBack::~CalledBack() {
    json reply;
    ask({{"op", "drop"}}, reply);
}

Outcome CalledBack::ask(json request, json& reply) const {
    request["kernel"] = number_;
    const char* text = callbacks_.ask(request.dump().c_str());
    reply = json::parse(text == nullptr ? "" : text, nullptr, false);
    if (!reply.is_object()) return {Status::crashed, no_reply};
    return {parse_status(reply.value("status", "")).value_or(Status::crashed),
            told(reply, "reason", reply.value("reason", ""))};
}

Outcome CalledBack::bind(const Call& call) const {
    json reply;
    return ask({{"op", "bind"}, {"call", to_json(call)}}, reply);
}

Outcome CalledBack::call(std::span<const std::uint64_t> addresses, Mode mode, std::span<std::uint64_t> places) const {
    const int failed = callbacks_.call(number_, addresses.data(), static_cast<int>(addresses.size()),
                                       static_cast<int>(mode), places.data());
    if (failed == 0) return {};
    json reply;
    return ask({{"op", "last_failure"}}, reply);
}

Outcome CalledBack::repeat(const std::vector<std::vector<std::uint64_t>>& sets, std::uint64_t capturing) const {
    json reply;
    return ask({{"op", "repeat"}, {"sets", sets}, {"stream", capturing}}, reply);
}

Outcome CalledBack::clear(const kernelgen_python_callbacks* callbacks) {
    json reply;
    return callbacks == nullptr ? Outcome{} : CalledBack(*callbacks, 0).ask({{"op", "clear"}}, reply);
}

}  // namespace kernelgen
