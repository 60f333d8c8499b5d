// SPDX-License-Identifier: GPL-3.0-or-later
// The Tuning tab by itself, and tunings of the sample for it.
#pragma once

#include <QComboBox>
#include <QLabel>
#include <QPushButton>

#include "app/studio/tuning/tuning_panel.h"
#include "core/engine/run.h"
#include "core/project/project_file.h"
#include "core/tune/tuning_file.h"
#include "tests/studio/fixtures.h"

namespace kernelgen::studio::testing {

inline void press(const QWidget& panel, const char* button) { child<QPushButton>(panel, button)->click(); }

inline QString stateOf(const QWidget& panel) { return child<QLabel>(panel, "tuning_state")->text(); }

/// A panel that is shown, so that its charts and its table are filled.
class ShownTuning : public TuningPanel {
public:
    explicit ShownTuning(Session& session) : TuningPanel(session) {
        resize(1000, 400);
        show();
    }
};

/// The example for the tunables of a variant of the sample.
inline Tuning tuningOf(const Studio& studio, int count, const std::string& name = "host") {
    Tuning tuning = exampleTuning(count);
    const Validated<Project> project = load_project(studio.folder().toStdString());
    const Variant& variant = *project->find_variant(name);
    tuning.head.variant = name;
    tuning.head.parameters = variant.tunables;
    tuning.head.incumbent = configuration_of(variant);
    for (std::size_t i = 0; i < tuning.tried.size(); ++i) {
        std::size_t index = i;
        tuning.tried[i].configuration.clear();
        for (const Tunable& each : variant.tunables) {
            tuning.tried[i].configuration[each.name] = each.values[index % each.values.size()];
            index /= each.values.size();
        }
    }
    return tuning;
}

/// One that Continue can go on with.
inline Tuning pausedTuningOf(const Studio& studio, const std::string& variant) {
    Tuning tuning = tuningOf(studio, 5, variant);
    const Validated<Project> project = load_project(studio.folder().toStdString());
    RunOptions options;
    options.variant = variant;
    tuning.head.binding = project->cases[0];
    tuning.head.cases = project->cases;
    tuning.head.source_hash = hash_of_sources(plan_run(*project, options)->candidate);
    return tuning;
}

inline Configuration slidersOf(Session& session) { return configuration_of(*session.variant()); }

inline void letTuneQuickly(const QWidget& panel, const QString& budget) {
    child<QComboBox>(panel, "tuning_budget")->setCurrentText(budget);
    child<QComboBox>(panel, "tuning_strategy")->setCurrentText("random");
}

inline std::size_t triedOnDisk(const Studio& studio) {
    const Result<Tuning> tuning = load_tuning(studio.folder().toStdString(), 1);
    return tuning ? tuning->tried.size() : 0;
}

}  // namespace kernelgen::studio::testing
