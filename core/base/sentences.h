// SPDX-License-Identifier: Apache-2.0
// The most frequent reasons and warnings of the engine, as formats; those of what a kernel did are in
// verdict_sentences.h. Their names are ids in records. The wording may change. The name, and the number and meaning of
// the placeholders, may not (core/said/said.h, core/said/said_in_place.def).
#pragma once

#include <string_view>

namespace kernelgen::sentences {

// Where it happened
inline constexpr std::string_view of_case = "case `{}`: {}";
inline constexpr std::string_view of_baseline = "baseline `{}`: {}";
inline constexpr std::string_view while_timing = "while timing: {}";
inline constexpr std::string_view with_inputs = "{} (inputs `{}`, seed {})";
inline constexpr std::string_view did_you_mean = "did you mean `{}`?";

// What is not there
inline constexpr std::string_view no_device = "no device `{}` here; `kernelgen devices` lists them";
inline constexpr std::string_view builds_only =
    "`{}` is a device model: kernels are built for it, not run; run on a device that `kernelgen devices` shows "
    "available";
inline constexpr std::string_view no_baseline =
    "verified, but the project names no baseline for `{}`: set performance.baseline, or give --baseline";
inline constexpr std::string_view baseline_failed =
    "baseline `{}`: {}; nothing was timed. Choose another with --baseline or in performance.baseline";
inline constexpr std::string_view reference_says_nothing =
    "the reference says nothing: no element of `{}` is finite, so nothing can be judged. Give the inputs a `domain` in "
    "which the operator is defined, such as \"positive\"";
inline constexpr std::string_view constant_reference =
    "the reference says nothing: it is the same for all {} sets of inputs, so that a kernel need not compute anything. "
    "Choose a case or an operator whose result depends on its inputs";
inline constexpr std::string_view variations_left_out =
    "{} variations of the inputs were left out: the reference is not defined there";
inline constexpr std::string_view inputs_linked =
    "{}: `linked` of the definition says that these belong together, so they vary from seed to seed only, not in sign, "
    "scale, zeros, NaN and infinities";
inline constexpr std::string_view inputs_constant =
    "{}: these have the same values for all seeds, so a kernel may be right for these values only";
inline constexpr std::string_view by_own_tolerance =
    "right by the project's own tolerance only; under the default one {}: a precision narrower than the dtype's makes "
    "such errors";
inline constexpr std::string_view not_observed = "what a call does was not looked at: {}";
inline constexpr std::string_view sizes_not_taken =
    "left out {} of the awkward sizes: the definition does not take them, the first: {}";
inline constexpr std::string_view only_own_sizes = "only right at its own sizes: {} with {}";
inline constexpr std::string_view other_sizes_right = "right at {} other sizes too, the first: {}";
inline constexpr std::string_view converts_first =
    "it converts to float32 first, since in the case's dtype its roundings add up to more than is allowed; eager "
    "PyTorch "
    "is slow so, and a speedup over it flatters: compare with torch.compile too";
inline constexpr std::string_view no_ceilings = "no ceilings: {}";
inline constexpr std::string_view unknown_primitive = "oneDNN has no primitive `{}` that this program knows";
inline constexpr std::string_view primitive_refused = "oneDNN's `{}`: {}";
inline constexpr std::string_view not_implemented = "not implemented for this dtype or shape on this processor";
inline constexpr std::string_view dtype_refused = "oneDNN's primitives do not take {}";
inline constexpr std::string_view no_counters = "this (virtual) machine shows no cache counters";
inline constexpr std::string_view counters_forbidden =
    "the system does not permit cache counters (see /proc/sys/kernel/perf_event_paranoid)";
inline constexpr std::string_view counters_declined = "left out by --no-counters";

// How a variant was chosen
inline constexpr std::string_view dispatched = "the dispatch rule `{}` sends case `{}` to `{}`";

// What casts doubt on a result
inline constexpr std::string_view spread = "`{}`: RSD {:.1f} % over {} samples, {} outliers";
inline constexpr std::string_view grown_memory = "memory grew by {} over {} timed calls";
inline constexpr std::string_view timed_apart =
    "timed without the other variants, since the timing of all at once failed: {}; compare it with the baseline only";
inline constexpr std::string_view clock_fell =
    "{} pairs of samples were taken again because the device's clock had fallen below three quarters of its highest";
inline constexpr std::string_view edge_deviation = "deviates on edge values `{}` ({}): {}: {}";
inline constexpr std::string_view sizes_left_out =
    "left out {} of the awkward sizes of {}: no small multiple satisfies the constraints and restrictions";
inline constexpr std::string_view sizes_not_interpreted =
    "left out {} of the awkward sizes of {}: Triton's interpreter would take minutes for so many rows";
inline constexpr std::string_view variations_not_interpreted =
    "left out variations of the inputs: Triton's interpreter would take minutes for so many rows";
inline constexpr std::string_view case_not_interpreted =
    "not run, since Triton's interpreter is slow and a smaller case fails already";
inline constexpr std::string_view reference_in_case_dtype =
    "the reference `{}` judged in the case's dtype, for it did not run in float64: {}";
inline constexpr std::string_view above_ceiling =
    "it would move {:.1f} GB/s, and the device moves at most {:.1f}: it leaves out work that the definition asks for, "
    "or its time is wrong";
inline constexpr std::string_view ceilings_kept_briefly =
    "the device's ceilings were measured while other programs used it; they are kept for ten minutes, and then "
    "measured "
    "again";
inline constexpr std::string_view ceilings_not_quiet =
    "a result is above the device's ceilings, which cannot be measured again while other programs use it; run again "
    "when the machine is quiet";
inline constexpr std::string_view ceilings_in_doubt =
    "a result is above the device's ceilings, which could not be measured again, so it is in doubt: {}";
inline constexpr std::string_view ceilings_again =
    "the device's ceilings were measured again, for a result was above them";

}  // namespace kernelgen::sentences
