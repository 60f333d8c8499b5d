// SPDX-License-Identifier: Apache-2.0
#include "core/verify/check.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <format>

#include "core/base/sentences.h"
#include "core/base/verdict_sentences.h"
#include "core/verify/held_bits.h"
#include "core/verify/npy.h"

namespace kernelgen {
namespace {

/// Larger buffers are not copied between unreadable pages. Awkward sizes are smaller, so theirs always are.
constexpr std::size_t most_guarded_bytes = 1ull << 30;

/// Takes `status` where it stands before the accuracy's own in the order of core/base/status.h.
void take(CaseAccuracy& accuracy, Status status, Said reason) {
    if (worst(accuracy.status, status) == accuracy.status) return;
    accuracy.status = status;
    accuracy.reason = std::move(reason);
}

std::string index_text(std::size_t element, std::vector<std::int64_t> extents) {
    for (std::size_t i = extents.size(); i-- > 0;) {
        const auto extent = static_cast<std::size_t>(extents[i]);
        extents[i] = static_cast<std::int64_t>(element % extent);
        element /= extent;
    }
    std::string text;
    for (const std::int64_t i : extents) text += (text.empty() ? "" : ", ") + std::to_string(i);
    return "[" + text + "]";
}

bool holds_only(const std::byte* element, std::size_t size, std::uint8_t byte) {
    return std::all_of(element, element + size, [byte](std::byte b) { return b == static_cast<std::byte>(byte); });
}

/// The elements in which two runs left different bytes.
struct Differences {
    std::size_t first = 0, count = 0;                      ///< elements that differ
    std::size_t first_unwritten = 0, unwritten_count = 0;  ///< that hold the poison of each run
};

Differences differences(const std::byte* first_run, const std::byte* second_run, std::size_t bytes, std::size_t size) {
    constexpr std::size_t block = 1 << 14;
    Differences found;
    for (std::size_t begin = 0; begin < bytes; begin += block) {
        const std::size_t end = std::min(begin + block, bytes);
        if (std::memcmp(first_run + begin, second_run + begin, end - begin) == 0) continue;
        for (std::size_t at = begin; at < end; at += size) {
            if (std::memcmp(first_run + at, second_run + at, size) == 0) continue;
            const bool unwritten =
                holds_only(first_run + at, size, poisons[0]) && holds_only(second_run + at, size, poisons[1]);
            std::size_t& count = unwritten ? found.unwritten_count : found.count;
            if (count++ == 0) (unwritten ? found.first_unwritten : found.first) = at / size;
        }
    }
    return found;
}

/// A folder's name for a check, with characters that file systems take.
std::string folder_name(const Check& check) {
    std::string name = std::format("{}-{}-{}", check.binding.name, to_string(check.set), check.seed);
    std::ranges::replace_if(
        name, [](char c) { return !std::isalnum(static_cast<unsigned char>(c)) && !std::strchr("-_.=", c); }, '_');
    return name;
}

std::size_t output_bytes(const Layout& layout) {
    std::size_t total = 0;
    for (const Region& region : layout.outputs) total += region.bytes;
    return total;
}

}  // namespace

Checker::Checker(const Operator& definition, const Implementation& candidate, KernelRunner& runner,
                 Yardstick& yardstick, std::string dump_folder)
    : definition_(definition),
      candidate_(candidate),
      runner_(runner),
      yardstick_(yardstick),
      dump_folder_(std::move(dump_folder)) {}

CaseAccuracy Checker::run(const Check& check, std::stop_token stop) {
    CaseAccuracy accuracy;
    accuracy.binding = check.binding;
    accuracy.set = check.set;
    accuracy.seed = check.seed;
    accuracy.own_case = check.own_case;
    Result<Call> call = make_call(definition_, candidate_, check.binding);
    if (!call) {
        accuracy.status = Status::launch_failed;
        accuracy.reason = call.error().message;
        return accuracy;
    }
    call_ = std::move(*call);
    layout_ = lay_out(call_);
    Outcome outcome = runner_.prepare(call_, check.binding.dtype, layout_.total + output_bytes(layout_));
    std::string difference;
    if (outcome.ok()) {
        outcome = run_twice(check, difference);
        if (outcome.status != Status::ok) outcome.reason = with_inputs(outcome.reason, check.set, check.seed);
    }
    take(accuracy, outcome.status, outcome.reason);
    if (accuracy.status == Status::ok) {
        accuracy = yardstick_.judge(check, call_, layout_, runner_.arena(), stop);
        accuracy.own_case = check.own_case;
    }
    if (!difference.empty() && candidate_.variant.deterministic) {
        take(accuracy, Status::nondeterministic, with_inputs(difference, check.set, check.seed));
    } else if (!difference.empty() && accuracy.status == Status::ok) {
        // Runs may differ, but each must be right.
        accuracy = yardstick_.judge(check, call_, first_run(), runner_.arena(), stop);
        accuracy.own_case = check.own_case;
    }
    if (accuracy.status == Status::ok && check.own_case && check.set == InputSet::normal) {
        if (auto reason = yardstick_.too_loose(check)) take(accuracy, Status::mismatch, *reason);
    }
    if (accuracy.status == Status::ok && check.own_case && has_file(definition_.family)) {
        if (const auto wrong = yardstick_.wrong_by_default(check, layout_, runner_.arena(), stop))
            accuracy.remark = say(sentences::by_own_tolerance, *wrong);
    }
    if (check.own_case && check.set == InputSet::normal && !accuracy.reference.says_nothing_in.empty()) {
        take(accuracy, Status::unavailable,
             with_inputs(say(sentences::reference_says_nothing, accuracy.reference.says_nothing_in), check.set,
                         check.seed));
    }
    dump(check, accuracy);
    const bool was_judged = accuracy.status == Status::ok || accuracy.status == Status::mismatch ||
                            accuracy.status == Status::nondeterministic;
    if (check.guarded && was_judged && layout_.total <= most_guarded_bytes) run_guarded(check, accuracy);
    return accuracy;
}

Outcome Checker::run_poisoned(std::uint8_t poison) {
    poison_outputs(layout_, runner_.arena(), poison);
    Outcome outcome = runner_.run(call_, layout_);
    if (!outcome.ok()) return outcome;
    if (auto damage = damaged_guard(call_, layout_, runner_.arena())) return {Status::out_of_bounds, *damage};
    return outcome;
}

/// The layout of the copies of the first run's outputs.
Layout Checker::first_run() const {
    Layout layout = layout_;
    std::size_t offset = layout_.total;
    for (Region& region : layout.outputs) {
        region.offset = offset;
        offset += region.bytes;
    }
    return layout;
}

/// Leaves the second run's outputs in the arena, and behind the buffers those of the first.
Outcome Checker::run_twice(const Check& check, std::string& difference) {
    std::byte* arena = runner_.arena();
    fill_guards(layout_, arena);
    if (Outcome made = fill(check); !made.ok()) return made;
    if (Outcome first = run_poisoned(poisons[0]); !first.ok()) return first;
    const Layout copies = first_run();
    for (std::size_t i = 0; i < copies.outputs.size(); ++i) {
        std::memcpy(arena + copies.outputs[i].offset, arena + layout_.outputs[i].offset, layout_.outputs[i].bytes);
    }
    if (Outcome restored = restore(check); !restored.ok()) return restored;
    if (Outcome second = run_poisoned(poisons[1]); !second.ok()) return second;
    if (!yardstick_.inputs_unchanged(call_, layout_, arena, check.set, check.seed)) {
        return {Status::input_modified,
                has_file(definition_.family) ? sentences::argument_modified : sentences::input_modified};
    }
    return compare_runs(difference);
}

Outcome Checker::fill(const Check& check) {
    return yardstick_.make_inputs(call_, layout_, runner_.arena(), check.set, check.seed);
}

/// Makes the inputs that a call has changed, as it may, what they were.
Outcome Checker::restore(const Check& check) {
    const bool is_changed = std::ranges::any_of(call_.inputs, &BoundTensor::is_mutated);
    return is_changed ? fill(check) : Outcome{};
}

/// Compares the outputs of two runs. Unwritten elements are an outcome, other differences are told in `difference`.
Outcome Checker::compare_runs(std::string& difference) {
    const Layout copies = first_run();
    for (std::size_t i = 0; i < layout_.outputs.size(); ++i) {
        const Region& region = layout_.outputs[i];
        const BoundTensor& output = call_.outputs[i];
        const std::size_t size = size_of(output.dtype) * static_cast<std::size_t>(output.bits.parts);
        const std::vector<std::int64_t> shape = without_parts(output.bits, output.extents);
        const Differences found = differences(runner_.arena() + copies.outputs[i].offset,
                                              runner_.arena() + region.offset, region.bytes, size);
        if (found.unwritten_count > 0) {
            return {Status::unwritten, say(sentences::unwritten, found.unwritten_count, output.name,
                                           index_text(found.first_unwritten, shape))};
        }
        if (found.count == 0 || !difference.empty()) continue;
        difference = say(sentences::runs_differ, found.count, output.name, index_text(found.first, shape));
    }
    return {};
}

void Checker::run_guarded(const Check& check, CaseAccuracy& accuracy) {
    for (const Placement placement : {Placement::ends_guarded, Placement::starts_guarded}) {
        if (Outcome prepared = runner_.prepare(call_, check.binding.dtype, layout_.total); !prepared.ok()) {
            return take(accuracy, prepared.status, prepared.reason);
        }
        if (Outcome restored = restore(check); !restored.ok()) return take(accuracy, restored.status, restored.reason);
        const Outcome outcome = runner_.run(call_, layout_, placement);
        if (!outcome.ok()) return take(accuracy, outcome.status, with_inputs(outcome.reason, check.set, check.seed));
    }
}

void Checker::dump(const Check& check, CaseAccuracy& accuracy) {
    if (dump_folder_.empty() || (accuracy.status != Status::mismatch && accuracy.status != Status::nondeterministic))
        return;
    const std::filesystem::path folder = std::filesystem::path(dump_folder_) / folder_name(check);
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    bool written = !error;
    const auto write = [&](const std::vector<BoundTensor>& tensors, const std::vector<Region>& regions) {
        for (std::size_t i = 0; i < tensors.size(); ++i) {
            NpyWriter file(folder / (tensors[i].name + ".npy"), tensors[i].dtype, tensors[i].extents);
            file.append(runner_.arena() + regions[i].offset,
                        static_cast<std::int64_t>(tensors[i].bytes / size_of(tensors[i].dtype)));
            written = written && file.good();
        }
    };
    write(call_.inputs, layout_.inputs);
    write(call_.outputs, layout_.outputs);
    yardstick_.dump_expected(check, folder);
    accuracy.reason = written ? say("{}; its tensors are in {}", accuracy.reason, folder.string())
                              : say("{}; its tensors could not be written to {}", accuracy.reason, folder.string());
}

}  // namespace kernelgen
