// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/rounds/round_details.h"

#include <QEvent>
#include <QScrollBar>

#include "app/studio/rounds/round_pages.h"

namespace kernelgen::studio {

RoundDetails::RoundDetails(Session& session, RoundsModel& model, QWidget* parent)
    : QTabWidget(parent),
      session_(session),
      page_(new QTextBrowser),
      difference_(new DifferenceView(session, model)),
      lessons_(new LessonsForm(session)) {
    setDocumentMode(true);
    setAccessibleName(tr("Selected round"));
    page_->setFrameShape(QFrame::NoFrame);
    page_->setWordWrapMode(QTextOption::WordWrap);
    page_->setAccessibleName(tr("Details of the round"));
    addTab(page_, tr("Details"));
    addTab(difference_, tr("Difference"));
    addTab(lessons_, tr("Lessons"));
    connect(&session, &Session::selectedRoundChanged, this, &RoundDetails::refresh);
    connect(&session.rounds(), &RoundStore::changed, this, &RoundDetails::refresh);
    connect(&session.rounds(), &RoundStore::detailLoaded, this, [this](int number) {
        if (session_.selectedRound() == number) refresh();
    });
    refresh();
}

void RoundDetails::showDifference(std::optional<int> base) {
    setCurrentWidget(difference_);
    if (base) difference_->compareWith(*base);
}

void RoundDetails::refresh() {
    const std::optional<int> selected = session_.selectedRound();
    RoundStore& store = session_.rounds();
    const Round* round = selected ? store.round(*selected) : nullptr;
    const int place = shown_ == selected ? page_->verticalScrollBar()->value() : 0;
    shown_ = selected;
    if (round == nullptr) return page_->setHtml(tr("Select a round to see all of it").toHtmlEscaped());
    const auto lessons = store.history().lessons.find(*selected);
    const KnownRound known{
        .round = *round, .detail = store.detail(*selected), .problem = store.detailProblem(*selected)};
    page_->setHtml(
        detailsPage(known, lessons == store.history().lessons.end() ? Lessons{} : lessons->second, palette()));
    page_->verticalScrollBar()->setValue(place);
}

void RoundDetails::changeEvent(QEvent* event) {
    QTabWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) refresh();
}

}  // namespace kernelgen::studio
