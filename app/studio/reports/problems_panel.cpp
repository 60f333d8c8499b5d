// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/reports/problems_panel.h"

#include <QAction>
#include <QClipboard>
#include <QEvent>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHeaderView>
#include <QVBoxLayout>
#include <algorithm>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/language.h"
#include "app/studio/application/text.h"
#include "app/studio/theme/theme.h"
#include "core/explain/compiler_errors.h"

namespace kernelgen::studio {

namespace {

Problem problemOf(const Diagnostic& diagnostic) {
    return {.severity = Severity::error,
            .message = inWords(diagnostic.message),
            .suggestion = inWords(diagnostic.suggestion),
            .where = toQt(diagnostic.where),
            .file = {}};
}

/// Why a compiler says so and what to do, where that is known.
QString adviceFor(const std::string& message) {
    const auto known = explain_error(message, known_errors());
    if (!known) return {};
    const bool is_chinese = tongueOfInterface() == Tongue::chinese;
    const auto in = [is_chinese](const BothTongues& texts) { return toQt(is_chinese ? texts.chinese : texts.english); };
    return in(known->why) + (is_chinese ? QStringLiteral("：") : QStringLiteral(": ")) + in(known->what_to_do);
}

Problem problemOf(const CompilerMessage& message) {
    return {.severity = message.severity == "error"     ? Severity::error
                        : message.severity == "warning" ? Severity::warning
                                                        : Severity::information,
            .message = toQt(message.text),
            .suggestion = message.severity == "error" ? adviceFor(message.text.text()) : QString(),
            .where = {},
            .file = toQt(message.file),
            .line = message.line,
            .column = message.column};
}

}  // namespace

ProblemsPanel::ProblemsPanel(Session& session, QWidget* parent)
    : QWidget(parent), session_(session), pages_(new QStackedWidget), table_(new QTableView), empty_(new QLabel) {
    makeTable();
    empty_->setText(tr("No problems"));
    empty_->setAlignment(Qt::AlignCenter);
    pages_->addWidget(table_);
    pages_->addWidget(empty_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 0, 0);
    layout->addWidget(pages_);
    follow();
    applyPalette();
    refresh();
}

void ProblemsPanel::makeTable() {
    table_->setModel(&model_);
    table_->setObjectName("problems_table");
    table_->setAccessibleName(tr("Problems"));
    table_->setToolTip(tr("Enter or a double click goes to the place"));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setShowGrid(false);
    table_->setTabKeyNavigation(false);
    table_->setFrameShape(QFrame::NoFrame);
    const QFontMetrics metrics(table_->font());
    const int character = metrics.averageCharWidth();
    table_->setIconSize({metrics.height() * 2 / 3, metrics.height() * 2 / 3});
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setDefaultSectionSize(metrics.height() + 6);
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->setColumnWidth(ProblemsModel::Kind, 10 * character + metrics.height());
    table_->setColumnWidth(ProblemsModel::Message, 44 * character);
    table_->setColumnWidth(ProblemsModel::Place, 24 * character);
    auto* copy_action = new QAction(tr("Copy"), table_);
    copy_action->setShortcut(QKeySequence::Copy);
    copy_action->setShortcutContext(Qt::WidgetShortcut);
    table_->addAction(copy_action);
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(copy_action, &QAction::triggered, this, &ProblemsPanel::copy);
    connect(table_, &QAbstractItemView::activated, this, &ProblemsPanel::goTo);
}

void ProblemsPanel::follow() {
    ProjectDocument& document = session_.document();
    connect(&document, &ProjectDocument::opened, this, &ProblemsPanel::forgetRefusal);
    connect(&document, &ProjectDocument::changed, this, &ProblemsPanel::forgetRefusal);
    connect(&document, &ProjectDocument::sourceEdited, this, &ProblemsPanel::forgetRefusal);
    connect(&session_, &Session::variantChanged, this, &ProblemsPanel::forgetRefusal);
    connect(&session_.engine(), &Engine::runStarted, this, &ProblemsPanel::forgetRefusal);
    connect(&session_.messages(), &BuildMessages::changed, this, &ProblemsPanel::refresh);
    connect(&session_, &Session::refused, this, [this](const QString& why) {
        refusal_ = why;
        refresh();
    });
}

void ProblemsPanel::forgetRefusal() {
    refusal_.clear();
    refresh();
}

/// A refusal for the project's own errors says nothing new.
std::vector<Problem> ProblemsPanel::found() const {
    std::vector<Problem> problems;
    for (const Diagnostic& each : session_.document().diagnostics()) problems.push_back(problemOf(each));
    if (problems.empty() && !refusal_.isEmpty()) {
        problems.push_back({.message = tr("Cannot run: %1").arg(refusal_), .suggestion = {}, .where = {}, .file = {}});
    }
    for (const CompilerMessage& each : session_.messages().all()) {
        // A template's message comes once for every instantiation.
        const Problem problem = problemOf(each);
        if (std::ranges::find(problems, problem) == problems.end()) problems.push_back(problem);
    }
    return problems;
}

void ProblemsPanel::refresh() {
    model_.setProblems(found());
    pages_->setCurrentIndex(model_.rowCount() == 0 ? 1 : 0);
    const auto errors = std::ranges::count(model_.problems(), Severity::error, &Problem::severity);
    if (errors_ == static_cast<int>(errors)) return;
    errors_ = static_cast<int>(errors);
    emit countChanged(errors_);
}

void ProblemsPanel::goTo(const QModelIndex& row) {
    const Problem& problem = model_.problems()[static_cast<std::size_t>(row.row())];
    if (!problem.file.isEmpty()) emit goToSource(problem.file, problem.line, problem.column);
    else if (!problem.where.isEmpty()) emit goToDefinition(problem.where);
}

void ProblemsPanel::copy() const {
    QStringList cells;
    for (int column = 0; column < ProblemsModel::column_count; ++column) {
        const QString text = model_.index(table_->currentIndex().row(), column).data(Qt::ToolTipRole).toString();
        if (!text.isEmpty()) cells << text;
    }
    QGuiApplication::clipboard()->setText(cells.join('\t'));
}

void ProblemsPanel::applyPalette() {
    model_.setPalette(palette());
    QPalette secondary = palette();
    secondary.setColor(QPalette::WindowText, coloursOf(palette()).muted);
    empty_->setPalette(secondary);
}

void ProblemsPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) applyPalette();
}

}  // namespace kernelgen::studio
