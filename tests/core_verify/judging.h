// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "core/lang/evaluator.h"
#include "core/verify/contraction_values.h"
#include "core/verify/judge.h"

namespace kernelgen::testing {

inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// An operator of family tile; tensors are written "x:P,D".
inline Tensor tensor(const std::string& text) {
    Tensor made;
    const std::size_t colon = text.find(':');
    made.name = text.substr(0, colon);
    for (std::size_t begin = colon + 1; colon != std::string::npos && begin < text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        made.shape.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return made;
}

inline Operator tile(const std::string& body, const std::vector<std::string>& inputs,
                     const std::string& output = "out:P,D") {
    Operator made;
    made.name = "op";
    made.symbols = {"P", "D"};
    for (const std::string& input : inputs) made.inputs.push_back(tensor(input));
    made.outputs = {tensor(output)};
    made.body = body;
    return made;
}

inline std::vector<const std::byte*> pointers_to(const std::vector<std::vector<std::byte>>& buffers) {
    std::vector<const std::byte*> pointers;
    for (const std::vector<std::byte>& each : buffers) pointers.push_back(each.data());
    return pointers;
}

/// One operator on one case with outputs that a test may spoil.
struct Judged {
    Operator definition;
    Case binding;
    Accuracy accuracy;
    InputSet set = InputSet::normal;
    std::uint64_t seed = 1;
    std::vector<std::vector<double>> outputs;  ///< at first the reference

    Judged(Operator op, std::int64_t rows, std::int64_t columns, DType dtype = DType::f32,
           InputSet inputs = InputSet::normal)
        : Judged(std::move(op), Sizes{{"P", rows}, {"D", columns}}, dtype, inputs) {}
    Judged(Operator op, Sizes sizes, DType dtype, InputSet inputs = InputSet::normal)
        : definition(std::move(op)), binding{"case", dtype, std::move(sizes)}, set(inputs) {
        outputs = evaluate(definition);
    }

    InputsWithContraction inputs(const Operator& of, const Body& checked) const {
        return with_contraction(of, checked, binding, generated_inputs(of, binding, set, seed));
    }

    Body body() const {
        Validated<Body> checked = analyse(definition);
        if (!checked) throw std::runtime_error(to_string(checked.error()));
        return std::move(*checked);
    }

    /// What another definition of the same interface gives on this case, in float64.
    std::vector<std::vector<double>> evaluate(const Operator& other) const {
        const Validated<Body> checked = analyse(other);
        if (!checked) throw std::runtime_error(to_string(checked.error()));
        Evaluator<double> evaluator(other, *checked, binding.sizes, inputs(other, *checked).exact);
        const Space space = *space_of(*checked, binding.sizes);
        std::vector<std::vector<double>> values(other.outputs.size());
        for (std::int64_t row = 0; row < space.rows; ++row) {
            for (std::int64_t first = 0; first < space.columns; first += 2048) {
                evaluator.evaluate(row, first, std::min<std::int64_t>(2048, space.columns - first));
                for (std::size_t i = 0; i < values.size(); ++i) {
                    const bool one = row_map(*checked, other.outputs[i], binding.sizes).columns == 1;
                    if (one && first > 0) continue;
                    values[i].insert(values[i].end(), evaluator.output(i).begin(), evaluator.output(i).end());
                }
            }
        }
        return values;
    }

    /// The outputs in their dtypes.
    std::vector<std::vector<std::byte>> stored() const {
        std::vector<std::vector<std::byte>> bytes;
        for (std::size_t i = 0; i < outputs.size(); ++i) {
            const DType dtype = dtype_of(definition.outputs[i], binding);
            bytes.emplace_back(outputs[i].size() * size_of(dtype));
            encode(dtype, outputs[i], bytes.back().data());
        }
        return bytes;
    }

    CaseAccuracy judge(std::stop_token stop = {}) const {
        const Body checked = body();
        const auto [exact, rounded] = inputs(definition, checked);
        const Criteria criteria{definition, checked, binding, accuracy, exact, rounded};
        const std::vector<std::vector<std::byte>> bytes = stored();
        return kernelgen::judge(criteria, pointers_to(bytes), stop);
    }

    std::optional<std::string> looseness() const {
        const Body checked = body();
        return too_loose({definition, checked, binding, accuracy, generated_inputs(definition, binding, set, seed)});
    }
};

inline const std::string softmax = "m = row_max(x); e = exp(x - m); out = e / row_sum(e)";
inline const std::string layer_norm = "c = x - row_mean(x); out = c * rsqrt(row_var(x) + 0.00001) * gamma + beta";

}  // namespace kernelgen::testing
