// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>
#include <format>

#include "core/base/sentences.h"
#include "core/base/text.h"
#include "core/verify/buffers.h"
#include "core/verify/judge.h"
#include "core/verify/npy.h"
#include "core/verify/overflow_marks.h"
#include "core/verify/yardstick.h"

namespace kernelgen {
namespace {

constexpr std::size_t most_small_elements = 1 << 15;
constexpr std::size_t most_wide_bytes = std::size_t{4} << 30;  ///< of the reference's buffers in float64

/// An operator that copies its input, which is another variant's output, to be judged by.
struct Copying {
    Operator definition;
    Body body;
};

Copying copying(const Operator& definition, const Tensor& output, DType arithmetic) {
    Copying made;
    made.definition.name = definition.name;
    made.definition.symbols = definition.symbols;
    made.definition.inputs = {{output.name + "_reference", output.shape, output.dtype}};
    made.definition.outputs = {output};
    made.definition.body = output.name + " = " + made.definition.inputs[0].name;
    made.definition.arithmetic = arithmetic;
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
    all.reference.digest = all.reference.digest * 31 + more.reference.digest;
    if (all.reference.says_nothing_in.empty()) all.reference.says_nothing_in = more.reference.says_nothing_in;
    if (worst(all.status, more.status) == all.status) return;
    all.status = more.status;
    all.reason = std::move(more.reason);
}

/// What the reference made of a check's inputs: in its arena, and copied where another run follows there.
struct Results {
    Case binding;  ///< with the dtype that it ran in
    std::vector<const std::byte*> outputs;
    std::vector<std::vector<std::byte>> copies;
};

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

bool may_overflow(const Check& check) { return !overflow_probes(check.set).empty(); }

class VariantYardstick final : public Yardstick {
public:
    VariantYardstick(const Operator& definition, const Implementation& reference, const Accuracy& accuracy,
                     KernelRunner runner)
        : definition_(definition), reference_(reference), accuracy_(accuracy), runner_(std::move(runner)) {}

    Outcome prepare(const Check& check) override;
    CaseAccuracy judge(const Check& check, const Call& call, const Layout& layout, const std::byte* arena,
                       std::stop_token stop, const Part& part) override;
    std::optional<std::string> too_loose(const Check& check) override;
    void dump_expected(const Check& check, const std::string& folder) override;
    std::string note() const override;

private:
    int pairs_of_halves(const Check& check) const;
    std::size_t elements_in(const Check& check, std::size_t output) const;
    bool can_be_wide(const Case& binding) const;
    bool rounds_to_integers(const Case& binding) const;
    Outcome run_both(const Check& check);
    Outcome run_in(DType dtype, const Check& check, Results& results, const InputEdit& edit = {});
    Outcome run_wide(const Check& check, Results& results, const InputEdit& edit = {});
    std::vector<OverflowMarks> new_marks(const Check& check) const;
    void probe(const Check& check, std::vector<OverflowMarks>& marks);
    void probe_set(const Check& check, InputSet set, std::vector<OverflowMarks>& marks);
    void probe_halves(const Check& check, std::vector<OverflowMarks>& marks);
    void probe_scales(const Check& check, std::vector<OverflowMarks>& marks);
    void probe_negated(const Check& check, std::vector<OverflowMarks>& marks);
    void probe_unrelated(const Check& check, std::vector<OverflowMarks>& marks);
    void keep(Results& results) const;
    Copying copy_of(std::size_t output) const;
    Criteria criteria(const Copying& copy, std::size_t output, const Check& check) const;

    const Operator& definition_;
    const Implementation& reference_;
    const Accuracy& accuracy_;
    KernelRunner runner_;
    std::optional<Check> prepared_;  ///< what the rest is of: another side's outputs are judged by it too
    Results expected_;
    std::optional<Results> own_;             ///< in the case's dtype, where `expected_` is in float64
    std::vector<std::vector<char>> exempt_;  ///< of each output, where the check's set may overflow
    std::string not_wide_;                   ///< why it does not run in float64
};

/// Small checks can afford to keep nearly any two elements apart.
int VariantYardstick::pairs_of_halves(const Check& check) const {
    for (std::size_t i = 0; i < definition_.outputs.size(); ++i) {
        if (elements_in(check, i) > most_small_elements) return 3;
    }
    return 8;
}

std::size_t VariantYardstick::elements_in(const Check& check, std::size_t output) const {
    return static_cast<std::size_t>(element_count(definition_.outputs[output], check.binding.sizes).value());
}

/// Kernels are written for their dtypes; a function of PyTorch takes what its tensors hold.
bool VariantYardstick::can_be_wide(const Case& binding) const {
    const Variant& variant = reference_.variant;
    return variant.language == Language::torch && !variant.compile && not_wide_.empty() && !is_integer(binding.dtype) &&
           binding.dtype != DType::f64;
}

/// Which integer a number is rounded to depends on the precision that the function names: that is kept.
bool VariantYardstick::rounds_to_integers(const Case& binding) const {
    return std::ranges::any_of(definition_.outputs,
                               [&](const Tensor& output) { return is_integer(dtype_of(output, binding)); });
}

Outcome VariantYardstick::prepare(const Check& check) {
    if (prepared_ == check) return {};
    prepared_.reset();
    own_.reset();
    exempt_.clear();
    Outcome outcome;
    bool is_wide = can_be_wide(check.binding);
    if (is_wide) {
        outcome = run_both(check);
        is_wide = outcome.ok() || outcome.status == Status::cancelled;
        // Too large a case says nothing of the others.
        if (!is_wide && outcome.status != Status::over_limit) not_wide_ = outcome.reason;
    }
    if (!is_wide) {
        exempt_.clear();
        own_.reset();
        outcome = run_in(check.binding.dtype, check, expected_);
        for (std::size_t i = 0; outcome.ok() && may_overflow(check) && i < definition_.outputs.size(); ++i) {
            exempt_.push_back(not_finite(values_of(expected_, definition_, i), elements_in(check, i)));
        }
    }
    if (outcome.ok()) prepared_ = check;
    if (outcome.ok() || outcome.status == Status::cancelled) return outcome;
    return {Status::unavailable, "the reference `" + reference_.variant.name + "` did not run: " + outcome.reason};
}

/// In float64, kept, then in the case's dtype, left in the arena.
Outcome VariantYardstick::run_both(const Check& check) {
    if (Outcome outcome = run_wide(check, expected_); !outcome.ok()) return outcome;
    std::vector<OverflowMarks> marks = new_marks(check);
    probe(check, marks);
    if (Outcome outcome = run_in(check.binding.dtype, check, own_.emplace()); !outcome.ok()) return outcome;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        marks[i].add_own(values_of(*own_, definition_, i));
        exempt_.push_back(marks[i].exempt());
    }
    return {};
}

std::vector<OverflowMarks> VariantYardstick::new_marks(const Check& check) const {
    std::vector<OverflowMarks> marks;
    for (std::size_t i = 0; may_overflow(check) && i < definition_.outputs.size(); ++i) {
        marks.emplace_back(dtype_of(definition_.outputs[i], check.binding), elements_in(check, i));
        marks.back().set_check(values_of(expected_, definition_, i));
    }
    return marks;
}

/// Finds where a right kernel may overflow that adds in another order, or squares before it subtracts. A reference that
/// does not take a probe's inputs is judged by what the other probes tell.
void VariantYardstick::probe(const Check& check, std::vector<OverflowMarks>& marks) {
    if (marks.empty()) return;
    for (const InputSet set : overflow_probes(check.set)) probe_set(check, set, marks);
    probe_halves(check, marks);
    probe_scales(check, marks);
    probe_negated(check, marks);
    probe_unrelated(check, marks);
}

void VariantYardstick::probe_set(const Check& check, InputSet set, std::vector<OverflowMarks>& marks) {
    Check other = check;
    other.set = set;
    Results wide, own;
    if (!run_wide(other, wide).ok()) return;
    if (!run_in(check.binding.dtype, other, own).ok()) return;
    const auto add = set == InputSet::large_magnified ? &OverflowMarks::add_magnified : &OverflowMarks::add_magnitudes;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        (marks[i].*add)(values_of(wide, definition_, i), values_of(own, definition_, i));
    }
}

/// Zeros for one half of the inputs' elements, then for the other. The parity of some bits of its index says which half
/// an element is in: of two elements, half of all pairs of halves keep them apart.
void VariantYardstick::probe_halves(const Check& check, std::vector<OverflowMarks>& marks) {
    for (int pair = 0; pair < pairs_of_halves(check); ++pair) {
        const std::uint64_t bits = pair == 0 ? 1 : 0x9e3779b97f4a7c15ull * static_cast<std::uint64_t>(pair) >> 24;
        const auto half = [bits](int kept) {
            return [=](std::size_t, std::int64_t index, double value) {
                return std::popcount(static_cast<std::uint64_t>(index) & bits) % 2 == kept ? value : 0;
            };
        };
        Results one, other;
        if (!run_wide(check, one, half(0)).ok()) continue;
        if (!run_in(DType::f64, check, other, half(1)).ok()) continue;
        for (std::size_t i = 0; i < marks.size(); ++i) {
            marks[i].add_halves(values_of(one, definition_, i), values_of(other, definition_, i));
        }
    }
}

/// Each input in turn divided by about the square root of the largest number, and as zeros.
void VariantYardstick::probe_scales(const Check& check, std::vector<OverflowMarks>& marks) {
    for (std::size_t scaled = 0; scaled < definition_.inputs.size(); ++scaled) {
        const Tensor& tensor = definition_.inputs[scaled];
        const DType dtype = dtype_of(tensor, check.binding);
        if (is_integer(dtype) || tensor.domain) continue;
        const auto times = [scaled](double factor) {
            return
                [=](std::size_t input, std::int64_t, double value) { return input == scaled ? value * factor : value; };
        };
        Results zeroed, smaller;
        if (!run_wide(check, zeroed, times(0)).ok()) continue;
        const double factor = std::ldexp(1.0, -(std::ilogb(largest_finite(dtype)) + 1) / 2);
        if (!run_in(DType::f64, check, smaller, times(factor)).ok()) continue;
        for (std::size_t i = 0; i < marks.size(); ++i) {
            marks[i].add_scaled(values_of(smaller, definition_, i), values_of(zeroed, definition_, i));
        }
    }
}

void VariantYardstick::probe_negated(const Check& check, std::vector<OverflowMarks>& marks) {
    if (std::ranges::any_of(definition_.inputs, [](const Tensor& input) { return input.domain.has_value(); })) return;
    Results results;
    if (!run_in(DType::f64, check, results, [](std::size_t, std::int64_t, double value) { return -value; }).ok())
        return;
    for (std::size_t i = 0; i < marks.size(); ++i) marks[i].add_negated(values_of(results, definition_, i));
}

void VariantYardstick::probe_unrelated(const Check& check, std::vector<OverflowMarks>& marks) {
    Check other = check;
    other.set = InputSet::normal;
    other.seed = check.seed + 1;  // `mixed` is normal in half of its places
    Results results;
    if (!run_in(DType::f64, other, results).ok()) return;
    for (std::size_t i = 0; i < marks.size(); ++i) marks[i].add_unrelated(values_of(results, definition_, i));
}

Outcome VariantYardstick::run_wide(const Check& check, Results& results, const InputEdit& edit) {
    Outcome outcome = run_in(DType::f64, check, results, edit);
    if (outcome.ok()) keep(results);
    return outcome;
}

Outcome VariantYardstick::run_in(DType dtype, const Check& check, Results& results, const InputEdit& edit) {
    results.binding = check.binding;
    results.binding.dtype = dtype;
    const Result<Call> call = make_call(definition_, reference_, results.binding);
    if (!call) return {Status::unavailable, call.error().message};
    const Layout layout = lay_out(*call);
    if (dtype != check.binding.dtype && layout.total > most_wide_bytes) {
        return {Status::over_limit, "its tensors would take " + with_si_prefix(static_cast<double>(layout.total), "B")};
    }
    const DType built = check.binding.dtype;  // the same text for every dtype where another one is run
    const bool in_float64 = dtype != check.binding.dtype && !rounds_to_integers(check.binding);
    if (Outcome prepared = runner_.prepare(*call, built, layout.total, in_float64); !prepared.ok()) return prepared;
    std::vector<DType> given;
    for (const Tensor& input : definition_.inputs) given.push_back(dtype_of(input, check.binding));
    fill_guards(layout, runner_.arena());
    fill_inputs_as(given, *call, layout, runner_.arena(), check.set, check.seed);
    vary_inputs(given, *call, layout, runner_.arena(), check.set, check.variation);
    if (edit) edit_inputs(*call, layout, runner_.arena(), edit);
    poison_outputs(layout, runner_.arena(), 0xff);
    const Outcome outcome = runner_.run(*call, layout);
    results.outputs.clear();
    results.copies.clear();
    for (const Region& output : layout.outputs) results.outputs.push_back(runner_.arena() + output.offset);
    return outcome;
}

void VariantYardstick::keep(Results& results) const {
    for (std::size_t i = 0; i < results.outputs.size(); ++i) {
        const auto bytes =
            static_cast<std::size_t>(element_count(definition_.outputs[i], results.binding.sizes).value()) *
            size_of(dtype_of(definition_.outputs[i], results.binding));
        results.copies.emplace_back(results.outputs[i], results.outputs[i] + bytes);
        results.outputs[i] = results.copies.back().data();
    }
}

Copying VariantYardstick::copy_of(std::size_t output) const {
    return copying(definition_, definition_.outputs[output], own_ ? DType::f32 : DType::f64);
}

Criteria VariantYardstick::criteria(const Copying& copy, std::size_t output, const Check& check) const {
    Criteria criteria{copy.definition, copy.body, check.binding, accuracy_,
                      elements_of(expected_, definition_, output)};
    if (own_) criteria.own_inputs = elements_of(*own_, definition_, output);
    if (!exempt_.empty()) criteria.exempt = exempt_[output];
    return criteria;
}

CaseAccuracy VariantYardstick::judge(const Check& check, const Call&, const Layout& layout, const std::byte* arena,
                                     std::stop_token stop, const Part&) {
    CaseAccuracy judged;
    judged.binding = check.binding;
    judged.set = check.set;
    judged.seed = check.seed;
    if (Outcome outcome = prepare(check); !outcome.ok()) {
        judged.status = outcome.status;
        judged.reason = std::move(outcome.reason);
        return judged;
    }
    for (std::size_t i = 0; i < definition_.outputs.size(); ++i) {
        const Copying copy = copy_of(i);
        const std::byte* const output = arena + layout.outputs[i].offset;
        merge(judged, kernelgen::judge(criteria(copy, i, check), std::span(&output, 1), stop));
    }
    if (judged.status == Status::mismatch) judged.reason = with_inputs(judged.reason, check.set, check.seed);
    return judged;
}

std::optional<std::string> VariantYardstick::too_loose(const Check& check) {
    for (std::size_t i = 0; i < definition_.outputs.size(); ++i) {
        const Copying copy = copy_of(i);
        if (auto reason = kernelgen::too_loose(criteria(copy, i, check))) return reason;
    }
    return std::nullopt;
}

void VariantYardstick::dump_expected(const Check& check, const std::string& folder) {
    for (std::size_t i = 0; i < definition_.outputs.size(); ++i) {
        const Tensor& output = definition_.outputs[i];
        NpyWriter file(expected_path(folder, output.name), dtype_of(output, expected_.binding),
                       extents(output, check.binding.sizes));
        file.append(expected_.outputs[i], *element_count(output, check.binding.sizes));
    }
}

std::string VariantYardstick::note() const {
    if (not_wide_.empty()) return "";
    return std::format(sentences::reference_in_case_dtype, reference_.variant.name, not_wide_);
}

}  // namespace

std::unique_ptr<Yardstick> variant_yardstick(const Operator& definition, const Implementation& reference,
                                             const Accuracy& accuracy, KernelRunner runner) {
    return std::make_unique<VariantYardstick>(definition, reference, accuracy, std::move(runner));
}

}  // namespace kernelgen
