// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/studio/session/session.h"

namespace kernelgen::studio {

/// A slider for each tunable of the variant under work, with what the build of the configuration costs.
class TunablesPanel : public QWidget {
    Q_OBJECT

public:
    explicit TunablesPanel(Session& session, QWidget* parent = nullptr);

    void resetToProject();  ///< the values that are saved
    void takeBest();        ///< the values of the best round on this device

private:
    Session& session_;
};

}  // namespace kernelgen::studio
