// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/reports/log_preview.h"

namespace kernelgen::studio {

LogPreview::LogPreview(Session& session, QWidget* parent) : QWidget(parent), session_(session) {}

}  // namespace kernelgen::studio
