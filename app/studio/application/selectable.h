// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <Qt>

class QLabel;

namespace kernelgen::studio {

/// Lets a person select a label's text and copy it. What is copied holds none of the places to break of `breakable`.
void makeSelectable(QLabel& label, Qt::TextInteractionFlags how);

}  // namespace kernelgen::studio
