// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/rounds/lessons_form.h"

#include <QApplication>
#include <QEvent>
#include <QFontMetrics>
#include <QFormLayout>
#include <QtConcurrentRun>

#include "app/studio/application/engine_words.h"
#include "app/studio/application/text.h"
#include "app/studio/theme/theme.h"
#include "core/round/history.h"

namespace kernelgen::studio {

LessonsForm::LessonsForm(Session& session, QWidget* parent)
    : QWidget(parent), session_(session), save_(new QPushButton(tr("Record lessons"))), problem_(new QLabel) {
    new QFormLayout(this);
    worked_ = addField(tr("&Worked"), tr("What made it faster, and why"));
    failed_ = addField(tr("F&ailed"), tr("What did not, and why"));
    next_ = addField(tr("Ne&xt"), tr("What to try in the next round"));
    problem_->setWordWrap(true);
    auto* row = new QHBoxLayout;
    row->addWidget(problem_, 1);
    row->addWidget(save_);
    static_cast<QFormLayout*>(layout())->addRow(row);
    save_->setToolTip(tr("Write them into the history, for the log; together at most some 2,000 characters"));
    connect(save_, &QPushButton::clicked, this, &LessonsForm::save);
    connect(&session.rounds(), &RoundStore::changed, this, &LessonsForm::showRound);
    connect(&session, &Session::selectedRoundChanged, this, &LessonsForm::showRound);
    showRound();
}

QPlainTextEdit* LessonsForm::addField(const QString& name, const QString& hint) {
    auto* edit = new QPlainTextEdit;
    edit->setPlaceholderText(hint);
    edit->setTabChangesFocus(true);
    edit->setAccessibleName(QString(name).remove('&'));
    edit->setMinimumHeight(QFontMetrics(edit->font()).lineSpacing() + 14);
    static_cast<QFormLayout*>(layout())->addRow(name, edit);
    connect(edit, &QPlainTextEdit::textChanged, this, &LessonsForm::updateButton);
    edit->installEventFilter(this);
    return edit;
}

Lessons LessonsForm::recorded() const {
    const auto& known = session_.rounds().history().lessons;
    const auto found = round_ ? known.find(*round_) : known.end();
    return found == known.end() ? Lessons{} : found->second;
}

Lessons LessonsForm::written() const {
    const Lessons before = recorded();
    const auto changed = [](const QPlainTextEdit* edit, const std::string& known) {
        const std::string text = edit->toPlainText().trimmed().toStdString();
        return text == known ? std::string() : text;
    };
    return {.worked = changed(worked_, before.worked),
            .failed = changed(failed_, before.failed),
            .next = changed(next_, before.next)};
}

void LessonsForm::updateButton() {
    const Lessons lessons = written();
    const bool any = !lessons.worked.empty() || !lessons.failed.empty() || !lessons.next.empty();
    save_->setEnabled(round_.has_value() && any);
}

/// Shows the selected round's lessons. While the same round stays selected, text that is being written stays.
void LessonsForm::showRound() {
    const std::optional<int> selected = session_.selectedRound();
    const bool known = selected && session_.rounds().round(*selected) != nullptr;
    const std::optional<int> shown = known ? selected : std::nullopt;
    if (shown == round_ && save_->isEnabled()) return;
    saveWhatIsWritten();
    round_ = shown;
    folder_ = session_.document().folder();
    setEnabled(known);
    showLessons();
}

void LessonsForm::showLessons() {
    problem_->clear();
    const Lessons lessons = recorded();
    const std::pair<QPlainTextEdit*, const std::string&> fields[] = {
        {worked_, lessons.worked}, {failed_, lessons.failed}, {next_, lessons.next}};
    for (const auto& [edit, text] : fields) {
        if (edit->toPlainText() != toQt(text)) edit->setPlainText(toQt(text));
    }
    updateButton();
}

void LessonsForm::saveWhatIsWritten() {
    if (save_->isEnabled()) save();
}

/// Text is recorded when a person turns to something else, as another dock or another window.
bool LessonsForm::eventFilter(QObject* watched, QEvent* event) {
    const bool leaves =
        event->type() == QEvent::FocusOut && static_cast<QFocusEvent*>(event)->reason() != Qt::PopupFocusReason;
    if (leaves && !isAncestorOf(QApplication::focusWidget())) saveWhatIsWritten();
    return QWidget::eventFilter(watched, event);
}

void LessonsForm::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    saveWhatIsWritten();
}

void LessonsForm::save() {
    if (!round_) return;
    save_->setEnabled(false);
    const auto record = [folder = folder_.toStdString(), round = *round_, lessons = written()] {
        return record_lessons(folder, round, lessons);
    };
    QtConcurrent::run(record).then(this, [this](const Result<void>& recorded) {
        if (recorded) return session_.rounds().reload();
        session_.log().add(Severity::error, inWords(recorded.error().message));
        problem_->setText(inWords(recorded.error().message));
        problem_->setStyleSheet(QString("color: %1").arg(coloursOf(palette()).bad.name()));
        updateButton();
    });
}

}  // namespace kernelgen::studio
