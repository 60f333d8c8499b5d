// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/studio/session/session.h"

namespace kernelgen::studio {

/// The operator's definition in a form, with what is wrong and what follows beside it.
class OperatorPanel : public QWidget {
    Q_OBJECT

public:
    explicit OperatorPanel(Session& session, QWidget* parent = nullptr);

    /// Shows the field of a diagnostic's path ("operator.inputs[1].shape", "body:1:17") and gives it the focus.
    void goTo(const QString& where);

private:
    Session& session_;
};

}  // namespace kernelgen::studio
