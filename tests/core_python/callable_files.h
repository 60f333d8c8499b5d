// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "tests/core_python/variants.h"

namespace kernelgen::testing {

/// relu(x + bias) of 300 × 129 elements, by a function.
inline const std::string relu_definition = R"(import torch


def reference(x, bias):
    return torch.relu(x + bias)


def inputs(case, generator, device):
    return [torch.randn(300, 129, generator=generator), torch.randn(129, generator=generator)]
)";

inline Implementation definition_of(const std::string& text) {
    Operator definition;
    definition.file = "definition.py";
    Implementation made;
    made.variant = definition_as_variant(definition);
    made.text = text;
    return made;
}

/// A PyTorch file. Its name is that of its process: files of one name may share one.
inline Implementation solution_of(const std::string& text, const std::string& entry = "solution",
                                  const std::string& file = "solution.py") {
    Implementation made;
    made.variant = {.name = "solution", .language = Language::torch, .source = file, .entry = entry};
    made.text = "import torch\n\n\n" + text;
    return made;
}

inline Operator callable_operator() {
    Operator definition;
    definition.name = "relu";
    definition.family = Family::callable;
    definition.file = "definition.py";
    return definition;
}

inline VerifyRequest verify_callable(const std::string& definition, const Implementation& solution) {
    VerifyRequest request;
    request.definition = callable_operator();
    request.cases = {{"default", DType::f32, {}}};
    request.candidate = solution;
    request.reference = definition_of(definition);
    request.timeout_seconds = 20;
    return request;
}

/// The definition's `reference` as the baseline.
inline BenchRequest bench_callable(const std::string& definition, const Implementation& solution,
                                   const std::string& reference = "reference") {
    BenchRequest request;
    request.definition = callable_operator();
    request.binding = {"default", DType::f32, {}};
    request.performance.budget_seconds = 0.3;
    request.candidates = {solution};
    request.baseline = definition_of(definition);
    request.baseline.variant.entry = reference;
    request.reference = definition_of(definition);
    request.timeout_seconds = 20;
    request.counters = false;
    return request;
}

}  // namespace kernelgen::testing
