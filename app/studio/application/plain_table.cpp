// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/application/plain_table.h"

#include <QHeaderView>
#include <QTableView>

namespace kernelgen::studio {

void makePlain(QTableView& table) {
    table.setShowGrid(false);
    table.setTabKeyNavigation(false);
    table.setFrameShape(QFrame::NoFrame);
    table.setWordWrap(false);
    table.verticalHeader()->setDefaultSectionSize(QFontMetrics(table.font()).height() + 6);
    table.verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table.horizontalHeader()->setHighlightSections(false);
}

}  // namespace kernelgen::studio
