// SPDX-License-Identifier: Apache-2.0
#include "core/verify/callable_yardstick.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "core/verify/definition_process.h"
#include "core/verify/reference_run.h"

namespace kernelgen {
namespace {

using Contents = DefinitionProcess::Contents;

Implementation in_role(Implementation definition, const char* role) {
    definition.callable.role = role;
    return definition;
}

void copy_inputs(const Contents& contents, const Layout& layout, std::byte* arena) {
    for (std::size_t i = 0; i < contents.size(); ++i) {
        std::memcpy(arena + layout.inputs[i].offset, contents[i].data(), contents[i].size());
    }
}

/// Writes a span's elements as `contents` have them. In sets `nan` and `infinity` the first one is not finite.
void write_elements(const Contents& contents, const InputSpan& span, DType dtype, std::byte* destination) {
    const std::size_t size = size_of(dtype);
    const std::byte* const from = contents[static_cast<std::size_t>(span.input)].data();
    std::memcpy(destination, from + static_cast<std::size_t>(span.first) * size,
                static_cast<std::size_t>(span.count) * size);
    if (span.set == InputSet::normal || span.count == 0) return;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const double value = span.set == InputSet::nan ? std::numeric_limits<double>::quiet_NaN()
                         : span.first % 2 == 0     ? infinity
                                                   : -infinity;
    encode(dtype, std::span(&value, 1), destination);
}

/// The reference on inputs that its own file makes. It counts what is not finite in its results.
class CallableRunner final : public ReferenceRunner {
public:
    CallableRunner(const Operator& definition, const Implementation& reference, DefinitionProcess& process)
        : ReferenceRunner(definition), reference_(reference), process_(process) {}

    /// The number of elements that are not finite, of the run since `forget` that has most of them.
    std::int64_t not_finite() const { return not_finite_; }
    void forget() { not_finite_ = 0; }

private:
    Outcome run(const Check& check, Results& results, const InputEdit& edit, const Judging& judging) override;
    Outcome fill(const Check& check, const Call& call, const Layout& layout);
    void count(const Results& results, const Check& check);

    const Implementation& reference_;
    DefinitionProcess& process_;
    std::int64_t not_finite_ = 0;
};

Outcome CallableRunner::run(const Check& check, Results& results, const InputEdit& edit, const Judging& judging) {
    Result<Call> call = make_call(definition(), reference_, results.binding);
    if (!call) return {Status::unavailable, call.error().message};
    const bool is_wide = results.binding.dtype != check.binding.dtype;
    call->attributes.push_back({"wide", is_wide ? 1.0 : 0.0, AttributeType::boolean});
    const Layout layout = lay_out(*call);
    if (Outcome prepared = process_.prepare_judge(*call, layout.total, judging); !prepared.ok()) return prepared;
    if (Outcome filled = fill(check, *call, layout); !filled.ok()) return filled;
    if (edit) edit_inputs(*call, layout, process_.arena(), edit);
    poison_outputs(layout, process_.arena(), 0xff);
    const Outcome outcome = process_.judge(*call, layout);
    if (!outcome.ok()) return outcome;
    for (const Region& output : layout.outputs) results.outputs.push_back(process_.arena() + output.offset);
    keep(results);  // the next inputs are made in this arena
    count(results, check);
    return outcome;
}

Outcome CallableRunner::fill(const Check& check, const Call& call, const Layout& layout) {
    std::shared_ptr<const Contents> contents, varied;
    if (Outcome made = process_.contents(check.set, check.seed, contents); !made.ok()) return made;
    if (!check.variation.spans.empty()) {
        if (Outcome made = process_.contents(InputSet::normal, check.variation.seed, varied); !made.ok()) return made;
    }
    // The process may have been started again meanwhile, and its arena with it.
    if (Outcome prepared = process_.prepare_arena(layout.total); !prepared.ok()) return prepared;
    copy_inputs(*contents, layout, process_.arena());
    for (const InputSpan& span : check.variation.spans) {
        const auto input = static_cast<std::size_t>(span.input);
        const DType dtype = call.inputs[input].dtype;
        const std::size_t first = static_cast<std::size_t>(span.first) * size_of(dtype);
        write_elements(*varied, span, dtype, process_.arena() + layout.inputs[input].offset + first);
    }
    return {};
}

void CallableRunner::count(const Results& results, const Check& check) {
    std::int64_t found = 0;
    for (std::size_t i = 0; i < definition().outputs.size(); ++i) {
        const auto add = [&](std::size_t, double value) { found += std::isfinite(value) ? 0 : 1; };
        for_each_element(elements_in(check, definition().outputs[i]), add, values_of(results, definition(), i));
    }
    not_finite_ = std::max(not_finite_, found);
}

class CallableYardstick final : public Yardstick {
public:
    CallableYardstick(const YardstickRequest& request, Backend& backend, std::stop_token stop)
        : definition_(request.definition),
          reference_(*request.reference),
          inputs_(in_role(reference_, "inputs")),
          judge_(in_role(reference_, "judge")),
          process_(backend, definition_, inputs_, judge_, request.device, request.timeout_seconds, std::move(stop)) {
        auto runner = std::make_unique<CallableRunner>(definition_, reference_, process_);
        runner_ = runner.get();
        judge_by_ = variant_yardstick(definition_, reference_, request.accuracy, std::move(runner));
    }

    Outcome make_inputs(const Call&, const Layout& layout, std::byte* arena, InputSet set,
                        std::uint64_t seed) override {
        std::shared_ptr<const Contents> contents;
        if (Outcome made = process_.contents(set, seed, contents); !made.ok()) return made;
        copy_inputs(*contents, layout, arena);
        return {};
    }

    bool inputs_unchanged(const Call& call, const Layout& layout, const std::byte* arena, InputSet set,
                          std::uint64_t seed) override;
    void write_span(const Call& call, const InputSpan& span, std::uint64_t seed, std::byte* destination) override;
    bool applies(const Check& check) override;

    Outcome prepare(const Check& check) override { return judge_by_->prepare(check); }
    CaseAccuracy judge(const Check& check, const Call& call, const Layout& layout, const std::byte* arena,
                       std::stop_token stop, const Part& part) override {
        return judge_by_->judge(check, call, layout, arena, std::move(stop), part);
    }
    std::optional<Said> too_loose(const Check& check) override { return judge_by_->too_loose(check); }
    std::optional<Said> wrong_by_default(const Check& check, const Layout& layout, const std::byte* arena,
                                         std::stop_token stop) override {
        return judge_by_->wrong_by_default(check, layout, arena, std::move(stop));
    }
    void dump_expected(const Check& check, const std::string& folder) override {
        judge_by_->dump_expected(check, folder);
    }
    Said note() const override { return judge_by_->note(); }

private:
    const Operator definition_;
    const Implementation reference_;
    const Implementation inputs_, judge_;
    DefinitionProcess process_;
    CallableRunner* runner_ = nullptr;  ///< of `judge_by_`
    std::unique_ptr<Yardstick> judge_by_;
    std::optional<std::int64_t> not_finite_in_normal_;
};

bool CallableYardstick::inputs_unchanged(const Call& call, const Layout& layout, const std::byte* arena, InputSet set,
                                         std::uint64_t seed) {
    std::shared_ptr<const Contents> contents;
    if (!process_.contents(set, seed, contents).ok()) return true;  // which `make_inputs` has told
    for (std::size_t i = 0; i < contents->size(); ++i) {
        const std::vector<std::byte>& wanted = (*contents)[i];
        if (call.inputs[i].is_mutated) continue;
        if (std::memcmp(arena + layout.inputs[i].offset, wanted.data(), wanted.size()) != 0) return false;
    }
    return true;
}

void CallableYardstick::write_span(const Call& call, const InputSpan& span, std::uint64_t seed,
                                   std::byte* destination) {
    const DType dtype = call.inputs[static_cast<std::size_t>(span.input)].dtype;
    std::shared_ptr<const Contents> contents;
    if (process_.contents(InputSet::normal, seed, contents).ok()) {
        write_elements(*contents, span, dtype, destination);
    } else {  // the reference, which needs them too, will say why
        std::memset(destination, 0, static_cast<std::size_t>(span.count) * size_of(dtype));
    }
}

/// Whether the reference can judge this check. It takes NaN and infinities wherever it runs. On other sets it must make
/// as many finite results as on the definition's own inputs: else the set goes beyond its domain.
bool CallableYardstick::applies(const Check& check) {
    if (check.set == InputSet::normal) return true;
    if (!not_finite_in_normal_) {
        Check normal = check;
        normal.set = InputSet::normal;
        runner_->forget();
        if (!judge_by_->prepare(normal).ok()) return false;
        not_finite_in_normal_ = runner_->not_finite();
    }
    runner_->forget();
    if (!judge_by_->prepare(check).ok()) return false;
    const bool is_planted = check.set == InputSet::nan || check.set == InputSet::infinity;
    return is_planted || runner_->not_finite() <= *not_finite_in_normal_;
}

}  // namespace

std::unique_ptr<Yardstick> callable_yardstick(const YardstickRequest& request, Backend& backend, std::stop_token stop) {
    return std::make_unique<CallableYardstick>(request, backend, std::move(stop));
}

}  // namespace kernelgen
