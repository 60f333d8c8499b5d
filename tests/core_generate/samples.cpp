// SPDX-License-Identifier: Apache-2.0
#include "tests/core_generate/samples.h"

#include <algorithm>
#include <cctype>

#include "core/base/text.h"

namespace kernelgen::tests {

Tensor tensor(const std::string& text) {
    Tensor result;
    result.name = text.substr(0, text.find(':'));
    const std::string shape = text.substr(text.find(':') + 1);
    if (!shape.empty()) result.shape = split(shape, ',');
    return result;
}

Operator make_operator(const std::string& name, const std::string& body, const std::vector<std::string>& inputs,
                       const std::vector<std::string>& outputs, const std::vector<Attribute>& attributes) {
    Operator definition;
    definition.name = name;
    definition.body = body;
    definition.attributes = attributes;
    for (const std::string& each : inputs) definition.inputs.push_back(tensor(each));
    for (const std::string& each : outputs) definition.outputs.push_back(tensor(each));
    for (const auto* list : {&definition.inputs, &definition.outputs}) {
        for (const Tensor& each : *list) {
            for (const std::string& dimension : each.shape) {
                const bool known = std::ranges::find(definition.symbols, dimension) != definition.symbols.end();
                if (!known && !std::isdigit(static_cast<unsigned char>(dimension[0])))
                    definition.symbols.push_back(dimension);
            }
        }
    }
    return definition;
}

}  // namespace kernelgen::tests
