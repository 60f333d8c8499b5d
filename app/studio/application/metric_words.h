// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

#include "core/measure/metrics.h"

namespace kernelgen::studio {

/// What core/measure/metrics.def says of a metric, in the language of the interface.
QString titleOf(const Metric& metric);                ///< "Bandwidth"
QString meaningOf(const Metric& metric);              ///< a sentence, for a tip
QString valueOf(const Metric& metric, double value);  ///< "33.0 GB/s"
QString labelOf(const Metric& metric);                ///< of an axis: "Bandwidth, GB/s"
QString unitOf(const Metric& metric);                 ///< "GB/s"; "" where the value has none

QString titleOfLimiter();                            ///< "Occupancy limited by"
QString limiterInWords(const std::string& limiter);  ///< of a build: "registers and shared memory"

}  // namespace kernelgen::studio
