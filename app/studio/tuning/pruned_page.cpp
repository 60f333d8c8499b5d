// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/tuning/pruned_page.h"

#include <QHeaderView>
#include <QVBoxLayout>

#include "core/base/text.h"

namespace kernelgen::studio {

PrunedPage::PrunedPage(Session& session, QWidget* parent)
    : QWidget(parent), session_(session), count_(new QLabel), table_(new Table(*this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins({});
    column->setSpacing(0);
    count_->setObjectName("pruned_count");
    count_->setContentsMargins(6, 2, 6, 2);
    count_->setWordWrap(true);
    table_->setObjectName("pruned_table");
    table_->setAccessibleName(tr("Configurations that are never tried"));
    table_->horizontalHeader()->setStretchLastSection(true);
    column->addWidget(count_);
    column->addWidget(table_, 1);
}

void PrunedPage::fill() {
    session_.prunedListing().ask();
    const std::shared_ptr<const PrunedCase> listed = session_.prunedListing().listed();
    const std::shared_ptr<const Tuning> tuning = session_.tunings().shown();
    model_.setListed(listed, tuning ? names_of(tuning->head.parameters) : std::vector<std::string>());
    const std::uint64_t unlisted = listed ? listed->count_unlisted() : 0;
    count_->setVisible(unlisted > 0);
    if (unlisted > 0)
        count_->setText(tr("%L1 of %L2 are listed: %L3 for each reason at most")
                            .arg(listed->listed.size())
                            .arg(count_of(listed->counts))
                            .arg(PrunedListing::most_of_each));
    table_->viewport()->update();
}

QString PrunedPage::whatFillsIt() const {
    if (!session_.tunings().shown() && session_.engine().isTuning())
        return tr("What this tuning never tries is listed here once it is known");
    if (!session_.tunings().shown()) return tr("Press Start: what a tuning never tries, and why, is listed here");
    if (QString why = session_.prunedListing().whyNone(); !why.isEmpty()) return why.remove('`');
    return session_.prunedListing().listed() ? tr("Every configuration may be tried")
                                             : tr("What is never tried is being listed…");
}

}  // namespace kernelgen::studio
