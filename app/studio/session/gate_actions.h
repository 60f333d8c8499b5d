// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>

#include "app/studio/engine/engine.h"

namespace kernelgen::studio {

class Session;

/// What can be done with the gate of the chosen variant on the chosen device. Lives in the GUI thread.
class GateActions : public QObject {
    Q_OBJECT

public:
    explicit GateActions(Session& session);

    void record();                   ///< runs a round of the variant, and makes it the gate's stored baseline
    QString whyNotRecorded() const;  ///< "" where a round can be recorded
    /// Compares the variant as it is now with the stored baseline. `threshold`: the smallest change that counts, as a
    /// share; nothing: stored, or learned from earlier checks.
    void check(std::optional<double> threshold);
    QString whyNotChecked() const;  ///< "" where a check can begin

private:
    void take(const GateEnd& end);

    Session& session_;
};

}  // namespace kernelgen::studio
