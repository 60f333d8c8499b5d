// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "core/base/text.h"
#include "core/lang/operator.h"

namespace kernelgen {

/// "x:P,D" as the command line has it; "x:" is a scalar.
inline Tensor tensor_of(const std::string& text) {
    const std::size_t colon = text.find(':');
    Tensor tensor{text.substr(0, colon), {}, {}};
    if (colon + 1 < text.size()) tensor.shape = split(text.substr(colon + 1), ',');
    return tensor;
}

/// An operator over the symbols B, P, Q and D with the attribute eps = 1e-5: `define("out = x", "x:P,D", "out:P,D")`,
/// several tensors with blanks between them.
inline Operator define(std::string body, const std::string& inputs = "x:P,D bias:D",
                       const std::string& outputs = "out:P,D") {
    Operator definition;
    definition.name = "example";
    definition.symbols = {"B", "P", "Q", "D"};
    definition.attributes = {{"eps", 1e-5}};
    definition.body = std::move(body);
    std::istringstream input_words(inputs), output_words(outputs);
    for (std::string word; input_words >> word;) definition.inputs.push_back(tensor_of(word));
    for (std::string word; output_words >> word;) definition.outputs.push_back(tensor_of(word));
    return definition;
}

}  // namespace kernelgen
