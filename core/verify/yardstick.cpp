// SPDX-License-Identifier: Apache-2.0
#include "core/verify/yardstick.h"

#include <filesystem>

#include "core/verify/judge.h"
#include "core/verify/npy.h"
#include "core/verify/stretch.h"

namespace kernelgen {
namespace {

std::filesystem::path expected_path(const std::string& folder, const std::string& output) {
    return std::filesystem::path(folder) / (output + ".expected.npy");
}

class BodyYardstick final : public Yardstick {
public:
    BodyYardstick(const Operator& definition, const Body& body, const Accuracy& accuracy)
        : definition_(definition), body_(body), accuracy_(accuracy) {}

    CaseAccuracy judge(const Check& check, const Call& call, const Layout& layout, const std::byte* arena,
                       std::stop_token stop) override {
        return kernelgen::judge(definition_, body_, check.binding, accuracy_, call, layout, arena, check.set,
                                check.seed, std::move(stop));
    }
    std::optional<std::string> too_loose(const Check& check) override { return kernelgen::too_loose(criteria(check)); }
    void dump_expected(const Check& check, const std::string& folder) override;

private:
    Criteria criteria(const Check& check) const {
        return {definition_, body_, check.binding, accuracy_,
                generated_inputs(definition_, check.binding, check.set, check.seed)};
    }

    const Operator& definition_;
    const Body& body_;
    const Accuracy& accuracy_;
};

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

/// The operator whose reference is another variant's output: it copies that.
struct Copying {
    Operator definition;
    Body body;
};

Copying copying(const Operator& definition, const Tensor& output) {
    Copying made;
    made.definition.name = definition.name;
    made.definition.symbols = definition.symbols;
    made.definition.inputs = {{output.name + "_reference", output.shape, output.dtype}};
    made.definition.outputs = {output};
    made.definition.body = output.name + " = " + made.definition.inputs[0].name;
    made.definition.arithmetic = DType::f64;
    made.body = analyse(made.definition).value();
    return made;
}

/// What was found of one output more. Quantiles of both together are not known; the larger one is kept.
void merge(CaseAccuracy& all, CaseAccuracy&& more) {
    ErrorMetrics& a = all.metrics;
    const ErrorMetrics& b = more.metrics;
    const double total = static_cast<double>(std::max<std::int64_t>(1, a.elements + b.elements));
    const double share = static_cast<double>(b.elements) / total;
    a.mean_absolute += share * (b.mean_absolute - a.mean_absolute);
    a.mean_relative += share * (b.mean_relative - a.mean_relative);
    for (const auto member :
         {&ErrorMetrics::elements, &ErrorMetrics::mismatches, &ErrorMetrics::excluded, &ErrorMetrics::exact}) {
        a.*member += b.*member;
    }
    for (const auto member : {&ErrorMetrics::max_absolute, &ErrorMetrics::max_relative, &ErrorMetrics::p50_absolute,
                              &ErrorMetrics::p90_absolute, &ErrorMetrics::p99_absolute}) {
        a.*member = std::max(a.*member, b.*member);
    }
    a.histogram.resize(std::max(a.histogram.size(), b.histogram.size()));
    for (std::size_t i = 0; i < b.histogram.size(); ++i) a.histogram[i] += b.histogram[i];
    for (Mismatch& mismatch : more.first_mismatches) {
        if (all.first_mismatches.size() < 8) all.first_mismatches.push_back(std::move(mismatch));
    }
    if (worst(all.status, more.status) == all.status) return;
    all.status = more.status;
    all.reason = std::move(more.reason);
}

class VariantYardstick final : public Yardstick {
public:
    VariantYardstick(const Operator& definition, const Implementation& reference, const Accuracy& accuracy,
                     KernelRunner& runner)
        : definition_(definition), reference_(reference), accuracy_(accuracy), runner_(runner) {}

    CaseAccuracy judge(const Check& check, const Call& call, const Layout& layout, const std::byte* arena,
                       std::stop_token stop) override;
    std::optional<std::string> too_loose(const Check& check) override;
    void dump_expected(const Check& check, const std::string& folder) override;

private:
    Outcome run_reference(const Check& check);
    Criteria criteria(const Copying& copy, std::size_t output, const Check& check);

    const Operator& definition_;
    const Implementation& reference_;
    const Accuracy& accuracy_;
    KernelRunner& runner_;
    Layout layout_;
};

Outcome VariantYardstick::run_reference(const Check& check) {
    const Result<Call> call = make_call(definition_, reference_, check.binding);
    if (!call) return {Status::unavailable, call.error().message};
    layout_ = lay_out(*call);
    if (Outcome prepared = runner_.prepare(*call, check.binding.dtype, layout_.total); !prepared.ok()) return prepared;
    fill_guards(layout_, runner_.arena());
    fill_inputs(*call, layout_, runner_.arena(), check.set, check.seed);
    poison_outputs(layout_, runner_.arena(), 0xff);
    return runner_.run(*call, layout_);
}

Criteria VariantYardstick::criteria(const Copying& copy, std::size_t output, const Check& check) {
    const DType dtype = dtype_of(definition_.outputs[output], check.binding);
    const std::byte* source = runner_.arena() + layout_.outputs[output].offset;
    return {copy.definition, copy.body, check.binding, accuracy_,
            [dtype, source](int, std::int64_t first, std::span<double> values) {
                decode(dtype, source + static_cast<std::size_t>(first) * size_of(dtype), values);
            }};
}

CaseAccuracy VariantYardstick::judge(const Check& check, const Call&, const Layout& layout, const std::byte* arena,
                                     std::stop_token stop) {
    CaseAccuracy judged;
    judged.binding = check.binding;
    judged.set = check.set;
    judged.seed = check.seed;
    if (const Outcome outcome = run_reference(check); !outcome.ok()) {
        judged.status = outcome.status == Status::cancelled ? Status::cancelled : Status::unavailable;
        judged.reason = "the reference `" + reference_.variant.name + "` did not run: " + outcome.reason;
        return judged;
    }
    for (std::size_t i = 0; i < definition_.outputs.size(); ++i) {
        const Copying copy = copying(definition_, definition_.outputs[i]);
        const std::byte* const output = arena + layout.outputs[i].offset;
        merge(judged, kernelgen::judge(criteria(copy, i, check), std::span(&output, 1), stop));
    }
    if (judged.status == Status::mismatch) judged.reason = with_inputs(judged.reason, check.set, check.seed);
    return judged;
}

std::optional<std::string> VariantYardstick::too_loose(const Check& check) {
    for (std::size_t i = 0; i < definition_.outputs.size(); ++i) {
        const Copying copy = copying(definition_, definition_.outputs[i]);
        if (auto reason = kernelgen::too_loose(criteria(copy, i, check))) return reason;
    }
    return std::nullopt;
}

void VariantYardstick::dump_expected(const Check& check, const std::string& folder) {
    for (std::size_t i = 0; i < definition_.outputs.size(); ++i) {
        const Tensor& output = definition_.outputs[i];
        NpyWriter file(expected_path(folder, output.name), dtype_of(output, check.binding),
                       extents(output, check.binding.sizes));
        file.append(runner_.arena() + layout_.outputs[i].offset, *element_count(output, check.binding.sizes));
    }
}

}  // namespace

std::unique_ptr<Yardstick> body_yardstick(const Operator& definition, const Body& body, const Accuracy& accuracy) {
    return std::make_unique<BodyYardstick>(definition, body, accuracy);
}

std::unique_ptr<Yardstick> variant_yardstick(const Operator& definition, const Implementation& reference,
                                             const Accuracy& accuracy, KernelRunner& runner) {
    return std::make_unique<VariantYardstick>(definition, reference, accuracy, runner);
}

}  // namespace kernelgen
