// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/reports/problems_panel.h"

namespace kernelgen::studio {

ProblemsPanel::ProblemsPanel(Session& session, QWidget* parent) : QWidget(parent), session_(session) {}

}  // namespace kernelgen::studio
