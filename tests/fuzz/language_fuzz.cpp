// SPDX-License-Identifier: Apache-2.0
// Any bytes as a body and as an integer expression: diagnostics, or something that can be evaluated.
#include <algorithm>

#include "core/lang/analysis.h"
#include "core/lang/body.h"
#include "core/lang/evaluator.h"
#include "core/lang/integer_expression.h"
#include "core/verify/contraction_values.h"

namespace {

using namespace kernelgen;

const Case small_case{.name = "small", .dtype = DType::f32, .sizes = {{"P", 2}, {"D", 3}}};
const Case long_case{.name = "long", .dtype = DType::bf16, .sizes = {{"P", 1}, {"D", 2049}}};

Operator definition_of(std::string body) {
    Operator definition;
    definition.name = "fuzzed";
    definition.symbols = {"P", "D"};
    const Tensor inputs[] = {
        {"x", {"P", "D"}, {}}, {"y", {"P", "1"}, {}}, {"bias", {"D"}, {}}, {"s", {}, {}}, {"matrix", {"D", "D"}, {}}};
    for (const Tensor& input : inputs) {
        if (body.contains(input.name)) definition.inputs.push_back(input);  // one that is not used would be an error
    }
    definition.outputs = {{"out", {"P", "D"}, {}}};
    if (body.contains("top")) definition.outputs.push_back({"top", {"P"}, {}});
    definition.attributes = {{"eps", 1e-5}};
    definition.body = std::move(body);
    return definition;
}

template <class T>
void evaluate_case(const Operator& definition, const Body& body, const Case& binding) {
    if (!space_of(body, binding.sizes)) return;  // a convolution of other sizes
    analyse_case(definition, body, binding);
    for (const Tensor& output : definition.outputs) row_map(body, output, binding.sizes);
    Evaluator<T> evaluator(definition, body, binding.sizes,
                           [](int, std::int64_t, std::span<T> values) { std::ranges::fill(values, T(0.5)); });
    const Space space = space_of(body, binding.sizes).value();
    if (body.contraction) {
        std::vector<double> product(static_cast<std::size_t>(space.rows * space.columns));
        ContractionValues(definition, body, binding, generated_inputs(definition, binding, InputSet::normal, 1))
            .read_rounded(0, product);
    }
    constexpr std::int64_t step = Evaluator<T>::block_columns;
    for (std::int64_t row = 0; row < space.rows; ++row) {
        for (std::int64_t first = 0; first < space.columns; first += step) {
            evaluator.evaluate(row, first, std::min(step, space.columns - first));
        }
    }
}

void evaluate_body(const Operator& definition) {
    const Validated<Body> body = analyse(definition);
    if (!body) return;
    evaluate_case<double>(definition, *body, small_case);
    if (body->nodes.size() < 100) evaluate_case<float>(definition, *body, long_case);
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
