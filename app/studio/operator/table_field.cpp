// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/operator/table_field.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QScrollBar>
#include <QTableView>
#include <QToolButton>

#include "app/studio/operator/cell_delegate.h"
#include "app/studio/theme/icons.h"

namespace kernelgen::studio {

namespace {

constexpr int most_rows_shown = 8;

QToolButton* addButton(QWidget& parent, const QString& name, const QString& tip) {
    auto* button = new QToolButton;
    button->setAutoRaise(true);
    button->setAccessibleName(name);
    button->setToolTip(tip);
    parent.layout()->addWidget(button);
    return button;
}

}  // namespace

TableField::TableField(ProjectDocument& document, std::unique_ptr<const TableContent> content, QWidget* parent)
    : FormField({content->path()}, parent),
      table_(new ProjectTable(document, std::move(content), this)),
      view_(new QTableView) {
    makeView();
    if (!table_->content().hasFixedRows()) makeButtons();
    connect(table_, &ProjectTable::refused, this, &TableField::setEntryProblem);
    for (const auto signal : {&ProjectTable::rowsInserted, &ProjectTable::rowsRemoved}) {
        connect(table_, signal, this, &TableField::fit);
    }
    connect(table_, &ProjectTable::modelReset, this, &TableField::fit);
    applyPalette();
    fit();
}

void TableField::makeView() {
    view_->setModel(table_);
    view_->setItemDelegate(new CellDelegate(view_));
    view_->setAccessibleName(table_->content().title());
    view_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                           QAbstractItemView::AnyKeyPressed | QAbstractItemView::SelectedClicked);
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    view_->setTabKeyNavigation(false);
    view_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    view_->verticalHeader()->hide();
    view_->verticalHeader()->setDefaultSectionSize(view_->fontMetrics().height() + 8);
    view_->horizontalHeader()->setHighlightSections(false);
    view_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    view_->installEventFilter(this);
    setEditor(view_);
}

void TableField::makeButtons() {
    buttons_ = new QWidget;
    auto* row = new QHBoxLayout(buttons_);
    row->setContentsMargins({});
    row->setSpacing(0);
    const QString title = table_->content().title();
    add_ = addButton(*buttons_, tr("%1: add a row").arg(title), tr("Add a row (Insert)"));
    remove_ = addButton(*buttons_, tr("%1: remove the row").arg(title), tr("Remove the row (Delete)"));
    up_ = addButton(*buttons_, tr("%1: move the row up").arg(title), tr("Move the row up (Alt+Up)"));
    down_ = addButton(*buttons_, tr("%1: move the row down").arg(title), tr("Move the row down (Alt+Down)"));
    up_->setArrowType(Qt::UpArrow);
    down_->setArrowType(Qt::DownArrow);
    connect(add_, &QToolButton::clicked, this, &TableField::add);
    connect(remove_, &QToolButton::clicked, this, &TableField::remove);
    connect(up_, &QToolButton::clicked, this, [this] { move(-1); });
    connect(down_, &QToolButton::clicked, this, [this] { move(1); });
    connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, &TableField::updateButtons);
    for (const auto signal : {&ProjectTable::rowsInserted, &ProjectTable::rowsRemoved}) {
        connect(table_, signal, this, &TableField::updateButtons);
    }
    updateButtons();
}

void TableField::updateButtons() {
    const int row = view_->currentIndex().row();
    remove_->setEnabled(row >= 0);
    up_->setEnabled(row > 0);
    down_->setEnabled(row >= 0 && row + 1 < table_->rowCount());
}

void TableField::applyPalette() {
    if (buttons_ == nullptr) return;
    add_->setIcon(icon("add", palette()));
    remove_->setIcon(icon("remove", palette()));
}

void TableField::fit() {
    fitColumns();
    fitHeight();
}

/// Makes the table as high as its rows, so that the form scrolls and not the table.
void TableField::fitHeight() {
    const int rows = std::clamp(table_->rowCount(), 1, most_rows_shown);
    view_->setFixedHeight(view_->horizontalHeader()->sizeHint().height() + 2 * view_->frameWidth() +
                          rows * view_->verticalHeader()->defaultSectionSize() + 1);
    view_->setVerticalScrollBarPolicy(table_->rowCount() > rows ? Qt::ScrollBarAsNeeded : Qt::ScrollBarAlwaysOff);
}

/// The first column takes what the others leave. Setting the modes anew measures the texts anew.
void TableField::fitColumns() {
    QHeaderView* header = view_->horizontalHeader();
    header->setResizeContentsPrecision(-1);
    header->setMinimumSectionSize(view_->fontMetrics().averageCharWidth() * 7);
    for (int column = 0; column < table_->columnCount(); ++column) {
        header->setSectionResizeMode(column, column == 0 ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
    }
}

void TableField::select(int row, int column) {
    if (row < 0 || row >= table_->rowCount()) return;
    view_->setCurrentIndex(table_->index(row, std::clamp(column, 0, table_->columnCount() - 1)));
    view_->setFocus();
}

void TableField::add() {
    const int last = table_->rowCount() - 1;
    const int current = view_->currentIndex().row();
    select(table_->add(current < 0 ? last : current), 0);
}

void TableField::remove() {
    const QModelIndex current = view_->currentIndex();
    table_->remove(current.row());
    select(std::min(current.row(), table_->rowCount() - 1), current.column());
}

void TableField::move(int by) {
    const QModelIndex current = view_->currentIndex();
    select(table_->move(current.row(), by), current.column());
}

void TableField::setDiagnostics(const Diagnostics& own) {
    table_->setProblems(own);
    FormField::setDiagnostics(own);
}

void TableField::goTo(const std::string& where) {
    const std::optional<CellPlace> place = table_->placeOf(where);
    if (place) select(place->row, place->column);
    view_->setFocus();
}

bool TableField::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress || buttons_ == nullptr) return FormField::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool alt = key->modifiers().testFlag(Qt::AltModifier);
    if (key->key() == Qt::Key_Insert) return add(), true;
    if (key->key() == Qt::Key_Delete) return remove(), true;
    if (alt && key->key() == Qt::Key_Up) return move(-1), true;
    if (alt && key->key() == Qt::Key_Down) return move(1), true;
    return FormField::eventFilter(watched, event);
}

void TableField::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) applyPalette();
}

}  // namespace kernelgen::studio
