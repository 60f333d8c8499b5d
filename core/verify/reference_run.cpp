// SPDX-License-Identifier: Apache-2.0
#include "core/verify/reference_run.h"

#include <algorithm>

#include "core/base/text.h"

namespace kernelgen {
namespace {

constexpr std::size_t most_wide_bytes = std::size_t{4} << 30;  ///< of the reference's buffers in float64

/// The tensors of a variant that judges are in the dtype that it runs in, with the values of the case's.
class VariantRunner final : public ReferenceRunner {
public:
    VariantRunner(const Operator& definition, const Implementation& reference, KernelRunner runner)
        : ReferenceRunner(definition), reference_(reference), runner_(std::move(runner)) {}

private:
    Outcome run(const Check& check, Results& results, const InputEdit& edit, const Judging& judging) override;

    const Implementation& reference_;
    KernelRunner runner_;
};

Outcome VariantRunner::run(const Check& check, Results& results, const InputEdit& edit, const Judging& judging) {
    const Result<Call> call = make_call(definition(), reference_, results.binding);
    if (!call) return {Status::unavailable, call.error().message};
    const Layout layout = lay_out(*call);
    if (results.binding.dtype != check.binding.dtype && layout.total > most_wide_bytes) {
        return {Status::over_limit,
                say("its tensors would take {}", with_si_prefix(static_cast<double>(layout.total), "B"))};
    }
    const DType built = check.binding.dtype;  // the same text for every dtype where another one is run
    if (Outcome prepared = runner_.prepare(*call, built, layout.total, judging); !prepared.ok()) return prepared;
    std::vector<DType> given;
    for (const Tensor& input : definition().inputs) given.push_back(dtype_of(input, check.binding));
    fill_guards(layout, runner_.arena());
    fill_inputs_as(given, *call, layout, runner_.arena(), check.set, check.seed);
    vary_inputs(given, *call, layout, runner_.arena(), check.variation);
    if (edit) edit_inputs(*call, layout, runner_.arena(), edit);
    poison_outputs(layout, runner_.arena(), 0xff);
    const Outcome outcome = runner_.run(*call, layout);
    for (const Region& output : layout.outputs) results.outputs.push_back(runner_.arena() + output.offset);
    return outcome;
}

}  // namespace

Elements elements_of(const Results& results, const Operator& definition, std::size_t output) {
    const DType dtype = dtype_of(definition.outputs[output], results.binding);
    const std::byte* const source = results.outputs[output];
    return [dtype, source](int, std::int64_t first, std::span<double> values) {
        decode(dtype, source + static_cast<std::size_t>(first) * size_of(dtype), values);
    };
}

StoredValues values_of(const Results& results, const Operator& definition, std::size_t output) {
    return {dtype_of(definition.outputs[output], results.binding), results.outputs[output]};
}

std::size_t elements_in(const Check& check, const Tensor& tensor) {
    return static_cast<std::size_t>(element_count(tensor, check.binding.sizes).value());
}

/// Which integer a number is rounded to depends on the precision that the function names: that is kept.
bool ReferenceRunner::rounds_to_integers(const Case& binding) const {
    return std::ranges::any_of(definition_.outputs,
                               [&](const Tensor& output) { return is_integer(dtype_of(output, binding)); });
}

Outcome ReferenceRunner::run_wide(const Check& check, Results& results, const InputEdit& edit) {
    Outcome outcome = run_in(DType::f64, check, results, edit);
    if (outcome.ok()) keep(results);
    return outcome;
}

Outcome ReferenceRunner::run_in(DType dtype, const Check& check, Results& results, const InputEdit& edit,
                                Judging judging) {
    results.binding = check.binding;
    results.binding.dtype = dtype;
    results.outputs.clear();
    results.copies.clear();
    judging.in_float64 = dtype != check.binding.dtype && !rounds_to_integers(check.binding);
    return run(check, results, edit, judging);
}

void ReferenceRunner::keep(Results& results) const {
    if (!results.copies.empty()) return;
    for (std::size_t i = 0; i < results.outputs.size(); ++i) {
        const auto bytes =
            static_cast<std::size_t>(element_count(definition_.outputs[i], results.binding.sizes).value()) *
            size_of(dtype_of(definition_.outputs[i], results.binding));
        results.copies.emplace_back(results.outputs[i], results.outputs[i] + bytes);
        results.outputs[i] = results.copies.back().data();
    }
}

std::unique_ptr<ReferenceRunner> variant_runner(const Operator& definition, const Implementation& reference,
                                                KernelRunner runner) {
    return std::make_unique<VariantRunner>(definition, reference, std::move(runner));
}

}  // namespace kernelgen
