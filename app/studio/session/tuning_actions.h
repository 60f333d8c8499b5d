// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "app/studio/engine/engine.h"

namespace kernelgen::studio {

class Session;

/// Tuning the chosen variant, and taking over what it found. Lives in the GUI thread.
class TuningActions : public QObject {
    Q_OBJECT

public:
    explicit TuningActions(Session& session);

    /// Tunes the variant on the device, or goes on with the last tuning where the options say so. Strategy, objective,
    /// budget and cases are read of the options; the values that take part are those of `Session::tuningChoices`.
    void tune(TuneOptions options);
    /// Makes a configuration of the tuning that is shown the project's, and saves that; can be undone.
    void adopt(const Configuration& configuration);
    void adoptRules();  ///< those that are proposed, once they are verified; can be undone

private:
    void recallChoices();
    void take(const TuningEnd& end);
    bool adoptOnCase(const Tuning& tuning, const Configuration& configuration);

    Session& session_;
};

}  // namespace kernelgen::studio
