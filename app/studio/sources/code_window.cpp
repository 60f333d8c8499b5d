// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/sources/code_window.h"

#include <QComboBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QVBoxLayout>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"

namespace kernelgen::studio {

namespace {

QString nothingText() {
    return CodeWindow::tr("Only a CUDA or Triton variant compiles to PTX: choose one, and a CUDA device.");
}

}  // namespace

CodeWindow::CodeWindow(Session& session, QWidget* parent)
    : QDialog(parent), session_(session), kind_(new QComboBox), state_(new QLabel), text_(new QPlainTextEdit) {
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName("code");
    setWindowTitle(tr("Compiled code"));
    resize(820, 620);
    for (const auto& [name, kind] : {std::pair("PTX", "ptx"), {"TTGIR", "ttgir"}, {"TTIR", "ttir"}}) {
        kind_->addItem(QString::fromLatin1(name), QByteArray(kind));
    }
    kind_->setObjectName("code_kind");
    kind_->setAccessibleName(tr("Kind of code"));
    kind_->setToolTip(tr("TTIR and TTGIR are what Triton makes of a kernel before PTX"));
    auto* layout = new QVBoxLayout(this);
    auto* line = new QHBoxLayout;
    line->addWidget(state_, 1);
    line->addWidget(kind_);
    layout->addLayout(line);
    layout->addWidget(text_);
    state_->setWordWrap(true);
    text_->setReadOnly(true);
    text_->setLineWrapMode(QPlainTextEdit::NoWrap);
    text_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    text_->setAccessibleName(tr("Compiled code of the variant as it stands"));
    connect(kind_, &QComboBox::currentIndexChanged, this, &CodeWindow::showText);
    connect(&session_.engine(), &Engine::buildFinished, this, &CodeWindow::takeOutcome);
    session_.setWantsTexts(true);
    const Variant* variant = session_.variant();
    const bool has_code =
        variant != nullptr && (variant->language == Language::cuda || variant->language == Language::triton);
    if (!has_code) display(nothingText(), {});
    session_.build();
}

CodeWindow::~CodeWindow() { session_.setWantsTexts(false); }

void CodeWindow::takeOutcome(const BuildOutcome& outcome) {
    if (outcome.result.status == Status::cancelled) return;
    texts_ = outcome.result.texts;
    kind_->setVisible(texts_.size() != 1 || !texts_.contains("ptx"));
    if (outcome.result.status != Status::ok) {
        display(tr("Not built: %1").arg(inWords(outcome.result.reason)), {});
    } else if (texts_.empty()) {
        display(nothingText(), {});
    } else {
        state_->setText(tr("%1 for %2").arg(toQt(outcome.variant), session_.device()));
        showText();
    }
}

void CodeWindow::showText() {
    const auto text = texts_.find(kind_->currentData().toByteArray().toStdString());
    display(state_->text(), text == texts_.end() ? QString() : toQt(text->second));
}

/// Keeps the place while a slider moves.
void CodeWindow::display(const QString& state, const QString& text) {
    state_->setText(state);
    const int place = text_->verticalScrollBar()->value();
    if (text_->toPlainText() != text) text_->setPlainText(text);
    text_->verticalScrollBar()->setValue(place);
}

}  // namespace kernelgen::studio
