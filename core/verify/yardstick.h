// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>

#include "core/base/said.h"
#include "core/lang/body.h"
#include "core/verify/buffers.h"
#include "core/verify/element_record.h"
#include "core/verify/kernel_runner.h"
#include "core/verify/reference_cache.h"
#include "core/verify/variation.h"

namespace kernelgen {

/// One set of inputs of one case.
struct Check {
    Case binding;
    InputSet set = InputSet::normal;
    std::uint64_t seed = 1;
    bool own_case = false;
    bool guarded = false;  ///< with two more runs at unreadable pages, where the device has them
    Variation variation = {};
    bool is_judged_once = false;  ///< these inputs are not used again: do not keep their reference

    bool operator==(const Check&) const = default;
};

/// The part of a check that is judged again: these stretches of a body's outputs, with the scales of the whole outputs.
struct Part {
    std::vector<std::int64_t> stretches;
    std::vector<double> scales;
    std::span<ElementRecord> records = {};  ///< of each output, to be filled (element_record.h); empty: not wanted
};

class ReferenceRunner;

/// The source of the inputs and of the expected outputs: the definition's body, another variant, or a Python file.
class Yardstick {
public:
    virtual ~Yardstick() = default;

    /// Makes the inputs of a set and seed; by default as `fill_inputs` of buffers.h. Errors: the definition's code
    /// failed.
    virtual Outcome make_inputs(const Call& call, const Layout& layout, std::byte* arena, InputSet set,
                                std::uint64_t seed);
    /// Whether the inputs are unchanged since `make_inputs`; inputs that a call may change are not compared.
    virtual bool inputs_unchanged(const Call& call, const Layout& layout, const std::byte* arena, InputSet set,
                                  std::uint64_t seed);
    /// Writes elements of an input as `make_inputs` makes them of another seed, in the span's set.
    virtual void write_span(const Call& call, const InputSpan& span, std::uint64_t seed, std::byte* destination);
    /// Whether the operator is defined on these inputs. If not, the check is skipped.
    virtual bool applies(const Check&) { return true; }

    /// The body that judges, or null.
    virtual const Body* body() const { return nullptr; }
    /// Builds and starts everything that judging such a check needs, so that `judge` takes no lock later. Errors: those
    /// of the reference's run.
    virtual Outcome prepare(const Check&) { return {}; }
    /// Judges the outputs in `arena`; `unavailable` where there is no reference. With a body, only `part` is judged
    /// where it has stretches.
    virtual CaseAccuracy judge(const Check& check, const Call& call, const Layout& layout, const std::byte* arena,
                               std::stop_token stop, const Part& part = {}) = 0;
    /// Whether the outputs in `arena` are right at first sight (plainly_right.h). False says nothing.
    virtual bool is_plainly_right(const Check&, const Call&, const Layout&, const std::byte*, std::stop_token) {
        return false;
    }
    /// As too_loose of judge.h, for the check that was judged last.
    virtual std::optional<Said> too_loose(const Check& check) = 0;
    /// Where the project has tolerances of its own: what is wrong with the outputs in `arena`, which were judged last,
    /// under the default ones; nothing where they are right there too.
    virtual std::optional<Said> wrong_by_default(const Check&, const Layout&, const std::byte*, std::stop_token) {
        return std::nullopt;
    }
    /// Writes the expected outputs of the check that was judged last to `<output>.expected.npy` in `folder`.
    virtual void dump_expected(const Check& check, const std::string& folder) = 0;
    /// A sentence for the user on how outputs were judged; "" for none.
    virtual Said note() const { return ""; }
};

/// The path to which dump_expected writes an output.
std::filesystem::path expected_path(const std::string& folder, const std::string& output);

/// What is to be judged, and how strictly. All that it refers to must outlive the yardstick.
struct YardstickRequest {
    const Operator& definition;
    const Accuracy& accuracy;
    const std::optional<Implementation>& reference;  ///< of a family without a body: the variant that judges
    std::string device;
    double timeout_seconds = 30;
    ReferenceCache* references = nullptr;  ///< what is known of a body's results; null: nothing is remembered
};

/// The definition's body, the variant that is its reference, or the Python file that defines it (of which the case is
/// known: callable_case.h). Errors: a body that is wrong, no reference.
Outcome make_yardstick(const YardstickRequest& request, Backend& backend, const Progress& progress,
                       std::stop_token stop, std::unique_ptr<Yardstick>& made);

/// Families `custom` and `callable`: outputs are compared with those of a reference in an executor of its own. A
/// function of PyTorch runs in float64 on the case's inputs, and again in the case's dtype for what that arithmetic may
/// cost; where it does not run in float64, and in other languages, it is the judge in the case's dtype, within the
/// tolerance alone. All arguments must outlive it.
std::unique_ptr<Yardstick> variant_yardstick(const Operator& definition, const Implementation& reference,
                                             const Accuracy& accuracy, std::unique_ptr<ReferenceRunner> runner);

}  // namespace kernelgen
