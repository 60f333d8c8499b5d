// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/lang/operator.h"
#include "core/project/variant.h"

namespace kernelgen {

/// The source that a known number comes from.
enum class EvidenceSource {
    timing,      ///< the samples of a round
    counter,     ///< hardware counters, or sensors of the device
    roofline,    ///< measured ceilings, and the definition's bytes and FLOPs
    build,       ///< the compiler, or the instructions that it made
    launch,      ///< grid, tile sizes and the device's numbers
    source,      ///< the source's text: which addresses neighbouring threads, iterations and programs use
    definition,  ///< the operator's definition
};
std::string_view to_string(EvidenceSource source);

/// A line of a file in the project's folder.
struct SourcePlace {
    std::string file;
    int line = 0;  ///< from 1

    bool operator==(const SourcePlace&) const = default;
};

/// One known number: always finite.
struct KnownValue {
    double value = 0;
    EvidenceSource source = EvidenceSource::timing;
    std::vector<SourcePlace> where = {};  ///< the lines that cause it, where they are known
};

/// Another layout of an input that is read badly.
struct LayoutAdvice {
    std::string tensor;
    std::string layout;   ///< "transposed": columns first; "tiled": tiles of 32 × 32 elements
    double cost_now = 1;  ///< of its accesses, over the best
    double cost_then = 1;
    double convert_seconds = 0;  ///< at least: a copy of the tensor
    double saved_seconds = 0;    ///< of a call, at most
    double calls = 0;            ///< after which converting once has paid, at the earliest
};

/// All that is known of a kernel on one case, by the names of metrics (core/measure/metrics.def).
struct Evidence {
    Case binding;
    std::string kind;  ///< of the device: "cpu", "cuda"
    Language language = Language::cpp;
    std::map<std::string, KnownValue> values;
    std::map<std::string, std::string> missing;  ///< why a number is not known, where that is known
    std::set<std::string> absent = {};           ///< what this launch does not have, such as a second axis
    std::vector<LayoutAdvice> layouts = {};
    std::optional<double> speedup_lower = {};  ///< where the interval of the speedup begins
    bool needs_reuse = false;  ///< the definition is a contraction, whose tiles read the same bytes again

    bool has(std::string_view name) const { return values.contains(std::string(name)); }
    std::optional<double> value(std::string_view name) const;
    /// Keeps a number under a metric's name; one that is not finite is left out.
    void put(const char* name, double value, EvidenceSource source, std::vector<SourcePlace> where = {});
};

}  // namespace kernelgen
