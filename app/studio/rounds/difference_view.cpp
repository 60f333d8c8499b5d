// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/rounds/difference_view.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QIdentityProxyModel>
#include <QLabel>
#include <QListView>
#include <QtConcurrentRun>

#include "app/studio/application/text.h"
#include "app/studio/rounds/round_pages.h"
#include "app/studio/rounds/words.h"

namespace kernelgen::studio {

namespace {

/// Each round as a line of a list.
class RoundNames : public QIdentityProxyModel {
public:
    RoundNames(RoundsModel& model, QObject* parent) : QIdentityProxyModel(parent), model_(model) {
        setSourceModel(&model);
    }

    QVariant data(const QModelIndex& index, int role) const override {
        if (role == Qt::DecorationRole) return model_.index(index.row(), RoundsModel::Verdict).data(role);
        if (role != Qt::DisplayRole || !index.isValid()) return {};
        const Round& round = model_.round(index.row());
        return QString("%1 · %2 · %3").arg(round.number).arg(verdictOf(round), inWords(round.note).simplified());
    }

private:
    RoundsModel& model_;
};

KnownRound knownRound(Session& session, const Round& round) {
    RoundStore& store = session.rounds();
    return {.round = round, .detail = store.detail(round.number), .problem = store.detailProblem(round.number)};
}

}  // namespace

DifferenceView::DifferenceView(Session& session, RoundsModel& model, QWidget* parent)
    : QWidget(parent), session_(session), model_(model), base_(new QComboBox), page_(new QTextBrowser) {
    auto* list = new QListView;
    list->setUniformItemSizes(true);
    base_->setView(list);
    base_->setModel(new RoundNames(model, this));
    base_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    base_->setMaxVisibleItems(20);
    const int mark = base_->fontMetrics().height() * 2 / 3;
    base_->setIconSize({mark, mark});
    base_->setAccessibleName(tr("Round to compare with"));
    base_->setToolTip(tr("The selected round is compared with this one"));
    page_->setAccessibleName(tr("Difference of two rounds"));
    page_->setFrameShape(QFrame::NoFrame);
    page_->setWordWrapMode(QTextOption::WordWrap);
    auto* label = new QLabel(tr("&Since round"));
    label->setBuddy(base_);
    auto* row = new QHBoxLayout;
    row->addWidget(label);
    row->addWidget(base_, 1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(4, 4, 0, 0);
    layout->addLayout(row);
    layout->addWidget(page_, 1);
    connect(base_, &QComboBox::currentIndexChanged, this, &DifferenceView::refresh);
    connect(&session, &Session::selectedRoundChanged, this, &DifferenceView::takeParent);
    connect(&model, &QAbstractItemModel::modelReset, this, &DifferenceView::takeParent);
    connect(&session.rounds(), &RoundStore::detailLoaded, this, &DifferenceView::refresh);
}

void DifferenceView::compareWith(int base) { base_->setCurrentIndex(model_.rowOf(base)); }

void DifferenceView::takeParent() {
    const std::optional<int> selected = session_.selectedRound();
    const int row = selected ? model_.rowOf(*selected) : -1;
    int parent = -1;  // its row
    if (row >= 0 && model_.round(row).parent) parent = model_.rowOf(*model_.round(row).parent);
    const QSignalBlocker blocker(base_);
    base_->setCurrentIndex(parent);
    refresh();
}

void DifferenceView::show(const QString& html) {
    ++asked_;
    page_->setHtml(html);
}

void DifferenceView::refresh() {
    if (!isVisible()) return;
    const std::optional<int> selected = session_.selectedRound();
    const int row = selected ? model_.rowOf(*selected) : -1;
    if (row < 0) return show(tr("Select a round to see what it changed").toHtmlEscaped());
    if (base_->currentIndex() < 0) return show(tr("No round came before; choose one to compare with").toHtmlEscaped());
    const KnownRound before = knownRound(session_, model_.round(base_->currentIndex()));
    const KnownRound after = knownRound(session_, model_.round(row));
    const int asked = ++asked_;
    QtConcurrent::run([before, after, colours = palette()] {
        return differencePage(before, after, colours);
    }).then(this, [this, asked](const QString& html) {
        if (asked == asked_) page_->setHtml(html);
    });
}

void DifferenceView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    refresh();
}

void DifferenceView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) refresh();
}

}  // namespace kernelgen::studio
