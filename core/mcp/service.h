// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/mcp/parameters.h"

namespace kernelgen::mcp {

/// A call of a tool under way. Its `progress` may be called from any thread, also after the call; `total` is 0 where it
/// is not known.
struct Call {
    std::stop_token stop;  ///< requested when the client cancels, and at the end of the input
    std::function<void(std::string_view message, double done, double total)> progress;
};

/// What a tool answers: a short text for a reader, and the same as data, by the tool's `output_schema`.
struct Answer {
    std::string text;
    nlohmann::ordered_json data;
};

/// A tool that clients may call.
struct Tool {
    std::string name, title, description;
    nlohmann::ordered_json input_schema, output_schema;
    bool is_read_only = false;  ///< changes no file and runs nothing
    bool takes_long = false;    ///< such calls run one at a time; others are answered meanwhile
    /// Errors are the caller's, who can do better: they are told as the result of the call.
    std::function<Validated<Answer>(const nlohmann::json& arguments, const Call& call)> call;
};

/// Makes `tool` take these parameters.
template <class T, class Function>
Tool with_parameters(Tool tool, const Parameters<T>& parameters, Function function) {
    tool.input_schema = parameters.schema();
    tool.call = [parameters, function](const nlohmann::json& arguments, const Call& call) -> Validated<Answer> {
        const Validated<T> values = parameters.read(arguments);
        if (!values) return std::unexpected(values.error());
        return function(*values, call);
    };
    return tool;
}

/// A text that clients may read.
struct Resource {
    std::string uri, name, description, mime_type;
};

/// Resources whose URI has a part in braces: "kernelgen:///rounds/{number}".
struct ResourceTemplate {
    std::string uri_template, name, description, mime_type;
};

struct ResourceText {
    std::string mime_type, text;
};

/// What a server offers. Its functions are called in several threads.
struct Service {
    std::string name, title, version;
    std::string instructions;  ///< how to work with the tools, for the client's model
    std::vector<Tool> tools;
    std::vector<ResourceTemplate> templates;
    std::function<Result<std::vector<Resource>>()> resources;
    std::function<Result<ResourceText>(const std::string& uri)> read_resource;
};

}  // namespace kernelgen::mcp
