// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/sources/source_tabs.h"

namespace kernelgen::studio {

SourceTabs::SourceTabs(Session& session, QWidget* parent) : QWidget(parent), session_(session) {}

void SourceTabs::goTo(const QString&, int, int) {}

void SourceTabs::find() {}

void SourceTabs::replace() {}

}  // namespace kernelgen::studio
