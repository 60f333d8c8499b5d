// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/round/record.h"

namespace kernelgen {

/// What of a definition or an implementation can differ between two rounds.
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

/// The kind of change that a difference in this part makes.
ChangeKind kind_of_change(Part part);

/// One thing that differs. What was added has no `before`, what was removed no `after`.
struct Difference {
    Part part = Part::tunable;
    std::string name;  ///< of the tunable, input, … or, of a launch among several, its number; may be empty
    std::optional<std::string> before, after;
};

/// What differs between two rounds.
struct Change {
    ChangeKind kind = ChangeKind::none;
    std::vector<Difference> differences;                  ///< all but those of the texts below
    std::string body_difference;                          ///< unified diff of the bodies, one assignment a line, or ""
    std::string source_difference;                        ///< unified diff of the sources, or ""
    std::map<std::string, std::string> file_differences;  ///< of the project's other files that differ, by file
};

/// The kind is the gravest among what differs: a body, attribute or arithmetic is *logic*; else inputs, outputs,
/// symbols, dtypes or kernel arguments, *interface*; else the source or how it is built and launched,
/// *implementation*; else values of tunables, *tunables*.
Change change_between(const Operator& before_definition, const Implementation& before, const Operator& after_definition,
                      const Implementation& after);

/// Lines with three of context, as `diff -u` prints them without the files' names; "" where the texts are equal. Texts
/// that differ in more than a thousand lines may be shown as one replaced by the other from the first to the last
/// difference.
std::string unified_diff(const std::string& before, const std::string& after);

}  // namespace kernelgen
