// SPDX-License-Identifier: Apache-2.0
#include "core/backend/wrong_signature.h"

#include <format>
#include <regex>

#include "core/backend/kernel_interface.h"
#include "core/base/text.h"
#include "core/project/name_expression.h"

namespace kernelgen {
namespace {

/// The line on which `function` is first followed by a parenthesis; 0 where there is none.
int line_of(std::string_view text, std::string_view function) {
    constexpr std::size_t longest_line = 2000;
    const std::regex call("(^|[^A-Za-z0-9_])" + std::string(function) + R"(\s*\()");
    int line = 0;
    for (const std::string& each : split(text, '\n')) {
        ++line;
        const std::string code = each.substr(0, each.find("//"));
        if (code.size() < longest_line && std::regex_search(code, call)) return line;
    }
    return 0;
}

}  // namespace

std::string interface_name(const Variant& variant) { return "interface of " + variant.name; }

std::string kernel_quoted_in(const Variant& variant, const std::string& message, char quote) {
    const std::vector<std::string> parts = split(message, quote);
    for (const std::string& entry : entries_of(variant)) {
        const std::regex word("\\b" + std::string(function_of(entry)) + "\\b");
        for (std::size_t i = 1; i < parts.size(); i += 2) {
            if (std::regex_search(parts[i], word)) return entry;
        }
    }
    return "";
}

CompilerMessage wrong_signature(const std::string& file, std::string_view text, const std::string& entry,
                                const std::string& prototype) {
    const int line = line_of(text, function_of(entry));
    if (prototype.empty())
        return {file, line, 0, "error",
                say("the signature of `{}` is not the one that the launch's `args` and the dtypes demand", entry)};
    return {file, line, 0, "error",
            say("the signature of `{}` is not the one that the launch's `args` and the dtypes demand: {}", entry,
                "`" + prototype + "`")};
}

}  // namespace kernelgen
