// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/round/record.h"

namespace kernelgen {

/// The parts of a definition or an implementation that can differ between two rounds.
enum class Part {
    // *tunables*
    tunable,
    // *implementation*
    language,
    library,
    source,
    entry,
    launch,
    workspace,
    flags,
    // *interface*
    symbol,
    input,
    output,
    constraint,
    arguments,
    // *logic*
    body,
    attribute,
    arithmetic,
    reference,
};

/// The kind of change to which a difference in this part belongs.
ChangeKind kind_of_change(Part part);

/// One difference. An added thing has no `before`, a removed one has no `after`.
struct Difference {
    Part part = Part::tunable;
    std::string name;  ///< of the tunable, input, … or, of a launch among several, its number; may be empty
    std::optional<std::string> before, after;
};

/// All differences between two rounds.
struct Change {
    ChangeKind kind = ChangeKind::none;
    std::vector<Difference> differences;                  ///< all but those of the texts below
    std::string body_difference;                          ///< unified diff of the bodies, one assignment a line, or ""
    std::string source_difference;                        ///< unified diff of the sources, or ""
    std::map<std::string, std::string> file_differences;  ///< of the project's other files that differ, by file
};

/// Compares two rounds. The kind of the change is the gravest of: *logic* (body, attributes, arithmetic); *interface*
/// (inputs, outputs, symbols, dtypes, kernel arguments); *implementation* (source, build, launch); *tunables* (values
/// of tunables).
Change change_between(const Operator& before_definition, const Implementation& before, const Operator& after_definition,
                      const Implementation& after);

/// A unified diff with three lines of context, as `diff -u` prints it, without the files' names; "" where the texts are
/// equal. Where more than a thousand lines differ, everything from the first to the last difference may be shown as
/// replaced.
std::string unified_diff(const std::string& before, const std::string& after);

}  // namespace kernelgen
