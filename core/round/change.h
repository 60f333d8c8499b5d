// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/round/record.h"

namespace kernelgen {

/// What differs between two rounds.
struct Change {
    ChangeKind kind = ChangeKind::none;
    struct Value {
        std::string name, before, after;
    };
    std::vector<Value> tunables;
    std::vector<std::string> interface;   ///< sentences: "input `scale` was added"
    std::string body_before, body_after;  ///< where they differ
    std::string source_difference;        ///< unified diff of the sources, or ""
};

/// The kind is found from definitions, sources and configurations: a body or attribute that differs is *logic*; else
/// inputs, outputs, symbols, dtypes or kernel arguments, *interface*; else the source, *implementation*; else values
/// of tunables, *tunables*.
Change change_between(const Operator& before_definition, const Implementation& before,
                      const Operator& after_definition, const Implementation& after);

/// Lines with three of context, as `diff -u` prints them; "" where the texts are equal.
std::string unified_diff(const std::string& before, const std::string& after);

}  // namespace kernelgen
