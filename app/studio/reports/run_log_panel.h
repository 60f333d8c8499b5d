// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/studio/session/session.h"

namespace kernelgen::studio {

/// What happened in this session, line by line.
class RunLogPanel : public QWidget {
    Q_OBJECT

public:
    explicit RunLogPanel(Session& session, QWidget* parent = nullptr);

private:
    Session& session_;
};

}  // namespace kernelgen::studio
