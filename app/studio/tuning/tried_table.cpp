// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tuning/tried_table.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPainter>

#include "app/studio/application/plain_table.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

TriedTable::TriedTable(QWidget* parent) : QTableView(parent) {
    setModel(&model_);
    setObjectName("tried_table");
    setAccessibleName(tr("Configurations that were tried"));
    setSelectionBehavior(SelectRows);
    setSelectionMode(SingleSelection);
    makePlain(*this);
    verticalHeader()->hide();
    horizontalHeader()->setDefaultSectionSize(10 * fontMetrics().averageCharWidth());
    horizontalHeader()->setSortIndicator(TriedModel::Number, Qt::AscendingOrder);
    setSortingEnabled(true);
    setColumnWidth(TriedModel::State, 14 * fontMetrics().averageCharWidth());
    model_.setPalette(palette());
    auto* copy_action = new QAction(tr("Copy all"), this);
    copy_action->setShortcut(QKeySequence::Copy);
    copy_action->setShortcutContext(Qt::WidgetShortcut);
    addAction(copy_action);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(copy_action, &QAction::triggered, this, &TriedTable::copy);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
        if (current.isValid() && !selecting_) emit chosen(static_cast<int>(model_.triedAt(current.row())));
    });
}

void TriedTable::present(const std::shared_ptr<const Tuning>& tuning) {
    selecting_ = true;
    if (tuning == tuning_) {
        model_.grow();
    } else {
        tuning_ = tuning;
        model_.setTuning(tuning);
    }
    selecting_ = false;
}

void TriedTable::select(std::optional<std::size_t> tried) {
    selecting_ = true;
    const int row = tried ? model_.rowOf(*tried) : -1;
    if (row < 0) clearSelection();
    else selectRow(row);
    selecting_ = false;
}

/// Copies the table as text with tabs, for a spreadsheet.
void TriedTable::copy() const {
    QStringList lines;
    for (int row = -1; row < model_.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < model_.columnCount(); ++column) {
            cells << (row < 0 ? model_.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()
                              : model_.index(row, column).data().toString());
        }
        lines << cells.join('\t');
    }
    QGuiApplication::clipboard()->setText(lines.join('\n'));
}

/// In a table without rows, says what would fill it.
void TriedTable::paintEvent(QPaintEvent* event) {
    QTableView::paintEvent(event);
    if (model_.rowCount() > 0) return;
    QPainter painter(viewport());
    painter.setPen(coloursOf(palette()).muted);
    painter.drawText(viewport()->rect(), Qt::AlignCenter | Qt::TextWordWrap, whatFillsIt());
}

QString TriedTable::whatFillsIt() const {
    return tuning_ ? tr("Nothing is tried yet: each result appears here when it is known")
                   : tr("Press Start: each configuration that is tried becomes a row here");
}

void TriedTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) model_.setPalette(palette());
}

}  // namespace kernelgen::studio
