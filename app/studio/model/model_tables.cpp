// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/model/model_tables.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QSplitter>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>

#include "app/studio/application/plain_table.h"
#include "app/studio/model/bar_delegate.h"
#include "app/studio/model/model_words.h"

namespace kernelgen::studio {

ModelTables::ModelTables(QWidget* parent) : QWidget(parent), tabs_(new QTabWidget), page_(new QTextBrowser) {
    make(calls_, "model_calls", tr("Calls of operators"));
    make(neighbours_, "model_neighbours", tr("Neighbours of which each feeds the next"));
    for (const auto hidden : {ModelLines::Module, ModelLines::Inputs, ModelLines::Flops, ModelLines::Intensity})
        neighbours_.view->setColumnHidden(hidden, true);
    calls_.view->horizontalHeader()->setSectionResizeMode(ModelLines::Inputs, QHeaderView::Stretch);
    neighbours_.view->horizontalHeader()->setSectionResizeMode(ModelLines::Operator, QHeaderView::Stretch);
    page_->setObjectName("model_page");
    page_->setAccessibleName(tr("What is known of the chosen calls"));
    page_->setFrameShape(QFrame::NoFrame);
    page_->document()->setDocumentMargin(8);
    tabs_->setDocumentMode(true);
    tabs_->addTab(calls_.view, {});
    tabs_->addTab(neighbours_.view, {});
    tabs_->setTabToolTip(1, tr("Calls of which each uses what one before it made, as if they were one kernel"));
    auto* splitter = new QSplitter(Qt::Horizontal);
    const int page_width = 48 * fontMetrics().averageCharWidth();
    page_->setMinimumWidth(page_width);
    splitter->addWidget(tabs_);
    splitter->addWidget(page_);
    splitter->setStretchFactor(0, 1);
    splitter->setChildrenCollapsible(false);
    splitter->setSizes({10 * page_width, page_width});
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(splitter);
    connect(tabs_, &QTabWidget::currentChanged, this, &ModelTables::tellOfLine);
    applyPalette();
}

void ModelTables::make(Table& table, const QString& name, const QString& accessible) {
    table.view = new QTableView;
    table.sorted.setSourceModel(&table.lines);
    table.sorted.setSortRole(ModelLines::sort_role);
    QTableView& view = *table.view;
    view.setModel(&table.sorted);
    view.setObjectName(name);
    view.setAccessibleName(accessible);
    view.setItemDelegate(new BarDelegate(&view));
    view.setSelectionBehavior(QAbstractItemView::SelectRows);
    view.setSelectionMode(QAbstractItemView::SingleSelection);
    makePlain(view);
    view.verticalHeader()->hide();
    view.verticalHeader()->setDefaultSectionSize(fontMetrics().height() + 10);
    view.setSortingEnabled(true);
    setWidths(view);
    auto* copy_action = new QAction(tr("Copy all"), &view);
    copy_action->setShortcut(QKeySequence::Copy);
    copy_action->setShortcutContext(Qt::WidgetShortcut);
    view.addAction(copy_action);
    view.setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(copy_action, &QAction::triggered, this, &ModelTables::copy);
    connect(view.selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ModelTables::tellOfLine);
}

void ModelTables::setWidths(QTableView& view) {
    constexpr std::pair<int, int> widths[] = {
        {ModelLines::Calls, 8},    {ModelLines::Times, 8},  {ModelLines::Operator, 24}, {ModelLines::Module, 14},
        {ModelLines::Time, 11},    {ModelLines::Flops, 14}, {ModelLines::Bytes, 11},    {ModelLines::Intensity, 9},
        {ModelLines::Reached, 19}, {ModelLines::Share, 9},  {ModelLines::Gain, 16}};
    for (const auto& [column, characters] : widths)
        view.setColumnWidth(column, characters * view.fontMetrics().averageCharWidth());
}

/// The same model told again keeps the row that was chosen.
void ModelTables::show(std::shared_ptr<const ModelReport> report) {
    if (report == report_) return;
    const std::optional<std::size_t> before = row();
    report_ = std::move(report);
    calls_.lines.setCalls(*report_);
    neighbours_.lines.setNeighbours(*report_);
    tabs_->setTabText(0, tr("Calls (%1)").arg(report_->profile.calls()));
    tabs_->setTabText(1, tr("Neighbours (%1)").arg(report_->profile.groups.size()));
    tabs_->setTabEnabled(1, !report_->profile.groups.empty());
    const int order = report_->ceilings.measured() ? ModelLines::Gain : ModelLines::Share;
    for (Table* each : {&calls_, &neighbours_}) {
        each->view->sortByColumn(order, Qt::DescendingOrder);
        each->view->selectRow(0);
    }
    if (before) choose(*before);
    tellOfLine();
}

const ModelTables::Table& ModelTables::shown() const { return tabs_->currentIndex() == 0 ? calls_ : neighbours_; }

const ModelLine* ModelTables::line() const {
    const QModelIndex current = shown().view->currentIndex();
    return !report_ || !current.isValid() ? nullptr : &shown().lines.at(shown().sorted.mapToSource(current).row());
}

std::optional<CallRange> ModelTables::calls() const {
    const ModelLine* chosen = line();
    return chosen == nullptr ? std::nullopt : std::optional(chosen->calls);
}

std::optional<std::size_t> ModelTables::row() const {
    const ModelLine* chosen = &shown() == &calls_ ? line() : nullptr;
    return chosen == nullptr ? std::nullopt : std::optional(chosen->place);
}

void ModelTables::choose(std::size_t row) {
    tabs_->setCurrentIndex(0);
    for (int i = 0; i < calls_.lines.rowCount(); ++i) {
        if (calls_.lines.at(i).place != row) continue;
        calls_.view->selectRow(calls_.sorted.mapFromSource(calls_.lines.index(i, 0)).row());
    }
}

void ModelTables::tellOfLine() {
    const ModelLine* chosen = line();
    if (chosen == nullptr) page_->clear();
    else if (&shown() == &calls_) page_->setHtml(pageOf(*report_, report_->profile.rows[chosen->place], palette()));
    else page_->setHtml(pageOf(*report_, report_->profile.groups[chosen->place], palette()));
    emit this->chosen();
}

/// Copies the table as text with tabs, for a spreadsheet.
void ModelTables::copy() const {
    const QSortFilterProxyModel& table = shown().sorted;
    QStringList lines;
    for (int row = -1; row < table.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < table.columnCount(); ++column) {
            if (shown().view->isColumnHidden(column)) continue;
            cells << (row < 0 ? table.headerData(column, Qt::Horizontal) : table.index(row, column).data()).toString();
        }
        lines << cells.join('\t');
    }
    QGuiApplication::clipboard()->setText(lines.join('\n'));
}

void ModelTables::applyPalette() {
    calls_.lines.setPalette(palette());
    neighbours_.lines.setPalette(palette());
}

void ModelTables::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    applyPalette();
    tellOfLine();
}

}  // namespace kernelgen::studio
