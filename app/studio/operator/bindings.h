// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

#include "app/studio/operator/text_fields.h"

namespace kernelgen::studio {

/// The single texts of a project's definition and of what it asks of runs.
class Bindings {
    Q_DECLARE_TR_FUNCTIONS(Bindings)

public:
    static TextBinding name();
    static TextBinding description();
    static TextBinding reference();
    static TextBinding definition();
    static TextBinding body();
    static TextBinding arithmetic();
    static TextBinding accumulation();
    static TextBinding baseline(const std::string& kind);  ///< "" for all kinds of device
    static TextBinding targetSpeedup();
    static TextBinding maxRounds();
    static TextBinding budgetSeconds();
    static TextBinding caches();

    static std::vector<Choice> arithmetics(const Project& project);
    static std::vector<Choice> accumulations(const Project& project);
    static std::vector<Choice> references(const Project& project);
    static std::vector<Choice> baselines(const Project& project, const std::string& kind);
    static std::vector<Choice> cachesStates(const Project& project);
};

}  // namespace kernelgen::studio
