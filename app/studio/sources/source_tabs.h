// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/studio/session/session.h"

namespace kernelgen::studio {

/// The project's sources, a tab each, with the compiler's messages on their lines.
class SourceTabs : public QWidget {
    Q_OBJECT

public:
    explicit SourceTabs(Session& session, QWidget* parent = nullptr);

    /// Shows a file at a line and column, from 1; 0 leaves the cursor where it is.
    void goTo(const QString& file, int line, int column);
    void find();     ///< opens the find bar of the file that is shown
    void replace();  ///< the same with its second line

private:
    Session& session_;
};

}  // namespace kernelgen::studio
