// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <optional>
#include <string>
#include <vector>

#include "app/studio/session/diagnoses.h"

namespace kernelgen::studio {

/// One number of a round, and the same of the best round.
struct ComparedMetric {
    std::string name;  ///< of a metric
    std::optional<double> here, best;
};

/// What timing, counters, sensors, build and launch tell of a case in two rounds, in the order of the metrics; energy
/// also where neither has it. `best`: null where there is nothing to compare with.
std::vector<ComparedMetric> comparedMetrics(const Evidence& here, const Evidence* best);

/// A case's counters beside those of the best round.
class CounterTable : public QLabel {
    Q_OBJECT

public:
    CounterTable(const FoundCauses& causes, std::size_t place, QWidget* parent = nullptr);
};

}  // namespace kernelgen::studio
