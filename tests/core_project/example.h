// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "core/project/project_file.h"

namespace kernelgen {

/// A project that has every part that most have; tests change one thing about it.
inline nlohmann::json example_json() {
    return nlohmann::json::parse(R"json({
        "schema": "kernelgen.project/1",
        "operator": {
            "name": "bias_add", "family": "tile", "symbols": ["P", "D"],
            "inputs": [{"name": "x", "shape": ["P", "D"]}, {"name": "bias", "shape": ["D"]}],
            "outputs": [{"name": "out", "shape": ["P", "D"]}],
            "body": "out = x + bias", "constraints": ["P >= 1", "D >= 1"]},
        "cases": [{"name": "square", "dtype": "f32", "P": 4096, "D": 4096}, {"name": "odd", "dtype": "bf16", "P": 7, "D": 333}],
        "accuracy": {"rtol": 1e-3, "atol": 1e-4, "bf16": {"rtol": 0.02, "atol": 0.01}},
        "performance": {"baseline": "library", "target_speedup": 1.1, "max_rounds": 5},
        "variants": [
            {"name": "host", "language": "cpp", "source": "bias_add.cpp", "entry": "bias_add",
             "launch": {"grid": ["cdiv(P, BLOCK_M)", "cdiv(D, BLOCK_N)"], "args": ["x", "bias", "out", "P", "D"]},
             "tunables": [{"name": "BLOCK_M", "values": [1, 16, 64], "value": 16},
                          {"name": "BLOCK_N", "values": [64, 256], "value": 256}],
             "restrictions": ["BLOCK_M * BLOCK_N <= 8192", "BLOCK_N <= 4 * D"]},
            {"name": "library", "language": "library", "library": "onednn", "primitive": "binary_add"}]})json");
}

/// The example with the value at a JSON pointer ("/cases/0/P") replaced or added.
inline nlohmann::json example_with(const std::string& pointer, nlohmann::json value) {
    nlohmann::json project = example_json();
    project[nlohmann::json::json_pointer(pointer)] = std::move(value);
    return project;
}

/// The example without what is at a JSON pointer.
inline nlohmann::json example_without(const std::string& pointer) {
    nlohmann::json project = example_json();
    const nlohmann::json::json_pointer place(pointer);
    project[place.parent_pointer()].erase(place.back());
    return project;
}

inline Project example_project() { return parse_project(example_json().dump(), "/project/project.json").value(); }

/// Every diagnostic without the file's name, one a line.
inline std::string errors_of(const std::string& text) {
    Validated<Project> project = parse_project(text, "/project/project.json");
    if (project) return "";
    for (Diagnostic& each : project.error()) each.file.clear();
    return to_string(project.error());
}

inline std::string errors_of(const nlohmann::json& project) { return errors_of(project.dump()); }

}  // namespace kernelgen
