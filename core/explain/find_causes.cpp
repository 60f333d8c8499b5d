// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <format>
#include <map>

#include "core/explain/finders.h"

namespace kernelgen {

namespace {

constexpr std::size_t most_causes = 6;
constexpr double least_confidence = 0.2;

/// Finders of what the elements of an output hold.
constexpr void (*element_finders[])(const Subject&, Causes&) = {
    find_formula,   find_moved,          find_wrong_index, find_lost_reduction,
    find_constants, find_special_values, find_precision};

/// The outputs of a replay. Those that differ from run to run may have no wrong elements.
std::vector<Subject> subjects_of(const WrongOutput& evidence, const Replay& replay) {
    std::vector<Subject> subjects;
    for (std::size_t i = 0; replay.has_elements() && i < replay.outputs.size(); ++i)
        subjects.push_back({evidence, replay, replay.outputs[i], i, replay.outputs[i].wrong()});
    return subjects;
}

/// Looks for causes in what several runs of a replay show, and in where its wrong elements are.
void find_in_replay(const Subject& subject, Causes& causes) {
    find_in_runs(subject, causes);
    if (!subject.wrong.empty()) find_in_places(subject, causes);
}

/// Whether what elements hold says nothing of a formula: they were not written, or depend on chance.
bool is_arbitrary(const Subject& subject) {
    const OutputReplay& output = subject.output;
    const auto count = [](const std::vector<char>& marks) { return std::ranges::count(marks, 1); };
    const auto wrong = static_cast<std::ptrdiff_t>(subject.wrong.size());
    return 2 * (count(output.unwritten) + count(output.unstable) + count(output.stale)) > wrong;
}

/// Merges causes that say the same: the one with the highest confidence stays. Its confidence rises a little, since two
/// replays show it.
void merge_same(Causes& causes) {
    Causes merged;
    for (Cause& each : causes) {
        const auto known = std::ranges::find_if(merged, [&](const Cause& other) {
            return other.kind == each.kind &&
                   (other.text == each.text || each.kind == CauseKind::unwritten ||
                    each.kind == CauseKind::tail_columns || each.kind == CauseKind::tail_rows);
        });
        if (known == merged.end()) {
            merged.push_back(std::move(each));
            continue;
        }
        const double surer = std::min(0.97, std::max(known->confidence, each.confidence) + 0.02);
        if (each.confidence > known->confidence) *known = std::move(each);
        known->confidence = surer;
    }
    causes = std::move(merged);
}

bool is_place(const Cause& cause) {
    constexpr CauseKind kinds[] = {CauseKind::tail_columns, CauseKind::tail_rows,     CauseKind::tail_elements,
                                   CauseKind::one_tile,     CauseKind::tile_boundary, CauseKind::every_kth,
                                   CauseKind::edge};
    return std::ranges::contains(kinds, cause.kind);
}

bool is_everywhere(const Cause& cause) {
    constexpr CauseKind kinds[] = {CauseKind::missing_term, CauseKind::wrong_operation, CauseKind::constant_factor,
                                   CauseKind::constant_offset, CauseKind::row_factor};
    return std::ranges::contains(kinds, cause.kind);
}

/// A mistake in the formula would show everywhere, not in one place; a rule on sizes confirms an access beyond a
/// buffer.
void weigh_together(Causes& causes) {
    const auto has = [&](CauseKind kind) { return std::ranges::contains(causes, kind, &Cause::kind); };
    const bool is_local = std::ranges::any_of(causes, is_place);
    for (Cause& each : causes) {
        if (is_local && is_everywhere(each)) each.confidence *= 0.6;
        if (each.kind == CauseKind::other_sizes && has(CauseKind::out_of_bounds)) each.confidence = 0.8;
    }
}

}  // namespace

Causes find_causes(const WrongOutput& evidence) {
    Causes causes;
    find_in_status(evidence, causes);
    for (const Subject& subject : subjects_of(evidence, evidence.failing)) find_in_replay(subject, causes);
    const bool is_other = &evidence.typical != &evidence.failing;
    for (const Subject& subject : subjects_of(evidence, evidence.typical)) {
        if (is_other) find_in_replay(subject, causes);
        if (subject.wrong.empty() || is_arbitrary(subject)) continue;
        for (const auto& find : element_finders) find(subject, causes);
    }
    find_in_sizes(evidence, causes);
    weigh_together(causes);
    merge_same(causes);
    std::erase_if(causes, [](const Cause& each) { return each.confidence < least_confidence; });
    std::ranges::stable_sort(causes, std::greater(), &Cause::confidence);
    if (causes.size() > most_causes) causes.resize(most_causes);
    return causes;
}

}  // namespace kernelgen
