// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/operator/operator_panel.h"

namespace kernelgen::studio {

OperatorPanel::OperatorPanel(Session& session, QWidget* parent) : QWidget(parent), session_(session) {}

void OperatorPanel::goTo(const QString&) {}

}  // namespace kernelgen::studio
