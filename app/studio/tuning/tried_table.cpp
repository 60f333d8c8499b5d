// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tuning/tried_table.h"

#include <QEvent>

namespace kernelgen::studio {

TriedTable::TriedTable(QWidget* parent) : TuningTable(parent) {
    takeModel(model_);
    setObjectName("tried_table");
    setAccessibleName(tr("Configurations that were tried"));
    setColumnWidth(TriedModel::State, 14 * fontMetrics().averageCharWidth());
    model_.setPalette(palette());
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& current) {
        if (current.isValid() && !selecting_) emit chosen(static_cast<int>(model_.triedAt(current.row())));
    });
}

void TriedTable::present(const std::shared_ptr<const Tuning>& tuning, bool runs) {
    selecting_ = true;
    runs_ = runs;
    if (tuning == tuning_) {
        model_.grow();
    } else {
        tuning_ = tuning;
        model_.setTuning(tuning);
    }
    selecting_ = false;
    viewport()->update();
}

void TriedTable::select(std::optional<std::size_t> tried) {
    selecting_ = true;
    const int row = tried ? model_.rowOf(*tried) : -1;
    if (row < 0) clearSelection();
    else selectRow(row);
    selecting_ = false;
}

QString TriedTable::whatFillsIt() const {
    return tuning_ || runs_ ? tr("Nothing is tried yet: each result appears here when it is known")
                            : tr("Press Start: each configuration that is tried becomes a row here");
}

void TriedTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) model_.setPalette(palette());
}

}  // namespace kernelgen::studio
