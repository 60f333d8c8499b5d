// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTableView;

namespace kernelgen::studio {

/// How all tables of the window look: rows of one line, no grid, no frame; Tab leaves the table.
void makePlain(QTableView& table);

}  // namespace kernelgen::studio
