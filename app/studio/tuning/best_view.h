// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/studio/tuning/tuning_view.h"

namespace kernelgen::studio {

/// The best result over the time of the tuning, against the configuration that the project had.
class BestView : public TuningView {
    Q_OBJECT

public:
    explicit BestView(QWidget* parent = nullptr);

protected:
    void draw() override;

private:
    void drawIncumbent(double until);
};

}  // namespace kernelgen::studio
