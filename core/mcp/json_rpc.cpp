// SPDX-License-Identifier: Apache-2.0
#include "core/mcp/json_rpc.h"

#include "core/base/json_reader.h"

namespace kernelgen::mcp {

using nlohmann::json;
using nlohmann::ordered_json;

namespace {

bool is_id(const json& value) { return value.is_string() || value.is_number_integer(); }

std::unexpected<RpcError> refuse(ErrorCode code, std::string message, json id = nullptr) {
    return std::unexpected(RpcError{code, std::move(message), std::move(id)});
}

/// The id of a request whose values are refused, so that its client does not wait for ever; null where it has none.
json id_of_refused(std::string_view line) {
    const json loose = json::parse(line, nullptr, false);
    const json id = loose.is_object() ? loose.value("id", json()) : json();
    return is_id(id) ? id : json();
}

}  // namespace

std::expected<std::optional<Message>, RpcError> parse_message(std::string_view line) {
    Validated<json> parsed = parse_json(line, "");
    if (!parsed) return refuse(parse_error, to_string(parsed.error().front()), id_of_refused(line));
    if (parsed->is_array()) return refuse(invalid_request, "batches are not taken: send one message a line");
    if (!parsed->is_object()) return refuse(invalid_request, "expected a JSON object");
    const json id = parsed->value("id", json());
    if (parsed->contains("id") && !is_id(id)) return refuse(invalid_request, "`id` must be a string or an integer");
    if (parsed->value("jsonrpc", json()) != "2.0") return refuse(invalid_request, "expected \"jsonrpc\": \"2.0\"", id);
    if (!parsed->contains("method") && (parsed->contains("result") || parsed->contains("error"))) return std::nullopt;
    const json method = parsed->value("method", json());
    if (!method.is_string()) return refuse(invalid_request, "`method` must be a string", id);
    Message message{std::nullopt, method.get<std::string>(), parsed->value("params", json::object())};
    if (parsed->contains("id")) message.id = id;
    if (!message.params.is_object()) return refuse(invalid_params, "`params` must be an object", id);
    return message;
}

ordered_json response(const json& id, ordered_json result) {
    return {{"jsonrpc", "2.0"}, {"id", ordered_json(id)}, {"result", std::move(result)}};
}

ordered_json response(const RpcError& error) {
    return {{"jsonrpc", "2.0"},
            {"id", ordered_json(error.id)},
            {"error", {{"code", static_cast<int>(error.code)}, {"message", error.message}}}};
}

ordered_json notification(std::string_view method, ordered_json params) {
    return {{"jsonrpc", "2.0"}, {"method", method}, {"params", std::move(params)}};
}

}  // namespace kernelgen::mcp
