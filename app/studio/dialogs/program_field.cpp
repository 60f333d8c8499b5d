// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/dialogs/program_field.h"

#include <QLabel>
#include <QProcess>
#include <QStandardPaths>
#include <QVBoxLayout>

#include "app/studio/theme/theme.h"

namespace kernelgen::studio {

namespace {

constexpr int after_typing = 300, longest_answer = 10000;  // milliseconds

}  // namespace

ProgramField::ProgramField(const QString& program, QString otherwise, const QString& placeholder, QWidget* parent)
    : QWidget(parent),
      otherwise_(std::move(otherwise)),
      edit_(new QLineEdit(program)),
      state_(new QLabel),
      process_(new QProcess) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins({});
    layout->addWidget(edit_);
    layout->addWidget(state_);
    edit_->setPlaceholderText(placeholder);
    setFocusProxy(edit_);
    state_->setWordWrap(true);
    settle_.setSingleShot(true);
    settle_.setInterval(after_typing);
    process_->setProcessChannelMode(QProcess::MergedChannels);
    connect(edit_, &QLineEdit::textChanged, this, &ProgramField::look);
    connect(&settle_, &QTimer::timeout, this, &ProgramField::ask);
    connect(process_, &QProcess::finished, this, &ProgramField::takeAnswer);
    look();
}

ProgramField::~ProgramField() {
    process_->disconnect();
    connect(process_, &QProcess::finished, process_, &QObject::deleteLater);
    if (process_->state() == QProcess::NotRunning) process_->deleteLater();
    else process_->kill();
}

QString ProgramField::state() const { return state_->text(); }

void ProgramField::setQuestion(const QStringList& arguments) {
    question_ = arguments;
    look();
}

void ProgramField::look() {
    found_ = QStandardPaths::findExecutable(program().isEmpty() ? otherwise_ : program());
    say(found_.isEmpty() ? tr("not found: install it, or give its path") : found_, !found_.isEmpty());
    if (!question_.isEmpty()) settle_.start();
}

void ProgramField::ask() {
    if (process_->state() != QProcess::NotRunning) {
        process_->kill();
        return settle_.start();
    }
    if (found_.isEmpty()) return;
    process_->start(found_, question_);
    QTimer::singleShot(longest_answer, process_, [this, asked = process_->processId()] {
        if (process_->processId() == asked) process_->kill();
    });
}

void ProgramField::takeAnswer() {
    const QString answer = QString::fromUtf8(process_->readAll()).trimmed();
    if (settle_.isActive()) return;
    const bool good = process_->exitStatus() == QProcess::NormalExit && process_->exitCode() == 0;
    const QString last = answer.section('\n', -1);
    say(found_ + "\n" + (good ? answer : tr("does not answer: %1").arg(last)), good);
}

void ProgramField::say(const QString& text, bool good) {
    const Colours colours = coloursOf(palette());
    QPalette shown = state_->palette();
    shown.setColor(QPalette::WindowText, good ? colours.muted : colours.bad);
    state_->setPalette(shown);
    state_->setText(text);
}

}  // namespace kernelgen::studio
