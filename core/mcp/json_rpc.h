// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <expected>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace kernelgen::mcp {

/// Codes of errors in JSON-RPC 2.0 (section 5.1), and the one of MCP for a resource that does not exist.
enum ErrorCode {
    parse_error = -32700,
    invalid_request = -32600,
    method_not_found = -32601,
    invalid_params = -32602,
    internal_error = -32603,
    resource_not_found = -32002,
};

/// A request, or, without `id`, a notification.
struct Message {
    std::optional<nlohmann::json> id;  ///< a string or an integer
    std::string method;
    nlohmann::json params;  ///< an object; empty where there was none
};

/// Why a request is not answered with a result. `id` is null where it could not be read.
struct RpcError {
    ErrorCode code = internal_error;
    std::string message;
    nlohmann::json id;
};

/// Reads one line. Errors: no JSON, keys given twice, deep nesting, a batch, anything but a request or notification of
/// JSON-RPC 2.0. Returns nothing for a response, because this server sends no requests.
std::expected<std::optional<Message>, RpcError> parse_message(std::string_view line);

nlohmann::ordered_json response(const nlohmann::json& id, nlohmann::ordered_json result);
nlohmann::ordered_json response(const RpcError& error);
nlohmann::ordered_json notification(std::string_view method, nlohmann::ordered_json params);

}  // namespace kernelgen::mcp
