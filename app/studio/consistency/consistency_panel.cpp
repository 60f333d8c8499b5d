// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/consistency/consistency_panel.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/plain_table.h"
#include "app/studio/application/selectable.h"
#include "app/studio/application/text.h"
#include "app/studio/consistency/consistency_words.h"
#include "app/studio/theme/icons.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

ConsistencyPanel::ConsistencyPanel(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      check_(session.document()),
      mark_(new QLabel("●")),
      state_(new QLabel),
      message_(new QLabel),
      step_(new QPushButton(tr("Bring in step"))),
      pages_(new QStackedWidget),
      table_(new QTableView),
      list_(new QListWidget) {
    makeTable();
    makeList();
    message_->setObjectName("consistency_message");
    message_->setAlignment(Qt::AlignCenter);
    message_->setWordWrap(true);
    makeSelectable(*message_, Qt::TextBrowserInteraction);
    message_->setAccessibleName(tr("Why nothing is compared"));
    connect(message_, &QLabel::linkActivated, this, &ConsistencyPanel::settingsWanted);
    auto* found = new QWidget;
    auto* column = new QVBoxLayout(found);
    column->setContentsMargins({});
    column->setSpacing(4);
    column->addWidget(makeHead());
    auto* splitter = new QSplitter(Qt::Horizontal);
    splitter->addWidget(table_);
    splitter->addWidget(list_);
    splitter->setStretchFactor(0, 3);
    splitter->setStretchFactor(1, 1);
    splitter->setSizes({750, 250});
    column->addWidget(splitter, 1);
    pages_->addWidget(found);
    pages_->addWidget(message_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 0, 0);
    layout->addWidget(pages_);
    connect(&check_, &ConsistencyCheck::changed, this, &ConsistencyPanel::refresh);
    connect(&check_, &ConsistencyCheck::stepped, this, &ConsistencyPanel::takeStep);
    connect(&session_, &Session::pythonChanged, &check_, &ConsistencyCheck::forget);
    check_.look();
    applyPalette();
    refresh();
}

QWidget* ConsistencyPanel::makeHead() {
    auto* head = new QWidget;
    auto* line = new QHBoxLayout(head);
    line->setContentsMargins(0, 0, 4, 0);
    line->addWidget(mark_, 0, Qt::AlignTop);
    line->addWidget(state_, 1);
    line->addWidget(step_, 0, Qt::AlignTop);
    state_->setObjectName("consistency_state");
    state_->setAccessibleName(tr("Whether the files agree"));
    state_->setWordWrap(true);
    step_->setObjectName("bring_in_step");
    step_->setToolTip(tr("Write stale files again and set tunables in place; what a person edited is left alone"));
    connect(step_, &QPushButton::clicked, this, &ConsistencyPanel::bringInStep);
    return head;
}

void ConsistencyPanel::makeTable() {
    table_->setModel(&model_);
    table_->setObjectName("consistency_table");
    table_->setAccessibleName(tr("Checklist of the files"));
    table_->setToolTip(tr("Enter or a double click goes to the place"));
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    makePlain(*table_);
    table_->verticalHeader()->setHighlightSections(false);
    table_->verticalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    table_->horizontalHeader()->setMinimumSectionSize(8 * QFontMetrics(table_->font()).averageCharWidth());
    connect(table_, &QAbstractItemView::activated, this, &ConsistencyPanel::goToCell);
    connect(table_, &QAbstractItemView::clicked, this, [this](const QModelIndex& index) {
        if (model_.mismatchAt(index) != nullptr) goToCell(index);
    });
}

void ConsistencyPanel::makeList() {
    list_->setObjectName("consistency_mismatches");
    list_->setAccessibleName(tr("What does not agree"));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setWordWrap(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setSpacing(1);
    const int dot_size = QFontMetrics(list_->font()).height() * 2 / 3;
    list_->setIconSize({dot_size, dot_size});
    connect(list_, &QListWidget::itemActivated, this, &ConsistencyPanel::goToItem);
    connect(list_, &QListWidget::itemClicked, this, &ConsistencyPanel::goToItem);
}

int ConsistencyPanel::mismatches() const { return mismatches_; }

void ConsistencyPanel::refresh() {
    const Consistency* found = check_.found();
    const int before = std::exchange(mismatches_, found == nullptr ? 0 : static_cast<int>(found->mismatches.size()));
    if (before != mismatches_) emit countChanged(mismatches_);
    if (!session_.document().isOpen()) return showMessage(tr("Open a project to compare its files."));
    if (found == nullptr) {
        const QString problem = check_.problem();
        if (problem.isEmpty()) return showMessage(tr("Comparing the files"));
        const bool sound = session_.document().diagnostics().empty();
        return sound ? showMissingPython(problem) : showMessage(problem);
    }
    if (found->rows.empty() && found->stale.empty()) {
        return showMessage(tr("No variant in Triton: there are no files of Python to compare."));
    }
    model_.setConsistency(*found);
    table_->setVisible(model_.rowCount() > 0);
    fillList(*found);
    state_->setText(stateOf(*found));
    step_->setEnabled(!found->consistent() && !check_.isBringingInStep());
    applyPalette();
    pages_->setCurrentIndex(0);
}

void ConsistencyPanel::showMessage(const QString& text) {
    model_.clear();
    message_->setText(breakable(text));
    pages_->setCurrentWidget(message_);
}

void ConsistencyPanel::showMissingPython(const QString& problem) {
    const QString why = inWords(problem.toStdString()).toHtmlEscaped();
    showMessage(QStringLiteral("<p>%1</p><p>%2</p><p><a href=\"settings\">%3</a></p>")
                    .arg(why, howToGetPython().toHtmlEscaped(), tr("Settings").toHtmlEscaped()));
}

void ConsistencyPanel::fillList(const Consistency& found) {
    list_->clear();
    for (const Diagnostic& each : found.mismatches) {
        const QString place = lineOf(each) > 0 ? QStringLiteral("%1:%2").arg(toQt(each.file)).arg(lineOf(each))
                                               : toQt(each.file.empty() ? each.where : each.file);
        const QString what = inWords(each.message), advice = inWords(each.suggestion);
        auto* item = new QListWidgetItem(place + "  " + what + (advice.isEmpty() ? QString() : "; " + advice), list_);
        item->setIcon(dot(coloursOf(palette()).bad));
    }
    for (const StaleFile& each : found.stale) {
        new QListWidgetItem(dot(coloursOf(palette()).warning), staleText(each), list_);
    }
    list_->setVisible(list_->count() > 0);
}

void ConsistencyPanel::goToCell(const QModelIndex& index) {
    if (const Diagnostic* mismatch = model_.mismatchAt(index)) return goTo(*mismatch);
    if (const QString file = model_.fileAt(index.column()); !file.isEmpty()) emit goToSource(file, 0, 0);
}

void ConsistencyPanel::goToItem(const QListWidgetItem* item) {
    const Consistency* found = check_.found();
    if (found == nullptr) return;
    const auto row = static_cast<std::size_t>(list_->row(item));
    if (row < found->mismatches.size()) return goTo(found->mismatches[row]);
    const std::size_t stale = row - found->mismatches.size();
    if (stale < found->stale.size()) emit goToSource(toQt(found->stale[stale].file), 0, 0);
}

void ConsistencyPanel::goTo(const Diagnostic& mismatch) {
    if (lineOf(mismatch) > 0 || mismatch.where.empty()) emit goToSource(toQt(mismatch.file), lineOf(mismatch), 1);
    else emit goToDefinition(toQt(mismatch.where));
}

void ConsistencyPanel::bringInStep() {
    check_.bringInStep();
    step_->setEnabled(!check_.isBringingInStep());
}

void ConsistencyPanel::takeStep(const QStringList& steps, const QString& problem) {
    refresh();
    if (!problem.isEmpty()) session_.log().add(Severity::error, problem);
    for (const QString& each : steps) session_.log().add(Severity::information, each);
    emit done(!problem.isEmpty() ? problem : steps.isEmpty() ? tr("Everything is in step already") : steps.join("; "));
}

void ConsistencyPanel::applyPalette() {
    const Colours colours = coloursOf(palette());
    const Consistency* found = check_.found();
    QPalette own;
    const bool stale = found != nullptr && !found->consistent();
    own.setColor(QPalette::WindowText, mismatches_ > 0 ? colours.bad : stale ? colours.warning : colours.good);
    mark_->setPalette(own);
    QPalette muted = palette();
    muted.setColor(QPalette::WindowText, colours.muted);
    message_->setPalette(muted);
    model_.setPalette(palette());
    step_->setIcon(icon("generate", palette()));
}

void ConsistencyPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    applyPalette();
    if (check_.found() != nullptr) fillList(*check_.found());
}

}  // namespace kernelgen::studio
