// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/comparison/comparison_panel.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "app/studio/application/plain_table.h"
#include "app/studio/application/text.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

ComparisonPanel::ComparisonPanel(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      head_(new QLabel),
      empty_(new QLabel),
      pages_(new QStackedWidget),
      table_(new QTableView) {
    makeTable();
    empty_->setObjectName("comparison_empty");
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    head_->setObjectName("comparison_head");
    auto* compared = new QWidget;
    auto* column = new QVBoxLayout(compared);
    column->setContentsMargins({});
    column->setSpacing(4);
    column->addWidget(head_);
    column->addWidget(table_, 1);
    pages_->addWidget(compared);
    pages_->addWidget(empty_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 0, 0);
    layout->addWidget(pages_);
    connect(&session_.comparisons(), &Comparisons::changed, this, &ComparisonPanel::refresh);
    connect(&session_, &Session::variantChanged, this, &ComparisonPanel::refresh);
    connect(&session_.engine(), &Engine::runningChanged, this, &ComparisonPanel::refresh);
    connect(&session_.engine(), &Engine::devicesChanged, this, &ComparisonPanel::refresh);
    applyPalette();
    refresh();
}

void ComparisonPanel::makeTable() {
    table_->setModel(&model_);
    table_->setObjectName("comparison_table");
    table_->setAccessibleName(tr("Comparison of all variants"));
    table_->setToolTip(tr("Enter or a double click brings a variant under work"));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    makePlain(*table_);
    table_->verticalHeader()->hide();
    table_->horizontalHeader()->setStretchLastSection(true);
    auto* copy_action = new QAction(tr("Copy all"), table_);
    copy_action->setShortcut(QKeySequence::Copy);
    copy_action->setShortcutContext(Qt::WidgetShortcut);
    table_->addAction(copy_action);
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(copy_action, &QAction::triggered, this, &ComparisonPanel::copy);
    connect(table_, &QAbstractItemView::activated, this,
            [this](const QModelIndex& index) { session_.setVariant(model_.variantAt(index.row())); });
}

void ComparisonPanel::refresh() {
    const auto comparison = session_.comparisons().of(session_.device());
    model_.setComparison(comparison);
    pages_->setCurrentIndex(comparison ? 0 : 1);
    if (comparison) {
        head_->setText(describe(*comparison));
        return fitColumns();
    }
    empty_->setText(whyEmpty());
}

QString ComparisonPanel::whyEmpty() const {
    if (!session_.document().isOpen()) return tr("Open a project to compare its variants.");
    if (session_.engine().isComparing())
        return tr("All variants are being verified and timed on %1; each appears here when it is done.")
            .arg(session_.device());
    return session_.adviceToRun(
        tr("No comparison on %1 yet: F6 verifies and times all of its variants side by side.").arg(session_.device()));
}

/// Makes columns as wide as their contents; names and reasons up to a limit, so that the figures beside them can be
/// seen.
void ComparisonPanel::fitColumns() {
    constexpr int most_characters = 36;
    const int most = most_characters * QFontMetrics(table_->font()).averageCharWidth();
    for (int column = 0; column < ComparisonModel::Tunables; ++column) {
        table_->resizeColumnToContents(column);
        if (table_->columnWidth(column) > most) table_->setColumnWidth(column, most);
    }
}

/// Copies the table as text with tabs, for a spreadsheet.
void ComparisonPanel::copy() const {
    QStringList lines;
    for (int row = -1; row < model_.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < ComparisonModel::column_count; ++column) {
            cells << (row < 0 ? model_.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString()
                              : model_.index(row, column).data(ComparisonModel::full_text_role).toString());
        }
        lines << cells.join('\t');
    }
    QGuiApplication::clipboard()->setText(lines.join('\n'));
}

void ComparisonPanel::applyPalette() {
    model_.setPalette(palette());
    QPalette muted = palette();
    muted.setColor(QPalette::WindowText, coloursOf(palette()).muted);
    empty_->setPalette(muted);
    head_->setPalette(muted);
}

void ComparisonPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) applyPalette();
}

}  // namespace kernelgen::studio
