// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/studio/session/session.h"

namespace kernelgen::studio {

/// The charts, two at a time. Actions are for the one that was used last.
class ChartArea : public QWidget {
    Q_OBJECT

public:
    explicit ChartArea(Session& session, QWidget* parent = nullptr);

    void fit();
    void copy();
    void saveAs();  ///< asks for a PNG, SVG or PDF file
    void toggleLegend();

private:
    Session& session_;
};

}  // namespace kernelgen::studio
