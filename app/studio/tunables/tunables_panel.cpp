// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tunables/tunables_panel.h"

namespace kernelgen::studio {

TunablesPanel::TunablesPanel(Session& session, QWidget* parent) : QWidget(parent), session_(session) {}

void TunablesPanel::resetToProject() {}

void TunablesPanel::takeBest() {}

}  // namespace kernelgen::studio
