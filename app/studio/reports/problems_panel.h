// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/studio/session/session.h"

namespace kernelgen::studio {

/// Everything that is wrong now: the project's diagnostics and the compiler's messages.
class ProblemsPanel : public QWidget {
    Q_OBJECT

public:
    explicit ProblemsPanel(Session& session, QWidget* parent = nullptr);

    int errors() const { return 0; }

signals:
    void countChanged(int errors);
    void goToDefinition(const QString& where);
    void goToSource(const QString& file, int line, int column);

private:
    Session& session_;
};

}  // namespace kernelgen::studio
