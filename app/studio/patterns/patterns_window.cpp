// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/patterns/patterns_window.h"

#include <QEvent>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "app/studio/application/plain_table.h"
#include "app/studio/application/text.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

namespace {

void colour(QLabel& label, const QColor& with) {
    QPalette own = label.palette();
    own.setColor(QPalette::WindowText, with);
    label.setPalette(own);
}

}  // namespace

PatternsWindow::PatternsWindow(Session& session, QWidget* parent)
    : QDialog(parent),
      session_(session),
      filter_(new QLineEdit),
      what_(new QLabel(tr("A pattern is what a strategy gained before, for a finding, a kind of operator, its dtype, "
                          "shapes and device. Patterns order the strategies of the Diagnosis. Your own rounds make "
                          "them; those of others lose weight where your rounds contradict them."))),
      empty_(new QLabel),
      told_(new QLabel),
      table_(new QTableView) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowFlags(Qt::Window);
    setObjectName("patterns");
    setWindowTitle(tr("Patterns"));
    resize(1260, 560);
    what_->setWordWrap(true);
    empty_->setObjectName("patterns_empty");
    empty_->setWordWrap(true);
    empty_->setAlignment(Qt::AlignCenter);
    told_->setObjectName("patterns_told");
    told_->setWordWrap(true);
    filter_->setObjectName("patterns_filter");
    filter_->setPlaceholderText(tr("Filter: a strategy, finding, device …"));
    filter_->setAccessibleName(tr("Filter"));
    filter_->setClearButtonEnabled(true);
    makeTable();
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(what_);
    layout->addWidget(filter_);
    layout->addWidget(table_, 1);
    layout->addWidget(empty_, 1);
    layout->addWidget(told_);
    layout->addWidget(makeActions());
    connect(filter_, &QLineEdit::textChanged, &sorted_, &QSortFilterProxyModel::setFilterFixedString);
    connect(&library_, &PatternLibrary::changed, this, &PatternsWindow::refresh);
    connect(&library_, &PatternLibrary::written, &session_.diagnoses(), &Diagnoses::again);
    connect(&library_, &PatternLibrary::told, this, [this](const QString& message) { tell(message, false); });
    connect(&library_, &PatternLibrary::failed, this, [this](const QString& problem) { tell(problem, true); });
    connect(&session_.rounds(), &RoundStore::changed, &library_, &PatternLibrary::reload);
    tell({}, false);
    refresh();
    library_.reload();
}

void PatternsWindow::makeTable() {
    sorted_.setSourceModel(&model_);
    sorted_.setSortRole(PatternsModel::sort_role);
    sorted_.setFilterKeyColumn(-1);
    sorted_.setFilterCaseSensitivity(Qt::CaseInsensitive);
    model_.setPalette(palette());
    table_->setModel(&sorted_);
    table_->setObjectName("patterns_table");
    table_->setAccessibleName(tr("Patterns"));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed);
    makePlain(*table_);
    table_->verticalHeader()->hide();
    table_->setSortingEnabled(true);
    table_->sortByColumn(PatternsModel::Gain, Qt::DescendingOrder);
    table_->horizontalHeader()->setStretchLastSection(true);
    connect(&model_, &PatternsModel::edited, &library_, &PatternLibrary::edit);
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &PatternsWindow::updateButtons);
}

QPushButton* PatternsWindow::add(const QString& text, const char* id, void (PatternsWindow::*act)()) {
    auto* button = new QPushButton(text);
    button->setObjectName(id);
    button->setAutoDefault(false);
    connect(button, &QPushButton::clicked, this, act);
    return button;
}

QWidget* PatternsWindow::makeActions() {
    toggle_ = add(tr("Disable"), "patterns_toggle", &PatternsWindow::toggle);
    remove_ = add(tr("Delete"), "patterns_remove", &PatternsWindow::remove);
    import_ = add(tr("Import…"), "patterns_import", &PatternsWindow::askWhatToImport);
    export_ = add(tr("Export my own…"), "patterns_export", &PatternsWindow::askWhereToExport);
    import_->setToolTip(tr("Patterns of others: they count as six rounds at most, and less where yours contradict"));
    export_->setToolTip(tr("Patterns of your own rounds, as a file for others"));
    auto* actions = new QWidget;
    auto* line = new QHBoxLayout(actions);
    line->setContentsMargins({});
    line->addWidget(toggle_);
    line->addWidget(remove_);
    line->addStretch(1);
    line->addWidget(import_);
    line->addWidget(export_);
    return actions;
}

void PatternsWindow::tell(const QString& message, bool is_problem) {
    told_problem_ = is_problem;
    told_->setText(message);
    told_->setVisible(!message.isEmpty());
    const Colours colours = coloursOf(palette());
    colour(*told_, is_problem ? colours.bad : colours.good);
}

/// Makes columns as wide as their contents, up to a limit. A shipped pattern that is edited becomes an imported one.
void PatternsWindow::fitColumns() {
    table_->resizeColumnsToContents();
    const int most = 28 * fontMetrics().averageCharWidth();
    for (int column = 0; column < PatternsModel::Note; ++column)
        table_->setColumnWidth(column, std::min(table_->columnWidth(column), most));
    const int imported = fontMetrics().horizontalAdvance(PatternsModel::tr("imported") + QStringLiteral("mm"));
    table_->setColumnWidth(PatternsModel::Origin, std::max(table_->columnWidth(PatternsModel::Origin), imported));
}

/// The chosen pattern stays chosen.
void PatternsWindow::refresh() {
    const Pattern* before = chosen();
    const std::optional<Pattern> kept = before == nullptr ? std::nullopt : std::optional(*before);
    const auto& content = library_.content();
    model_.setContent(content);
    for (int row = 0; kept && row < model_.rowCount(); ++row) {
        const Pattern& each = model_.patternAt(row);
        if (each.key == kept->key && each.is_own == kept->is_own)
            table_->selectRow(sorted_.mapFromSource(model_.index(row, 0)).row());
    }
    const bool has_some = model_.rowCount() > 0;
    if (has_some && table_->isHidden()) fitColumns();
    table_->setVisible(has_some);
    filter_->setVisible(has_some);
    empty_->setVisible(!has_some);
    empty_->setText(content
                        ? tr("No pattern yet. Optimise… (F8) and Apply as next round in the Diagnosis make them, and "
                             "Import… takes those of others.")
                        : tr("Reading the patterns"));
    colour(*empty_, coloursOf(palette()).muted);
    if (content && !content->patterns.warnings.empty()) tell(toQt(content->patterns.warnings.front()), true);
    updateButtons();
}

const Pattern* PatternsWindow::chosen() const {
    const QModelIndexList rows = table_->selectionModel()->selectedRows();
    return rows.isEmpty() ? nullptr : &model_.patternAt(sorted_.mapToSource(rows.front()).row());
}

void PatternsWindow::updateButtons() {
    if (toggle_ == nullptr) return;
    const Pattern* pattern = chosen();
    toggle_->setEnabled(pattern != nullptr);
    toggle_->setText(pattern != nullptr && pattern->is_disabled ? tr("Enable") : tr("Disable"));
    toggle_->setToolTip(tr("A disabled pattern says nothing of its strategy; so does the box of its row"));
    const bool can_go = pattern != nullptr && !pattern->is_shipped;
    remove_->setEnabled(can_go);
    remove_->setToolTip(pattern == nullptr ? tr("Choose a pattern first")
                        : can_go           ? tr("Forget it; new rounds may make it again")
                                           : tr("It is shipped with the program: disable it"));
    const auto& content = library_.content();
    const auto is_own = [](const Pattern& each) { return each.is_own; };
    export_->setEnabled(content && std::ranges::any_of(content->patterns.all, is_own));
}

void PatternsWindow::toggle() {
    const Pattern* pattern = chosen();
    if (pattern == nullptr) return;
    Pattern edited = *pattern;
    edited.is_disabled = !edited.is_disabled;
    library_.edit(edited);
}

void PatternsWindow::remove() {
    if (const Pattern* pattern = chosen()) library_.remove(*pattern);
}

void PatternsWindow::askWhatToImport() {
    const QString file =
        QFileDialog::getOpenFileName(this, tr("Import patterns"), {}, tr("Patterns (*.jsonl);;All files (*)"));
    if (!file.isEmpty()) importFile(file);
}

void PatternsWindow::askWhereToExport() {
    const QString file = QFileDialog::getSaveFileName(this, tr("Export patterns"), QStringLiteral("patterns.jsonl"),
                                                      tr("Patterns (*.jsonl);;All files (*)"));
    if (!file.isEmpty()) exportTo(file);
}

void PatternsWindow::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    if (event->type() != QEvent::PaletteChange || toggle_ == nullptr) return;
    model_.setPalette(palette());
    tell(told_->text(), told_problem_);
    colour(*empty_, coloursOf(palette()).muted);
}

}  // namespace kernelgen::studio
