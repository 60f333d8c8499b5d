// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/studio/session/session.h"

namespace kernelgen::studio {

/// The rounds in a table that sorts and filters, with the selected one's details and its difference to another.
class RoundsPanel : public QWidget {
    Q_OBJECT

public:
    explicit RoundsPanel(Session& session, QWidget* parent = nullptr);

    void focusFilter();

private:
    Session& session_;
};

}  // namespace kernelgen::studio
