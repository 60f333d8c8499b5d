// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "core/strategy/propose.h"

namespace kernelgen::studio {

/// Shows how a strategy would change a person's source, before it is applied.
class ApplyDialog : public QDialog {
    Q_OBJECT

public:
    ApplyDialog(const Proposal& proposal, const RoundDetail& before, QWidget* parent = nullptr);
};

}  // namespace kernelgen::studio
