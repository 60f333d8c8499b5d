// SPDX-License-Identifier: Apache-2.0
// Any bytes as a body and as an integer expression: diagnostics, or something that can be evaluated.
#include <algorithm>

#include "core/lang/analysis.h"
#include "core/lang/body.h"
#include "core/lang/evaluator.h"
#include "core/lang/integer_expression.h"

namespace {

using namespace kernelgen;

const Case small_case{.name = "small", .dtype = DType::f32, .sizes = {{"P", 2}, {"D", 3}}};

Operator definition_of(std::string body) {
    Operator definition;
    definition.name = "fuzzed";
    definition.symbols = {"P", "D"};
    definition.inputs = {{"x", {"P", "D"}, {}}, {"y", {"P", "D"}, {}}, {"bias", {"D"}, {}}};
    definition.outputs = {{"out", {"P", "D"}, {}}};
    definition.attributes = {{"eps", 1e-5}};
    definition.body = std::move(body);
    return definition;
}

void evaluate_body(const Operator& definition) {
    const Checked<Body> body = analyse(definition);
    if (!body) return;
    analyse_case(definition, *body, small_case);
    Evaluator<double> evaluator(definition, *body, small_case.sizes, [](int, std::int64_t, std::span<double> values) {
        std::ranges::fill(values, 0.5);
    });
    for (std::int64_t row = 0; row < 2; ++row) evaluator.evaluate(row, 0, 3);
}

void evaluate_integers(std::string_view text) {
    const auto expression = IntegerExpression::parse(text, "expression");
    if (!expression) return;
    Sizes values = small_case.sizes;
    for (const std::string& name : expression->names()) values.try_emplace(name, 7);
    static_cast<void>(expression->evaluate(values));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    evaluate_body(definition_of(text));
    evaluate_integers(text);
    return 0;
}
