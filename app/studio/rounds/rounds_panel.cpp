// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/rounds/rounds_panel.h"

#include <QClipboard>
#include <QEvent>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHeaderView>
#include <QMenu>
#include <QScrollBar>
#include <QVBoxLayout>

#include "app/studio/application/elided_label.h"
#include "app/studio/application/engine_words.h"
#include "app/studio/application/language.h"
#include "app/studio/application/plain_table.h"
#include "app/studio/application/text.h"
#include "app/studio/theme/icons.h"
#include "app/studio/theme/theme.h"
#include "core/report/phrases.h"

namespace kernelgen::studio {

RoundsPanel::RoundsPanel(Session& session, QWidget* parent)
    : QWidget(parent), session_(session), filtered_(model_), details_(new RoundDetails(session, model_)) {
    makeFilter();
    makeTable();
    makeActions();
    place();
    follow();
    applyPalette();
    readStars();
    takeHistory();
}

void RoundsPanel::makeFilter() {
    filter_ = new QLineEdit;
    filter_->setPlaceholderText(tr("Filter rounds"));
    filter_->setAccessibleName(tr("Filter rounds"));
    filter_->setToolTip(tr("Rounds that have this text in any column"));
    filter_->setClearButtonEnabled(true);
    filter_->setMinimumWidth(filter_->fontMetrics().horizontalAdvance(filter_->placeholderText()) +
                             3 * filter_->fontMetrics().height());  // with its button
    filter_->setObjectName("rounds_filter");
    count_ = new QLabel;
    count_->setObjectName("rounds_count");
    running_ = new ElidedLabel;
    running_->hide();
    running_->setObjectName("rounds_running");
    connect(filter_, &QLineEdit::textChanged, this, &RoundsPanel::applyFilter);
}

void RoundsPanel::makeTable() {
    table_ = new QTableView;
    table_->setModel(&filtered_);
    table_->setObjectName("rounds_table");
    table_->setAccessibleName(tr("Rounds"));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table_->setSortingEnabled(true);
    table_->sortByColumn(RoundsModel::Number, Qt::DescendingOrder);
    makePlain(*table_);
    table_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    table_->setContextMenuPolicy(Qt::CustomContextMenu);
    const int text_height = QFontMetrics(table_->font()).height();
    table_->setIconSize({text_height * 2 / 3, text_height * 2 / 3});
    table_->verticalHeader()->hide();
    table_->horizontalHeader()->setSectionsMovable(true);
    table_->horizontalHeader()->setStretchLastSection(true);
    sizeColumns();
    columns_ = new RoundColumns(*table_, model_, session_.settings(), this);
    connect(table_, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == RoundsModel::Star) star(model_.round(filtered_.mapToSource(index).row()).number);
    });
    empty_ = new QLabel;
    empty_->setWordWrap(true);
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    connect(table_, &QWidget::customContextMenuRequested, this, &RoundsPanel::showMenu);
}

/// Makes columns wide enough for usual contents: to measure all contents would take too long.
void RoundsPanel::sizeColumns() {
    const QFontMetrics metrics(table_->font());
    const char* usual[RoundsModel::column_count] = {"10000",
                                                    "crashed: SIGSEGV",
                                                    "≈ 1.234 [1.234, 1.234] ",
                                                    "+100.0 %",
                                                    "1234.5",
                                                    "100.0 %",
                                                    "cuda:0",
                                                    "variant",
                                                    "BLOCK_M=16 BLOCK_N=1024",
                                                    "implementation",
                                                    "library",
                                                    "2026-01-01 00:00:00",
                                                    "note",
                                                    "★"};
    for (int column = 0; column < RoundsModel::column_count; ++column) {
        const QString title = model_.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        const int mark = column == RoundsModel::Verdict ? metrics.height() : 0;
        const int wanted = std::max(metrics.horizontalAdvance(usual[column]), metrics.horizontalAdvance(title) + 16);
        table_->setColumnWidth(column, wanted + mark + 14);
    }
}

QAction* RoundsPanel::makeAction(const QString& name, const QString& icon, const QString& tip) {
    auto* action = new QAction(name, this);
    action->setToolTip(tip);
    action->setData(icon);
    table_->addAction(action);
    return action;
}

void RoundsPanel::makeActions() {
    restore_ = makeAction(tr("Restore this round"), "restore",
                          tr("Its tunables and sources become the project's; can be undone"));
    compare_ = makeAction(tr("Compare"), "compare",
                          tr("With the other marked round, or with its parent; Ctrl and a click mark a second one"));
    copy_ = makeAction(tr("Copy as text"), "copy", tr("The marked rounds, for a spreadsheet"));
    copy_->setShortcut(QKeySequence::Copy);
    copy_->setShortcutContext(Qt::WidgetShortcut);
    connect(restore_, &QAction::triggered, this, &RoundsPanel::restoreWanted);
    connect(compare_, &QAction::triggered, this, &RoundsPanel::compare);
    connect(copy_, &QAction::triggered, this, &RoundsPanel::copyAsText);
}

void RoundsPanel::place() {
    auto* bar = new QHBoxLayout;
    bar->addWidget(filter_, 1);
    bar->addWidget(count_);
    best_only_ = new QToolButton;
    best_only_->setObjectName("rounds_best_only");
    best_only_->setText(tr("Best only"));
    best_only_->setToolTip(tr("Of each variant the best round of those that may be compared, and what is starred"));
    best_only_->setCheckable(true);
    best_only_->setAutoRaise(true);
    connect(best_only_, &QToolButton::toggled, this, &RoundsPanel::setBestOnly);
    columns_button_ = new QToolButton;
    columns_button_->setObjectName("rounds_columns");
    columns_button_->setText(tr("Columns"));
    columns_button_->setToolTip(tr("Which columns are shown; drag a title to move its column"));
    columns_button_->setMenu(&columns_->menu());
    columns_button_->setPopupMode(QToolButton::InstantPopup);
    columns_button_->setAutoRaise(true);
    bar->addWidget(best_only_);
    bar->addWidget(columns_button_);
    for (QAction* action : {restore_, compare_, copy_}) {
        auto* button = new QToolButton;
        button->setDefaultAction(action);
        button->setAutoRaise(true);
        button->setAccessibleName(action->text());
        bar->addWidget(button);
    }
    pages_ = new QStackedWidget;
    pages_->addWidget(table_);
    pages_->addWidget(empty_);
    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(4, 4, 0, 0);
    column->setSpacing(4);
    column->addLayout(bar);
    column->addWidget(running_);
    column->addWidget(pages_, 1);
    splitter_ = new QSplitter;
    splitter_->addWidget(left);
    splitter_->addWidget(details_);
    splitter_->setStretchFactor(0, 5);
    splitter_->setStretchFactor(1, 4);
    splitter_->setSizes({500, 400});
    splitter_->restoreState(session_.settings().splitter("rounds"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(splitter_);
}

void RoundsPanel::follow() {
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
        if (!following_ || !row.isValid()) return;
        following_ = false;  // the table shows it already
        session_.selectRound(model_.round(filtered_.mapToSource(row).row()).number);
        following_ = true;
    });
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &RoundsPanel::updateState);
    connect(&session_, &Session::selectedRoundChanged, this, &RoundsPanel::showSelected);
    connect(&session_.rounds(), &RoundStore::changed, this, &RoundsPanel::takeHistory);
    connect(&session_.engine(), &Engine::runProgressed, this, &RoundsPanel::showProgress);
    connect(&session_.engine(), &Engine::runningChanged, this, [this] { showProgress({}, 0, 0); });
    connect(&session_.document(), &ProjectDocument::opened, this, &RoundsPanel::beginAnew);
    connect(&session_.document(), &ProjectDocument::changed, this, &RoundsPanel::updateState);
    connect(&session_, &Session::variantChanged, this, &RoundsPanel::updateState);
    connect(&session_.engine(), &Engine::devicesChanged, this, &RoundsPanel::updateState);
    connect(splitter_, &QSplitter::splitterMoved, this,
            [this] { session_.settings().setSplitter("rounds", splitter_->saveState()); });
}

/// How another project's rounds were sorted and filtered says nothing of these.
void RoundsPanel::beginAnew() {
    filter_->clear();
    best_only_->setChecked(false);
    readStars();
    table_->sortByColumn(RoundsModel::Number, Qt::DescendingOrder);
    updateState();
}

void RoundsPanel::takeHistory() {
    const int place = table_->verticalScrollBar()->value();
    const QHeaderView& header = *table_->horizontalHeader();
    const QString sorted_by = columns_->idOf(header.sortIndicatorSection());
    following_ = false;
    model_.setHistory(session_.rounds().sharedHistory());
    columns_->apply();
    // Columns of tunables move when another one comes.
    if (const int column = columns_->columnOf(sorted_by); column < 0)
        table_->sortByColumn(RoundsModel::Number, Qt::DescendingOrder);
    else if (column != header.sortIndicatorSection()) table_->sortByColumn(column, header.sortIndicatorOrder());
    following_ = true;
    table_->verticalScrollBar()->setValue(place);
    showSelected();
    updateState();
}

/// The rows that go must not take the selection with them.
void RoundsPanel::changeRows(const std::function<void()>& change) {
    following_ = false;
    change();
    following_ = true;
    showSelected();
    updateState();
}

void RoundsPanel::applyFilter(const QString& text) {
    changeRows([&] { filtered_.setText(text); });
}

void RoundsPanel::setBestOnly(bool on) {
    if (on != best_only_->isChecked()) return best_only_->setChecked(on);  // which comes back here
    changeRows([&] { filtered_.setBestOnly(on); });
    emit bestOnlyChanged(on);
}

void RoundsPanel::toggleStar() {
    if (session_.selectedRound()) star(*session_.selectedRound());
}

void RoundsPanel::star(int number) {
    const QString folder = session_.document().folder();
    QStringList numbers = session_.settings().starredRounds(folder);
    if (!numbers.removeOne(QString::number(number))) numbers << QString::number(number);
    session_.settings().setStarredRounds(folder, numbers);
    readStars();
    table_->scrollTo(table_->currentIndex());  // it has another place now
}

void RoundsPanel::readStars() {
    std::set<int> starred;
    for (const QString& each : session_.settings().starredRounds(session_.document().folder()))
        starred.insert(each.toInt());
    changeRows([&] {
        model_.setStarred(std::move(starred));
        filtered_.invalidate();
    });
}

void RoundsPanel::showSelected() {
    if (!following_) return;
    const std::optional<int> selected = session_.selectedRound();
    const int source_row = selected ? model_.rowOf(*selected) : -1;
    const QModelIndex row =
        source_row < 0 ? QModelIndex() : filtered_.mapFromSource(model_.index(source_row, RoundsModel::Number));
    following_ = false;
    if (!row.isValid()) table_->clearSelection();
    const bool shown = table_->currentIndex().row() == row.row() && table_->selectionModel()->isRowSelected(row.row());
    if (row.isValid() && !shown) {
        // Not through the view: it would read a Ctrl that is held for Ctrl+. as the wish to mark one more row.
        table_->selectionModel()->setCurrentIndex(row, QItemSelectionModel::ClearAndSelect | QItemSelectionModel::Rows);
        table_->scrollTo(row);
    }
    following_ = true;
    updateState();
}

std::vector<int> RoundsPanel::marked() const {
    std::vector<int> rows, numbers;
    for (const QModelIndex& each : table_->selectionModel()->selectedRows()) rows.push_back(each.row());
    std::ranges::sort(rows);
    for (const int row : rows) {
        numbers.push_back(model_.round(filtered_.mapToSource(filtered_.index(row, 0)).row()).number);
    }
    return numbers;
}

void RoundsPanel::compare() {
    std::optional<int> other;
    for (const int number : marked()) {
        if (number != session_.selectedRound()) other = number;
    }
    details_->showDifference(other);
}

/// The columns that are shown, but the star, in their order.
std::vector<int> RoundsPanel::columns() const {
    const QHeaderView& header = *table_->horizontalHeader();
    std::vector<int> columns;
    for (int place = 0; place < header.count(); ++place) {
        const int column = header.logicalIndex(place);
        if (column != RoundsModel::Star && !header.isSectionHidden(column)) columns.push_back(column);
    }
    return columns;
}

void RoundsPanel::copyAsText() const {
    QStringList cells;
    for (const int column : columns()) {
        cells << model_.headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
    }
    QString text = cells.join('\t') + "\n";
    for (const int number : marked()) {
        cells.clear();
        for (const int column : columns()) {
            cells << model_.index(model_.rowOf(number), column).data().toString();
        }
        text += cells.join('\t') + "\n";
    }
    QGuiApplication::clipboard()->setText(text);
}

void RoundsPanel::showMenu(const QPoint& position) {
    if (!table_->indexAt(position).isValid()) return;
    QMenu menu(this);
    menu.addActions({restore_, compare_, copy_});
    menu.exec(table_->viewport()->mapToGlobal(position));
}

void RoundsPanel::showProgress(const QString& stage, int done, int total) {
    const Engine& engine = session_.engine();
    running_->setVisible(engine.isRunning());
    if (!engine.isRunning()) return;
    const auto& rounds = session_.rounds().history().rounds;
    const int number = rounds.empty() ? 0 : rounds.back().number + 1;
    const QString what = engine.isMakingRound() ? tr("Round %1 is running").arg(number) : tr("Running");
    const QString steps = total > 0 ? QString(" (%1/%2)").arg(done).arg(total) : QString();
    running_->setText(stage.isEmpty() ? what : what + ": " + stageInWords(stage) + steps);
}

void RoundsPanel::updateState() {
    const int all = model_.rowCount(), shown = filtered_.rowCount();
    const int planned = session_.document().project().performance.max_rounds;
    const QString spent = toQt(windowPhrases().rounds_spent(static_cast<std::size_t>(all), planned));
    count_->setText(shown == all ? spent : tr("%L1 of %L2").arg(shown).arg(all));
    count_->setToolTip(spent);
    count_->setVisible(all > 0);
    empty_->setText(all > 0 ? tr("No round matches the filter")
                            : session_.adviceToRun(
                                  tr("No rounds yet. F5 verifies and times the variant, and records the first one")));
    pages_->setCurrentIndex(shown == 0 ? 1 : 0);
    const bool any = !table_->selectionModel()->selectedRows().isEmpty();
    for (QAction* action : {restore_, compare_, copy_}) {
        action->setEnabled(any);
        action->setStatusTip(any ? QString() : tr("Select a round first"));
    }
}

void RoundsPanel::applyPalette() {
    model_.setPalette(palette());
    for (QAction* action : {restore_, compare_, copy_}) action->setIcon(icon(action->data().toString(), palette()));
    const Colours colours = coloursOf(palette());
    QPalette secondary = palette();
    secondary.setColor(QPalette::WindowText, colours.muted);
    count_->setPalette(secondary);
    empty_->setPalette(secondary);
    secondary.setColor(QPalette::WindowText, colours.accent);
    running_->setPalette(secondary);
}

void RoundsPanel::focusFilter() {
    filter_->setFocus(Qt::ShortcutFocusReason);
    filter_->selectAll();
}

void RoundsPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && table_ != nullptr) applyPalette();
}

}  // namespace kernelgen::studio
