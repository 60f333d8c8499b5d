// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <format>

#include "core/base/sentences.h"
#include "core/verify/judge.h"
#include "core/verify/npy.h"
#include "core/verify/overflow_search.h"
#include "core/verify/reference_run.h"
#include "core/verify/yardstick.h"

namespace kernelgen {
namespace {

constexpr std::size_t most_doubted_elements = std::size_t{1} << 27;  ///< of all tensors

/// Runs with noise. A row of one element has no others, of which one would err as far as it may.
constexpr int most_noises = 8;

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

/// The mean of two means, of which `b` has this share; either may be infinite.
double mean_of(double a, double b, double share) {
    if (share <= 0) return a;
    return share >= 1 ? b : (1 - share) * a + share * b;
}

/// Adds the findings of another output. Quantiles and the divergence of both together are not known; the larger is
/// kept.
void merge(CaseAccuracy& all, CaseAccuracy&& more) {
    ErrorMetrics& a = all.metrics;
    const ErrorMetrics& b = more.metrics;
    const double total = static_cast<double>(std::max<std::int64_t>(1, a.elements + b.elements));
    const double share = static_cast<double>(b.elements) / total;
    a.mean_absolute = mean_of(a.mean_absolute, b.mean_absolute, share);
    a.mean_relative = mean_of(a.mean_relative, b.mean_relative, share);
    a.clip_ratio = mean_of(a.clip_ratio, b.clip_ratio, share);
    for (const auto member :
         {&ErrorMetrics::elements, &ErrorMetrics::mismatches, &ErrorMetrics::excluded, &ErrorMetrics::exact}) {
        a.*member += b.*member;
    }
    for (const auto member : {&ErrorMetrics::max_absolute, &ErrorMetrics::max_relative, &ErrorMetrics::p50_absolute,
                              &ErrorMetrics::p90_absolute, &ErrorMetrics::p99_absolute, &ErrorMetrics::kl_divergence}) {
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

/// Whether `more` tells more of what `exact` may cost than `known`: NaN where that is a number or the other way, not
/// finite where that is finite, or farther from it.
bool is_farther(double known, double more, double exact) {
    if (std::isnan(known) != std::isnan(exact)) return false;
    if (std::isnan(more) != std::isnan(exact)) return true;
    if (!std::isfinite(exact) || !std::isfinite(known)) return false;
    return !std::isfinite(more) || std::abs(more - exact) > std::abs(known - exact);
}

/// Marks elements of an output that are 0 only by cancellation: with errors they become other numbers.
void exempt_cancelled(StoredValues expected, StoredValues own, std::vector<char>& exempt) {
    if (is_integer(expected.dtype)) return;
    const auto mark = [&](std::size_t element, double exact, double known) {
        if (exact == 0 && known != 0) exempt[element] = 1;
    };
    for_each_element(exempt.size(), mark, expected, own);
}

/// Changes inputs by half a unit of f32: up and down in turns of one element, then of two, then either way at random.
InputEdit nudged(int noise) {
    return [noise](std::size_t input, std::int64_t index, double value) {
        const auto bits = static_cast<std::uint64_t>(index);
        const std::uint64_t mixed = (bits ^ input << 56 ^ bits >> 15) * 0x9e3779b97f4a7c15ull;
        const bool up = noise < 3 ? (bits >> (noise - 1)) % 2 == 0 : (mixed >> (32 + noise)) % 2 == 0;
        return value * (1 + (up ? half_ulp(DType::f32) : -half_ulp(DType::f32)));
    };
}

/// Makes each element of `own` that of `other` where that is farther from `expected`.
void take_farther(Results& own, const Results& other, const Results& expected, const Operator& definition) {
    for (std::size_t i = 0; i < definition.outputs.size(); ++i) {
        const StoredValues kept = values_of(own, definition, i);
        std::byte* const place = own.copies[i].data();
        const auto farther = [&](std::size_t element, double known, double more, double exact) {
            if (!is_farther(known, more, exact)) return;
            encode(kept.dtype, std::span(&more, 1), place + element * size_of(kept.dtype));
        };
        for_each_element(own.copies[i].size() / size_of(kept.dtype), farther, kept, values_of(other, definition, i),
                         values_of(expected, definition, i));
    }
}

class VariantYardstick final : public Yardstick {
public:
    VariantYardstick(const Operator& definition, const Implementation& reference, const Accuracy& accuracy,
                     std::unique_ptr<ReferenceRunner> runner)
        : definition_(definition), reference_(reference), accuracy_(accuracy), runner_(std::move(runner)) {}

    Outcome prepare(const Check& check) override;
    CaseAccuracy judge(const Check& check, const Call& call, const Layout& layout, const std::byte* arena,
                       std::stop_token stop, const Part& part) override;
    std::optional<Said> too_loose(const Check& check) override;
    std::optional<Said> wrong_by_default(const Check& check, const Layout& layout, const std::byte* arena,
                                         std::stop_token stop) override;
    void dump_expected(const Check& check, const std::string& folder) override;
    Said note() const override;

private:
    bool can_be_wide(const Case& binding) const;
    Outcome run_both(const Check& check);
    CaseAccuracy judge_prepared(const Check& check, const Layout& layout, const std::byte* arena, std::stop_token stop,
                                const Accuracy& accuracy, std::span<ElementRecord> records);
    CaseAccuracy judge_by(const Accuracy& accuracy, const Check& check, const Layout& layout, const std::byte* arena,
                          std::stop_token stop, std::span<ElementRecord> records = {});
    bool can_be_doubted(const Check& check) const;
    void doubt(const Check& check);
    Copying copy_of(std::size_t output) const;
    Criteria criteria(const Copying& copy, std::size_t output, const Check& check, const Accuracy& accuracy) const;

    const Operator& definition_;
    const Implementation& reference_;
    const Accuracy& accuracy_;
    std::unique_ptr<ReferenceRunner> runner_;
    std::optional<Check> prepared_;  ///< what the rest is of: another side's outputs are judged by it too
    Results expected_;
    std::optional<Results> own_;       ///< in the case's dtype, where `expected_` is in float64
    std::vector<Results> also_right_;  ///< what else outputs may be, once `expected_` is doubted
    bool is_doubted_ = false;
    std::vector<std::vector<char>> exempt_;  ///< of each output, where the check's set may overflow
    std::string not_wide_;                   ///< why it does not run in float64
};

/// Kernels are written for their dtypes; a function of PyTorch takes what its tensors hold.
bool VariantYardstick::can_be_wide(const Case& binding) const {
    const Variant& variant = reference_.variant;
    return variant.language == Language::torch && !variant.compile && not_wide_.empty() && !is_integer(binding.dtype) &&
           binding.dtype != DType::f64;
}

Outcome VariantYardstick::prepare(const Check& check) {
    if (prepared_ == check) return {};
    prepared_.reset();
    own_.reset();
    also_right_.clear();
    is_doubted_ = false;
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
        outcome = runner_->run_in(check.binding.dtype, check, expected_);
        for (std::size_t i = 0; outcome.ok() && may_overflow(check) && i < definition_.outputs.size(); ++i) {
            exempt_.push_back(
                not_finite(values_of(expected_, definition_, i), elements_in(check, definition_.outputs[i])));
        }
    }
    if (outcome.ok()) prepared_ = check;
    if (outcome.ok() || outcome.status == Status::cancelled) return outcome;
    return {Status::unavailable, say("the reference `{}` did not run: {}", reference_.variant.name, outcome.reason)};
}

/// Runs the reference in float64, whose results are kept, then in the case's dtype, whose results stay in the arena.
Outcome VariantYardstick::run_both(const Check& check) {
    if (Outcome outcome = runner_->run_wide(check, expected_); !outcome.ok()) return outcome;
    std::vector<OverflowMarks> marks = OverflowSearch(definition_, check, *runner_).marks(expected_);
    if (Outcome outcome = runner_->run_in(check.binding.dtype, check, own_.emplace()); !outcome.ok()) return outcome;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        marks[i].add_own(values_of(*own_, definition_, i));
        exempt_.push_back(marks[i].exempt());
    }
    return {};
}

Copying VariantYardstick::copy_of(std::size_t output) const {
    return copying(definition_, definition_.outputs[output], own_ ? DType::f32 : DType::f64);
}

Criteria VariantYardstick::criteria(const Copying& copy, std::size_t output, const Check& check,
                                    const Accuracy& accuracy) const {
    Criteria criteria{copy.definition, copy.body, check.binding, accuracy, elements_of(expected_, definition_, output)};
    if (own_) criteria.own_inputs = elements_of(*own_, definition_, output);
    for (const Results& each : also_right_) criteria.also_right.push_back(elements_of(each, definition_, output));
    if (!exempt_.empty()) criteria.exempt = exempt_[output];
    return criteria;
}

CaseAccuracy VariantYardstick::judge(const Check& check, const Call&, const Layout& layout, const std::byte* arena,
                                     std::stop_token stop, const Part& part) {
    CaseAccuracy judged;
    judged.binding = check.binding;
    judged.set = check.set;
    judged.seed = check.seed;
    if (Outcome outcome = prepare(check); !outcome.ok()) {
        judged.status = outcome.status;
        judged.reason = std::move(outcome.reason);
        return judged;
    }
    judged = judge_by(accuracy_, check, layout, arena, stop, part.records);
    if (judged.status == Status::mismatch) judged.reason = with_inputs(judged.reason, check.set, check.seed);
    return judged;
}

CaseAccuracy VariantYardstick::judge_by(const Accuracy& accuracy, const Check& check, const Layout& layout,
                                        const std::byte* arena, std::stop_token stop,
                                        std::span<ElementRecord> records) {
    CaseAccuracy judged = judge_prepared(check, layout, arena, stop, accuracy, records);
    if (judged.status != Status::mismatch || !own_ || is_doubted_) return judged;
    doubt(check);
    return judge_prepared(check, layout, arena, stop, accuracy, records);
}

std::optional<Said> VariantYardstick::wrong_by_default(const Check& check, const Layout& layout, const std::byte* arena,
                                                       std::stop_token stop) {
    if (accuracy_ == Accuracy{}) return std::nullopt;
    const CaseAccuracy judged = judge_by({}, check, layout, arena, std::move(stop));
    return judged.status == Status::mismatch ? std::optional(judged.reason) : std::nullopt;
}

CaseAccuracy VariantYardstick::judge_prepared(const Check& check, const Layout& layout, const std::byte* arena,
                                              std::stop_token stop, const Accuracy& accuracy,
                                              std::span<ElementRecord> records) {
    CaseAccuracy judged;
    judged.binding = check.binding;
    judged.set = check.set;
    judged.seed = check.seed;
    for (std::size_t i = 0; i < definition_.outputs.size(); ++i) {
        const Copying copy = copy_of(i);
        const std::byte* const output = arena + layout.outputs[i].offset;
        Criteria chosen = criteria(copy, i, check, accuracy);
        if (!records.empty()) chosen.records = records.subspan(i, 1);
        merge(judged, kernelgen::judge(chosen, std::span(&output, 1), stop));
    }
    return judged;
}

/// Whether there is memory for doubts: with them, each operation of the reference takes several times the memory that
/// it takes without.
bool VariantYardstick::can_be_doubted(const Check& check) const {
    std::size_t elements = 0;
    for (const auto* tensors : {&definition_.inputs, &definition_.outputs}) {
        for (const Tensor& tensor : *tensors) elements += elements_in(check, tensor);
    }
    return elements <= most_doubted_elements;
}

/// Asks the reference again what other right ways of computing it may cost, before outputs are refused. If a doubt
/// cannot be run, what is known stays.
void VariantYardstick::doubt(const Check& check) {
    is_doubted_ = true;
    if (!can_be_doubted(check)) return;
    if (own_->copies.empty()) runner_->keep(*own_);  // the arena is theirs who run next
    Results as_it_was{own_->binding, own_->outputs, {}};
    runner_->keep(as_it_was);
    also_right_.push_back(std::move(as_it_was));
    for (const int ties : {-1, 1}) {
        Results rounded;
        if (!runner_->run_in(check.binding.dtype, check, rounded, {}, {.ties = ties}).ok()) return;
        runner_->keep(rounded);
        also_right_.push_back(std::move(rounded));
    }
    for (int noise = 1; noise <= most_noises; ++noise) {
        Results noisy;
        const InputEdit edit = may_overflow(check) ? InputEdit() : nudged(noise);
        if (!runner_->run_in(DType::f64, check, noisy, edit, {.noise = noise}).ok()) return;
        take_farther(*own_, noisy, expected_, definition_);
    }
    for (std::size_t i = 0; i < exempt_.size(); ++i) {
        exempt_cancelled(values_of(expected_, definition_, i), values_of(*own_, definition_, i), exempt_[i]);
    }
}

std::optional<Said> VariantYardstick::too_loose(const Check& check) {
    for (std::size_t i = 0; i < definition_.outputs.size(); ++i) {
        const Copying copy = copy_of(i);
        if (auto reason = kernelgen::too_loose(criteria(copy, i, check, accuracy_))) return reason;
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

Said VariantYardstick::note() const {
    if (not_wide_.empty()) return "";
    return say(sentences::reference_in_case_dtype, reference_.variant.name, not_wide_);
}

}  // namespace

std::unique_ptr<Yardstick> variant_yardstick(const Operator& definition, const Implementation& reference,
                                             const Accuracy& accuracy, std::unique_ptr<ReferenceRunner> runner) {
    return std::make_unique<VariantYardstick>(definition, reference, accuracy, std::move(runner));
}

}  // namespace kernelgen
