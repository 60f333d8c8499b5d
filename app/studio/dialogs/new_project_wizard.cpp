// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/dialogs/new_project_wizard.h"

namespace kernelgen::studio {

NewProjectWizard::NewProjectWizard(Settings& settings, QWidget* parent) : QDialog(parent), settings_(settings) {}

}  // namespace kernelgen::studio
