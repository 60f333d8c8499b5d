// SPDX-License-Identifier: Apache-2.0
#include "core/python/test_calls.h"

#include <nlohmann/json.hpp>

#include "core/base/text_file.h"
#include "core/python/inspection_program.h"

namespace kernelgen {

using nlohmann::json;

namespace {

PythonTestCall call_of(const json& item) {
    PythonTestCall call{.line = item.at("line"), .shapes = {}, .dtypes = {}};
    for (const auto& [name, tensor] : item.at("tensors").items()) {
        call.shapes[name] = tensor.at("shape").get<std::vector<std::int64_t>>();
        call.dtypes[name] = tensor.at("dtype");
    }
    return call;
}

PythonTests::Stated tolerance_of(const json& item) {
    return {item.at("line"), item.at("dtype"), item.at("rtol"), item.at("atol")};
}

PythonTests::Listed case_of(const json& item) {
    return {item.at("line"), item.at("dtype"), item.at("sizes").get<std::map<std::string, std::int64_t>>()};
}

PythonTests tests_of(const json& item) {
    PythonTests tests;
    for (const json& listed : item.at("cases")) tests.cases.push_back(case_of(listed));
    for (const json& call : item.at("calls")) tests.calls.push_back(call_of(call));
    for (const json& stated : item.at("tolerances")) tests.tolerances.push_back(tolerance_of(stated));
    return tests;
}

}  // namespace

Result<std::map<std::string, PythonTests>> follow_python_tests(const std::map<std::string, std::string>& files,
                                                               const std::string& module, const std::string& entry,
                                                               const std::vector<std::string>& parameters) {
    json readable = json::object();
    for (const auto& [name, text] : files) {
        if (is_utf8(text)) readable[name] = text;
    }
    const Result<json> answer = run_inspection(
        "kernelgen_cases.py", {{"files", readable}, {"module", module}, {"entry", entry}, {"parameters", parameters}});
    if (!answer) return std::unexpected(answer.error());
    std::map<std::string, PythonTests> result;
    for (const auto& [name, item] : answer->items()) {
        result[name] = tests_of(item);
    }
    return result;
}

}  // namespace kernelgen
