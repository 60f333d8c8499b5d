// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/sources/ptx_window.h"

#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QVBoxLayout>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"

namespace kernelgen::studio {

PtxWindow::PtxWindow(Session& session, QWidget* parent)
    : QDialog(parent), session_(session), state_(new QLabel), text_(new QPlainTextEdit) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName("ptx");
    setWindowTitle(tr("PTX"));
    resize(820, 620);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(state_);
    layout->addWidget(text_);
    state_->setWordWrap(true);
    text_->setReadOnly(true);
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    text_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text_->setAccessibleName(tr("PTX of the variant as it stands"));
    connect(&session_.engine(), &Engine::buildFinished, this, &PtxWindow::takeOutcome);
    session_.setWantsPtx(true);
    const Variant* variant = session_.variant();
    if (variant == nullptr || variant->language != Language::cuda)
        display(tr("Only a CUDA variant has PTX: choose one, and a CUDA device."), {});
    session_.build();
}

PtxWindow::~PtxWindow() { session_.setWantsPtx(false); }

void PtxWindow::takeOutcome(const BuildOutcome& outcome) {
    if (outcome.result.status == Status::cancelled) return;
    const auto ptx = outcome.result.texts.find("ptx");
    if (ptx != outcome.result.texts.end()) {
        display(tr("%1 for %2").arg(toQt(outcome.variant), session_.device()), toQt(ptx->second));
    } else if (outcome.result.status == Status::ok) {
        display(tr("Only a CUDA variant has PTX: choose one, and a CUDA device."), {});
    } else {
        display(tr("Not built: %1").arg(inWords(outcome.result.reason)), {});
    }
}

/// Keeps the place while a slider moves.
void PtxWindow::display(const QString& state, const QString& text) {
    state_->setText(state);
    const int place = text_->verticalScrollBar()->value();
    if (text_->toPlainText() != text) text_->setPlainText(text);
    text_->verticalScrollBar()->setValue(place);
}

}  // namespace kernelgen::studio
