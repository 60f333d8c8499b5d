// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tuning/tuning_table.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPainter>
#include <algorithm>

#include "app/studio/application/plain_table.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

TuningTable::TuningTable(QWidget* parent) : QTableView(parent) {
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    makePlain(*this);
    verticalHeader()->hide();
    horizontalHeader()->setDefaultSectionSize(10 * fontMetrics().averageCharWidth());
    auto* copy_action = new QAction(tr("Copy all"), this);
    copy_action->setShortcut(QKeySequence::Copy);
    copy_action->setShortcutContext(Qt::WidgetShortcut);
    addAction(copy_action);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(copy_action, &QAction::triggered, this, &TuningTable::copy);
}

void TuningTable::takeModel(QAbstractItemModel& model) {
    setModel(&model);
    horizontalHeader()->setSortIndicator(0, Qt::AscendingOrder);
    setSortingEnabled(true);
    connect(&model, &QAbstractItemModel::modelReset, this, &TuningTable::widenToHeaders);
}

/// The names of the tunables are whole. A column that is wider stays so.
void TuningTable::widenToHeaders() {
    const QHeaderView& header = *horizontalHeader();
    for (int column = 0; column < header.count(); ++column)
        setColumnWidth(column, std::max(columnWidth(column), header.sectionSizeHint(column)));
}

/// Copies the table as text with tabs, for a spreadsheet.
void TuningTable::copy() const {
    const QAbstractItemModel& all = *model();
    QStringList lines;
    for (int row = -1; row < all.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < all.columnCount(); ++column) {
            cells << (row < 0 ? all.headerData(column, Qt::Horizontal).toString()
                              : all.index(row, column).data().toString());
        }
        lines << cells.join('\t');
    }
    QGuiApplication::clipboard()->setText(lines.join('\n'));
}

/// In a table without rows, says what would fill it.
void TuningTable::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (model()->rowCount() > 0) return;
    QPainter painter(viewport());
    painter.setPen(coloursOf(palette()).muted);
    painter.drawText(viewport()->rect(), Qt::AlignCenter | Qt::TextWordWrap, whatFillsIt());
}

}  // namespace kernelgen::studio
