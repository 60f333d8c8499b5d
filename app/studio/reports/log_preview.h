// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/studio/session/session.h"

namespace kernelgen::studio {

/// optimization_log.md as it would be exported now, rendered.
class LogPreview : public QWidget {
    Q_OBJECT

public:
    explicit LogPreview(Session& session, QWidget* parent = nullptr);

private:
    Session& session_;
};

}  // namespace kernelgen::studio
