// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <format>

#include "core/base/cause_sentences.h"
#include "core/base/mend_sentences.h"
#include "core/base/seen_sentences.h"
#include "core/base/text.h"
#include "core/explain/finders.h"
#include "core/verify/buffers.h"

namespace kernelgen {

namespace {

std::int64_t count_of(const std::vector<char>& marks) {
    return std::ranges::count_if(marks, [](char c) { return c != 0; });
}

/// The value that an output of this dtype holds before a run: the first poison.
double poison_value(DType dtype) {
    std::array<std::byte, 8> bytes;
    bytes.fill(static_cast<std::byte>(poisons[0]));
    double value = 0;
    decode(dtype, bytes.data(), std::span(&value, 1));
    return value;
}

Said elements_text(const OutputReplay& output, const std::vector<char>& marks) {
    const auto first = std::ranges::find_if(marks, [](char c) { return c != 0; }) - marks.begin();
    return say(sentences::seen_elements, count_of(marks), output.grid.elements(), output.grid.row_of(first),
               output.grid.column_of(first));
}

/// Whether wrong elements are off by what the output held before.
bool adds_poison(const OutputReplay& output, double poison) {
    std::int64_t stale = 0, off = 0;
    for (std::size_t i = 0; i < output.stale.size(); ++i) {
        if (output.stale[i] == 0) continue;
        ++stale;
        const double difference = output.record.actual[i] - output.record.expected[i];
        off += std::abs(difference - poison) <= 1e-3 * std::abs(poison) + 1e-5 * std::abs(output.record.actual[i]);
    }
    return stale > 0 && off * 10 >= stale * 9;
}

}  // namespace

void find_in_runs(const Subject& subject, Causes& causes) {
    const OutputReplay& output = subject.output;
    const Implementation& candidate = subject.evidence.candidate;
    if (count_of(output.unwritten) > 0) {
        causes.push_back({.kind = CauseKind::unwritten,
                          .confidence = 0.9,
                          .text = say(sentences::cause_unwritten, output.name, elements_text(output, output.unwritten)),
                          .evidence = {},
                          .advice = sentences::mend_unwritten,
                          .places = places_of(candidate, CauseKind::unwritten, output.name)});
    }
    if (const std::int64_t unstable = count_of(output.unstable); unstable > 0) {
        causes.push_back({.kind = CauseKind::race,
                          .confidence = 0.95,
                          .text = say(sentences::cause_race, output.name),
                          .evidence = {say(sentences::seen_unstable, unstable)},
                          .advice = sentences::mend_race,
                          .places = places_of(candidate, CauseKind::race, output.name)});
    }
    if (const std::int64_t stale = count_of(output.stale); stale > 0) {
        std::vector<Said> seen = {say(sentences::seen_stale, stale)};
        const double poison = poison_value(output.dtype);
        if (adds_poison(output, poison)) seen.push_back(say(sentences::seen_adds_poison, poison));
        causes.push_back({.kind = CauseKind::old_contents,
                          .confidence = 0.93,
                          .text = say(sentences::cause_old_contents, output.name),
                          .evidence = std::move(seen),
                          .advice = sentences::mend_old_contents,
                          .places = places_of(candidate, CauseKind::old_contents, output.name)});
    }
}

void find_in_status(const WrongOutput& evidence, Causes& causes) {
    const auto add = [&](CauseKind kind, double confidence, const Said& text, const Said& mend) {
        causes.push_back({.kind = kind,
                          .confidence = confidence,
                          .text = text,
                          .evidence = {say(sentences::seen_status, first_line(evidence.failing.reason.text()))},
                          .advice = mend,
                          .places = places_of(evidence.candidate, kind, "")});
    };
    switch (evidence.failing.status) {
        case Status::out_of_bounds:
            return add(CauseKind::out_of_bounds, 0.95, sentences::cause_out_of_bounds, sentences::mend_out_of_bounds);
        case Status::crashed:
            return add(CauseKind::out_of_bounds, 0.6, sentences::cause_out_of_bounds, sentences::mend_out_of_bounds);
        case Status::input_modified:
            return add(CauseKind::input_written, 0.95, sentences::cause_input_written,
                       has_file(evidence.definition.family) ? sentences::mend_argument_written
                                                            : sentences::mend_input_written);
        // The runs in which every element was at hand may all have been right.
        case Status::nondeterministic:
            return add(CauseKind::race, 0.93, say(sentences::cause_race, evidence.definition.outputs.front().name),
                       sentences::mend_race);
        default: return;
    }
}

}  // namespace kernelgen
