// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "app/studio/application/settings.h"

namespace kernelgen::studio {

/// A new project from a definition that is checked while it is written; accepted once its folder has been made.
class NewProjectWizard : public QDialog {
    Q_OBJECT

public:
    explicit NewProjectWizard(Settings& settings, QWidget* parent = nullptr);

    QString folder() const { return folder_; }  ///< of the project that was made

private:
    Settings& settings_;
    QString folder_;
};

}  // namespace kernelgen::studio
