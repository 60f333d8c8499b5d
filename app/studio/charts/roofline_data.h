// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <span>

#include "app/studio/charts/catalogue.h"

namespace kernelgen::studio {

/// A ceiling as a line: of bandwidth (a diagonal) or of FLOPs (level).
struct Roof {
    enum class Kind { copy, read, write, flops };
    Kind kind = Kind::copy;
    double value = 0;          ///< GB/s or GFLOP/s
    double bytes = 0;          ///< moved by one pass of the measurement; 0 of FLOPs
    DType dtype = DType::f32;  ///< of FLOPs

    bool operator==(const Roof&) const = default;
};

/// The ceilings that a chart of these sizes needs: bandwidth of memory, bandwidth of the caches where the cases fit in
/// them and it differs, and all FLOP rates. Empty where nothing was measured.
std::vector<Roof> roofsOf(const Ceilings& ceilings, const std::set<double>& case_bytes);

struct RooflineData {
    Catalogue catalogue;
    std::vector<Timing> points;  ///< ascending in round; of one device
    std::vector<Roof> roofs;
    int elsewhere = 0;      ///< rounds that are not shown, since they ran on another device
    bool no_flops = false;  ///< timed rounds are left out, since the operator does no arithmetic
};

/// The timed rounds on `device`. Refers to `history`, which must outlive it.
RooflineData rooflineData(const History& history, const std::string& device, const Ceilings& ceilings);

/// A step from one round of a case to the next comparable one, as indices of points.
struct RooflineStep {
    std::size_t from = 0, to = 0;
};

/// The steps among the last `most` rounds up to `last`, oldest first.
std::vector<RooflineStep> stepsUpTo(const RooflineData& data, int last, int most);

}  // namespace kernelgen::studio
