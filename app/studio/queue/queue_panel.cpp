// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/queue/queue_panel.h"

#include <QAction>
#include <QDateTime>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLocale>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "app/studio/application/elided_label.h"
#include "app/studio/application/plain_table.h"
#include "app/studio/queue/queue_dialog.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

QueuePanel::QueuePanel(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      model_(session.queue()),
      head_(new ElidedLabel),
      empty_(new QLabel),
      pages_(new QStackedWidget),
      table_(new QTableView) {
    makeTable();
    empty_->setObjectName("queue_empty");
    empty_->setAlignment(Qt::AlignCenter);
    empty_->setWordWrap(true);
    head_->setObjectName("queue_head");
    pages_->addWidget(table_);
    pages_->addWidget(empty_);
    auto* bar = new QHBoxLayout;
    bar->addWidget(head_, 1);
    makeActions(bar);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 4, 0, 0);
    column->setSpacing(4);
    column->addLayout(bar);
    column->addWidget(pages_, 1);
    connect(&session_.queue(), &RunQueue::changed, this, &QueuePanel::refresh);
    connect(&session_.document(), &ProjectDocument::opened, this, &QueuePanel::refresh);
    connect(&session_.engine(), &Engine::devicesChanged, this, &QueuePanel::refresh);
    connect(&session_, &Session::variantChanged, this, &QueuePanel::refresh);  // with the device
    connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &QueuePanel::refresh);
    clock_.callOnTimeout(this, &QueuePanel::showHead);
    applyPalette();
    refresh();
}

void QueuePanel::makeTable() {
    table_->setModel(&model_);
    table_->setObjectName("queue_table");
    table_->setAccessibleName(tr("Queued runs"));
    table_->setToolTip(tr("Enter or a double click selects the round"));
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    makePlain(*table_);
    table_->verticalHeader()->hide();
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(table_, &QAbstractItemView::activated, this, [this](const QModelIndex& index) { goToRound(index.row()); });
    sizeColumns();
}

/// Wide enough for usual contents.
void QueuePanel::sizeColumns() {
    const QFontMetrics metrics(table_->font());
    const QString usual[QueueModel::column_count] = {
        tr("cancelled"),  "Round 1000: 1.234×", "about 12 min", "BLOCK_M=16 BLOCK_N=1024 UNROLL=4 STREAM=1",
        "4096x4096 bf16", "cuda_tuned",         "cuda:0"};
    for (int column = 0; column < QueueModel::column_count; ++column)
        table_->setColumnWidth(column, metrics.horizontalAdvance(usual[column]) + 18);
}

QAction* QueuePanel::addAction(QHBoxLayout* bar, const QString& name, const QString& keys, const QString& tip) {
    auto* action = new QAction(name, this);
    action->setToolTip(tip);
    action->setShortcut(QKeySequence(keys));
    action->setShortcutContext(Qt::WidgetShortcut);
    table_->addAction(action);
    auto* button = new QToolButton;
    button->setDefaultAction(action);
    button->setAutoRaise(true);
    button->setAccessibleName(name);
    bar->addWidget(button);
    return action;
}

void QueuePanel::makeActions(QHBoxLayout* bar) {
    RunQueue& queue = session_.queue();
    choose_ =
        addAction(bar, tr("Queue runs…"), {}, tr("Configurations, devices and cases, to be run one after the other"));
    up_ = addAction(bar, tr("Earlier"), "Alt+Up", tr("The marked runs change places with the one before"));
    down_ = addAction(bar, tr("Later"), "Alt+Down", tr("The marked runs change places with the one behind"));
    cancel_ = addAction(bar, tr("Cancel"), "Del", tr("The marked runs are not made, or are stopped; the others go on"));
    pause_ = addAction(bar, tr("Pause"), {}, tr("Begin no further run; the one under way goes on"));
    clear_ = addAction(bar, tr("Clear ended"), {}, tr("Take what has ended out of the list; rounds stay recorded"));
    pause_->setCheckable(true);
    connect(choose_, &QAction::triggered, this, &QueuePanel::choose);
    connect(up_, &QAction::triggered, this, [this] { move(true); });
    connect(down_, &QAction::triggered, this, [this] { move(false); });
    connect(cancel_, &QAction::triggered, this, [this, &queue] { queue.cancel(marked()); });
    connect(pause_, &QAction::triggered, this, [&queue](bool on) { queue.setPaused(on); });
    connect(clear_, &QAction::triggered, this, [&queue] { queue.clearEnded(); });
}

void QueuePanel::choose() {
    QueueDialog dialog(session_, this);
    if (dialog.exec() == QDialog::Accepted) session_.queue().add(dialog.runs());
}

std::set<int> QueuePanel::marked() const {
    std::set<int> ids;
    for (const QModelIndex& each : table_->selectionModel()->selectedRows()) ids.insert(model_.run(each.row()).id);
    return ids;
}

/// What is marked stays so where it moves to.
void QueuePanel::move(bool up) {
    const std::set<int> ids = marked();
    session_.queue().move(ids, up);
    QItemSelection selection;
    for (const int id : ids) {
        const int row = model_.rowOf(id);
        selection.select(model_.index(row, 0), model_.index(row, QueueModel::column_count - 1));
    }
    table_->selectionModel()->select(selection, QItemSelectionModel::ClearAndSelect);
    if (!ids.empty())
        table_->selectionModel()->setCurrentIndex(model_.index(model_.rowOf(*ids.begin()), 0),
                                                  QItemSelectionModel::NoUpdate);
}

void QueuePanel::goToRound(int row) {
    if (const auto& round = model_.run(row).round) session_.selectRound(round->number);
}

void QueuePanel::refresh() {
    const RunQueue& queue = session_.queue();
    const bool open = session_.document().isOpen();
    const std::set<int> ids = marked();
    const auto is_marked = [&](const QueuedRun& each) { return ids.contains(each.id); };
    const auto waits = [&](const QueuedRun& each) { return is_marked(each) && each.state == QueueState::waiting; };
    const auto lives = [&](const QueuedRun& each) {
        return waits(each) || (is_marked(each) && each.state == QueueState::running);
    };
    const bool any_waits = std::ranges::any_of(queue.runs(), waits);
    const auto allow = [](QAction* action, bool possible, const QString& obstacle) {
        action->setEnabled(possible);
        action->setStatusTip(possible ? QString() : obstacle);
    };
    const int ended = static_cast<int>(queue.runs().size()) - queue.waiting() - (queue.isRunning() ? 1 : 0);
    allow(choose_, open, tr("Open a project first"));
    for (QAction* each : {up_, down_}) allow(each, any_waits, tr("Mark runs that wait first"));
    allow(cancel_, std::ranges::any_of(queue.runs(), lives), tr("Mark runs that wait, or the one under way"));
    allow(pause_, queue.waiting() > 0 || queue.isPaused(), tr("Nothing waits in the queue"));
    pause_->setChecked(queue.isPaused());
    allow(clear_, ended > 0, tr("Nothing in the queue has ended"));
    pages_->setCurrentIndex(queue.runs().empty() ? 1 : 0);
    empty_->setText(
        !open ? tr("Open a project to queue its runs.")
              : session_.adviceToRun(tr("Nothing is queued. Ctrl+Shift+F5 chooses configurations, devices and "
                                        "cases to be run one after the other; Ctrl+F5 queues what F5 would run.")));
    showHead();
    if (queue.isRunning()) clock_.start(1000);
    else clock_.stop();
}

void QueuePanel::showHead() {
    const RunQueue& queue = session_.queue();
    const auto count = [&](QueueState state) {
        return static_cast<int>(std::ranges::count(queue.runs(), state, &QueuedRun::state));
    };
    if (queue.runs().empty()) return head_->setText({});
    const int failed = count(QueueState::failed);
    QString text = tr("%1 of %2 done").arg(count(QueueState::done)).arg(queue.runs().size());
    if (failed > 0) text += tr(", %1 failed").arg(failed);
    if (queue.isPaused()) text += tr(", paused");
    if (const QString why = queue.whyPaused(); !why.isEmpty()) text += QStringLiteral(": ") + why;
    if (const std::optional<double> left = queue.secondsLeft()) {
        const QDateTime end = QDateTime::currentDateTime().addSecs(static_cast<qint64>(*left));
        text += tr(", about %1 left").arg(roughTime(*left));
        if (!queue.isPaused()) text += tr(", until %1").arg(QLocale().toString(end.time(), QLocale::ShortFormat));
    }
    head_->setText(text);
}

void QueuePanel::applyPalette() {
    model_.setPalette(palette());
    QPalette muted = palette();
    muted.setColor(QPalette::WindowText, coloursOf(palette()).muted);
    empty_->setPalette(muted);
}

void QueuePanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) applyPalette();
}

}  // namespace kernelgen::studio
