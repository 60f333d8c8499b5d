// SPDX-License-Identifier: Apache-2.0
#include "core/verify/yardstick.h"

#include <format>

#include "core/verify/callable_yardstick.h"
#include "core/verify/contraction_values.h"
#include "core/verify/judge.h"
#include "core/verify/npy.h"
#include "core/verify/plainly_right.h"
#include "core/verify/reference_cache.h"
#include "core/verify/reference_run.h"
#include "core/verify/stretch.h"

namespace kernelgen {

std::filesystem::path expected_path(const std::string& folder, const std::string& output) {
    return std::filesystem::path(folder) / (output + ".expected.npy");
}

Outcome Yardstick::make_inputs(const Call& call, const Layout& layout, std::byte* arena, InputSet set,
                               std::uint64_t seed) {
    fill_inputs(call, layout, arena, set, seed);
    return {};
}

bool Yardstick::inputs_unchanged(const Call& call, const Layout& layout, const std::byte* arena, InputSet set,
                                 std::uint64_t seed) {
    return kernelgen::inputs_unchanged(call, layout, arena, set, seed);
}

void Yardstick::write_span(const Call& call, const InputSpan& span, std::uint64_t seed, std::byte* destination) {
    const BoundTensor& input = call.inputs[static_cast<std::size_t>(span.input)];
    std::vector<double> values(static_cast<std::size_t>(span.count));
    generate(span.set, seed, span.input, input.dtype, span.first, values, input.domain);
    encode(input.dtype, values, destination);
}

namespace {

std::vector<const std::byte*> outputs_in(const Call& call, const Layout& layout, const std::byte* arena) {
    std::vector<const std::byte*> outputs;
    for (std::size_t i = 0; i < call.outputs.size(); ++i) outputs.push_back(arena + layout.outputs[i].offset);
    return outputs;
}

class BodyYardstick final : public Yardstick {
public:
    BodyYardstick(const YardstickRequest& request, Body body)
        : definition_(request.definition),
          body_(std::move(body)),
          accuracy_(request.accuracy),
          references_(request.references) {}

    const Body* body() const override { return &body_; }
    CaseAccuracy judge(const Check& check, const Call& call, const Layout& layout, const std::byte* arena,
                       std::stop_token stop, const Part& part) override;
    bool is_plainly_right(const Check& check, const Call& call, const Layout& layout, const std::byte* arena,
                          std::stop_token stop) override;
    std::optional<Said> too_loose(const Check& check) override { return kernelgen::too_loose(criteria(check)); }
    void dump_expected(const Check& check, const std::string& folder) override;

private:
    Criteria criteria(const Check& check) const {
        const auto varied = [&](InputSet set) {
            return generated_inputs(definition_, check.binding, set, check.variation.seed);
        };
        InputsWithContraction inputs =
            with_contraction(definition_, body_, check.binding,
                             with_spans(generated_inputs(definition_, check.binding, check.set, check.seed), varied,
                                        check.variation.spans));
        return {definition_, body_, check.binding, accuracy_, std::move(inputs.exact), std::move(inputs.rounded)};
    }

    ReferenceCache::Key key_of(const Check& check) const {
        return {check.binding, check.set, check.seed, check.variation, definition_};
    }
    CaseAccuracy judge_and_keep(Criteria chosen, const Check& check, std::span<const std::byte* const> outputs,
                                std::stop_token stop);

    const Operator& definition_;
    const Body body_;
    const Accuracy& accuracy_;
    ReferenceCache* references_;
};

CaseAccuracy BodyYardstick::judge(const Check& check, const Call& call, const Layout& layout, const std::byte* arena,
                                  std::stop_token stop, const Part& part) {
    Criteria chosen = criteria(check);
    chosen.stretches = part.stretches;
    chosen.scales = part.scales;
    chosen.records = part.records;
    const std::vector<const std::byte*> outputs = outputs_in(call, layout, arena);
    CaseAccuracy judged = part.stretches.empty() ? judge_and_keep(std::move(chosen), check, outputs, stop)
                                                 : kernelgen::judge(chosen, outputs, stop);
    judged.set = check.set;
    judged.seed = check.seed;
    if (judged.status == Status::mismatch) judged.reason = with_inputs(judged.reason, check.set, check.seed);
    return judged;
}

bool BodyYardstick::is_plainly_right(const Check& check, const Call& call, const Layout& layout, const std::byte* arena,
                                     std::stop_token stop) {
    if (references_ == nullptr) return false;
    const std::shared_ptr<const Reference> known = references_->find(key_of(check));
    if (known == nullptr) return false;
    Criteria chosen = criteria(check);
    chosen.known = known.get();
    chosen.scales = known->scales;
    return kernelgen::is_plainly_right(chosen, outputs_in(call, layout, arena), std::move(stop));
}

/// Judges with the reference that is known, or keeps it.
CaseAccuracy BodyYardstick::judge_and_keep(Criteria chosen, const Check& check,
                                           std::span<const std::byte* const> outputs, std::stop_token stop) {
    ReferenceCache::Key key = key_of(check);
    const std::shared_ptr<const Reference> known = references_ == nullptr ? nullptr : references_->find(key);
    std::shared_ptr<Reference> found;
    if (known == nullptr && references_ != nullptr && !check.is_judged_once) {
        found =
            references_->allocate(definition_, check.binding, Stretches(*space_of(body_, check.binding.sizes)).total());
    }
    chosen.known = known.get();
    chosen.found = found.get();
    CaseAccuracy judged = kernelgen::judge(chosen, outputs, stop);
    if (found != nullptr && !stop.stop_requested()) {
        found->scales = judged.scales;
        references_->keep(std::move(key), std::move(found));
    }
    return judged;
}

void BodyYardstick::dump_expected(const Check& check, const std::string& folder) {
    const Criteria chosen = criteria(check);
    StretchEvaluator evaluator(chosen);
    std::vector<NpyWriter> files;
    for (const Tensor& output : definition_.outputs) {
        files.emplace_back(expected_path(folder, output.name), DType::f64, extents(output, check.binding.sizes));
    }
    const Stretches stretches(*space_of(body_, check.binding.sizes));
    for (std::int64_t i = 0; i < stretches.total(); ++i) {
        evaluator.evaluate(stretches[i]);
        for (std::size_t output = 0; output < files.size(); ++output) files[output].append(evaluator.expected(output));
    }
}

}  // namespace

Outcome make_yardstick(const YardstickRequest& request, Backend& backend, const Progress& progress,
                       std::stop_token stop, std::unique_ptr<Yardstick>& made) {
    const Operator& definition = request.definition;
    if (has_body(definition.family)) {
        Validated<Body> body = analyse(definition);
        if (!body) return {Status::build_failed, to_string(body.error())};
        made = std::make_unique<BodyYardstick>(request, std::move(*body));
        return {};
    }
    if (!request.reference) {
        return {Status::unavailable, say("family `{}` needs `reference` in the operator: the variant that judges",
                                         to_string(definition.family))};
    }
    if (has_file(definition.family)) {
        made = callable_yardstick(request, backend, std::move(stop));
        return {};
    }
    KernelRunner runner(backend, definition, *request.reference, request.device, request.timeout_seconds, progress,
                        std::move(stop), KernelRunner::Role::judge);
    made = variant_yardstick(definition, *request.reference, request.accuracy,
                             variant_runner(definition, *request.reference, std::move(runner)));
    return {};
}

}  // namespace kernelgen
