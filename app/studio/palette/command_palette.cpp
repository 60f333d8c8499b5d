// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/palette/command_palette.h"

#include <QApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMainWindow>
#include <QMenuBar>
#include <QVBoxLayout>
#include <algorithm>

#include "app/studio/application/elided_label.h"
#include "app/studio/palette/command_delegate.h"
#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

namespace {

constexpr int most_rows = 14, widest = 720, margin = 9, margin_of_window = 24;

}  // namespace

CommandPalette::CommandPalette(QMainWindow& window)
    : QFrame(&window), window_(window), typed_(new QLineEdit), list_(new QListView), what_(new ElidedLabel) {
    setObjectName("command_palette");
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    typed_->setObjectName("command_typed");
    typed_->setAccessibleName(tr("Find an action"));
    typed_->setPlaceholderText(tr("Some letters of an action, or its key"));
    typed_->setClearButtonEnabled(true);
    list_->setObjectName("commands");
    list_->setAccessibleName(tr("Actions"));
    list_->setFrameShape(QFrame::NoFrame);
    list_->setFocusPolicy(Qt::NoFocus);
    list_->setUniformItemSizes(true);
    list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    list_->setModel(&model_);
    list_->setItemDelegate(new CommandDelegate(model_, list_));
    what_->setObjectName("command_what");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(margin, margin, margin, margin);
    layout->addWidget(typed_);
    layout->addWidget(list_, 1);
    layout->addWidget(what_);
    typed_->installEventFilter(this);
    window_.installEventFilter(this);
    connect(typed_, &QLineEdit::textChanged, this, &CommandPalette::type);
    connect(list_, &QListView::clicked, this, &CommandPalette::choose);
    connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, &CommandPalette::tellChosen);
    applyPalette();
    hide();
}

void CommandPalette::open() {
    if (isVisible()) return close();
    focused_ = QApplication::focusWidget();
    model_.setCommands(commandsOf(window_));
    typed_->clear();
    type({});
    place();
    show();
    raise();
    typed_->setFocus(Qt::ShortcutFocusReason);
}

void CommandPalette::place() {
    const int width = std::min(widest, window_.width() - margin_of_window);
    const int row = std::max(1, list_->sizeHintForRow(0));
    const int others = typed_->sizeHint().height() + what_->sizeHint().height() + 2 * layout()->spacing() + 2 * margin;
    const int room = window_.height() - window_.menuBar()->height() - margin_of_window - others;
    list_->setFixedHeight(std::clamp(room / row, 1, most_rows) * row);
    setGeometry((window_.width() - width) / 2, window_.menuBar()->height() + 6, width, list_->height() + others);
}

void CommandPalette::type(const QString& typed) {
    model_.setTyped(typed);
    list_->setCurrentIndex(model_.index(0));
    list_->scrollToTop();
    if (model_.rowCount() == 0) what_->setText(tr("No action has these letters"));
}

void CommandPalette::tellChosen(const QModelIndex& index) {
    if (!index.isValid()) return;
    const WindowCommand& command = model_.command(index.row());
    what_->setText(command.obstacle.isEmpty() ? command.what : tr("Not now: %1").arg(command.obstacle));
}

/// A disabled one stays in sight with its reason. The focus is back at its place before the action is done: some act on
/// what has the focus.
void CommandPalette::choose(const QModelIndex& index) {
    if (!index.isValid() || !model_.command(index.row()).obstacle.isEmpty()) return;
    const QPointer<QAction> action = model_.command(index.row()).action;
    close();
    if (action != nullptr) action->trigger();
}

void CommandPalette::close() {
    if (isHidden()) return;
    const bool has_focus = isAncestorOf(QApplication::focusWidget());
    hide();
    if (has_focus && focused_ != nullptr && focused_->isVisible()) focused_->setFocus(Qt::OtherFocusReason);
}

bool CommandPalette::handleKey(int key) {
    const int row = list_->currentIndex().row(), last = model_.rowCount() - 1;
    const auto go = [&](int to) { list_->setCurrentIndex(model_.index(std::clamp(to, 0, std::max(0, last)))); };
    switch (key) {
        case Qt::Key_Down: go(row == last ? 0 : row + 1); return true;
        case Qt::Key_Up: go(row <= 0 ? last : row - 1); return true;
        case Qt::Key_PageDown: go(row + most_rows - 1); return true;
        case Qt::Key_PageUp: go(row - most_rows + 1); return true;
        case Qt::Key_Return:
        case Qt::Key_Enter: choose(list_->currentIndex()); return true;
        case Qt::Key_Escape: close(); return true;
        default: return false;
    }
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &window_ && event->type() == QEvent::Resize && isVisible()) place();
    if (watched != typed_) return QFrame::eventFilter(watched, event);
    if (event->type() == QEvent::KeyPress && handleKey(static_cast<QKeyEvent*>(event)->key())) return true;
    // The field's own menu takes the focus for a moment, and so does another program.
    const bool is_lost = event->type() == QEvent::FocusOut &&
                         static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason &&
                         static_cast<QFocusEvent*>(event)->reason() != Qt::ActiveWindowFocusReason;
    if (is_lost) close();
    return QFrame::eventFilter(watched, event);
}

void CommandPalette::applyPalette() {
    QPalette muted = palette();
    muted.setColor(QPalette::WindowText, coloursOf(palette()).muted);
    what_->setPalette(muted);
}

void CommandPalette::changeEvent(QEvent* event) {
    QFrame::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && what_ != nullptr) applyPalette();
}

}  // namespace kernelgen::studio
