// SPDX-License-Identifier: Apache-2.0
// What a kernel did, as formats: see sentences.h.
#pragma once

#include <string_view>

namespace kernelgen::sentences {

inline constexpr std::string_view mismatch =
    "{} of {} elements of `{}` are not {} of the reference; the first at [{}]: expected {}, got {}";
inline constexpr std::string_view within_tolerance = "within rtol {:.3g} and atol {:.3g} × {:.3g}";
inline constexpr std::string_view unwritten = "{} elements of `{}` were not written, the first at {}";
inline constexpr std::string_view runs_differ =
    "two runs on the same inputs differ in {} elements of `{}`, the first at {}; a data race, or the variant needs "
    "`\"deterministic\": false`";
inline constexpr std::string_view input_modified =
    "the kernel wrote into an input; inputs are read only, use `workspace` for scratch";
inline constexpr std::string_view argument_modified =
    "it wrote into an argument that the reference leaves as it is; work on a copy, or name the argument in the "
    "definition's `mutates` if both are meant to change it";
inline constexpr std::string_view wrong_when_timed =
    "the outputs of a timed call of `{}` are wrong, though it was right when verified: {}";
inline constexpr std::string_view skipped_when_timed =
    "a timed call of `{}` left other outputs than the same inputs give when its outputs are judged: it skips work, or "
    "uses what it remembers of earlier calls";
inline constexpr std::string_view remembers_inputs =
    "`{}` takes {} on inputs that it has not seen and {} on others: it remembers results of earlier calls";
inline constexpr std::string_view faster_on_known_inputs =
    "on inputs that come again calls take less time, as what branches on its inputs does on a CPU: only calls on new "
    "inputs "
    "count";
inline constexpr std::string_view timed_runs_differ =
    "two timed calls of `{}` on the same inputs left different outputs; a data race, or the variant needs "
    "`\"deterministic\": false`";
inline constexpr std::string_view changed_after_call =
    "the outputs of a timed call of `{}` changed after the call had ended: it leaves work behind";
inline constexpr std::string_view clocks_differ =
    "the times that the kernel's process told are not those of the worker's own clock; nothing was recorded. A kernel "
    "must not change its process's clock or memory; on a machine that is very busy, try again";
inline constexpr std::string_view clock_unknown =
    "the worker's own clock could not check these times, and the interval allows for what could be hidden: other "
    "programs took the processors, or too few batches were long enough. Measure on a quiet machine, or give a longer "
    "time budget";
inline constexpr std::string_view runs_when_idle =
    "threads or processes that kernels started ran for {:.0f} % of the time in which nobody called a kernel: they slow "
    "the others down or compute ahead. What a kernel starts must rest when its call has ended";
inline constexpr std::string_view baseline_slowed =
    "the baseline `{}` takes {} beside the candidate, and {} in a process of its own: what the candidate leaves in the "
    "process slows the baseline down";
inline constexpr std::string_view threads_changed =
    "the priority or scheduling policy of the threads that call kernels was changed while timing; a kernel "
    "must leave them as they are";
inline constexpr std::string_view baseline_held_back =
    "the baseline's process got another priority, or fewer CPUs to run on, while timing; a kernel must leave other "
    "processes as they are";
inline constexpr std::string_view kernel_holds_lock =
    "{}, which a kernel started, holds the lock of the device, for which all timings wait; a kernel must not lock "
    "files "
    "of KernelGen";
inline constexpr std::string_view timed_out = "no answer within {}; the limit is set by --timeout";
inline constexpr std::string_view timed_out_compiling =
    "no answer within {}: {} by --timeout, and the rest for what compiles when it is first called";
inline constexpr std::string_view trial_timed_out =
    "executing the file and calling it once did not end within {}; --timeout gives it longer";
inline constexpr std::string_view crashed = "the kernel's process {} during the call";
inline constexpr std::string_view crashed_at = "the kernel's process {} during the call, at {}";
inline constexpr std::string_view killed =
    "the kernel's process was ended by SIGKILL during the call, as the system does where memory runs out: try smaller "
    "sizes, or end what else takes memory";
inline constexpr std::string_view no_reply =
    "the kernel's process gave an answer that cannot be ({}): a kernel may write only into its outputs and its "
    "workspace, never into other memory of its process";
inline constexpr std::string_view executor_failed =
    "the kernel's process could not do what it was asked for: its memory may be damaged by the kernel, or this is a "
    "fault of KernelGen";
inline constexpr std::string_view too_few_addresses =
    "this case needs {} of addresses, and {} can be kept for it: raise `ulimit -v`, or try smaller sizes";
inline constexpr std::string_view file_too_large =
    "the kernel's process was ended because it wrote a file beyond the limit of 1 GiB";
inline constexpr std::string_view too_many_processes =
    "the kernel's process and all that it started were ended because there were more than 512 processes";
inline constexpr std::string_view compiler_killed =
    "the compiler was ended by {}, as the system does where memory runs out: make the source smaller, or end what else "
    "takes memory";
inline constexpr std::string_view compiler_ended =
    "the compiler was ended by {}, as when a cluster's job, a session or the machine is ended: build again";
inline constexpr std::string_view too_little_memory =
    "this case needs {} of memory more, and {} are free: try smaller sizes, or end what else takes memory";

}  // namespace kernelgen::sentences
