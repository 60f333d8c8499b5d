// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/reports/run_log_panel.h"

namespace kernelgen::studio {

RunLogPanel::RunLogPanel(Session& session, QWidget* parent) : QWidget(parent), session_(session) {}

}  // namespace kernelgen::studio
