// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/rounds/rounds_panel.h"

namespace kernelgen::studio {

RoundsPanel::RoundsPanel(Session& session, QWidget* parent) : QWidget(parent), session_(session) {}

void RoundsPanel::focusFilter() {}

}  // namespace kernelgen::studio
