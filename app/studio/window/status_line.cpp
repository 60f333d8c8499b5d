// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/window/status_line.h"

#include <QPushButton>
#include <QStatusBar>
#include <algorithm>
#include <initializer_list>

#include "app/studio/application/elided_label.h"

namespace kernelgen::studio {

namespace {

constexpr int milliseconds_to_read = 15000;
constexpr int characters_beside_offer = 40;  ///< of the label beside the button

}  // namespace

StatusLine::StatusLine(QStatusBar& bar) : QObject(&bar), bar_(bar), what_(new ElidedLabel), offer_(new QPushButton) {
    offer_->setObjectName("offer");
    offer_->setAccessibleName(tr("What to do next"));
    what_->setObjectName("offered_for");
    what_->setMaximumWidth(characters_beside_offer * what_->fontMetrics().averageCharWidth());
    for (QWidget* each : std::initializer_list<QWidget*>{what_, offer_}) {
        each->hide();
        bar_.addPermanentWidget(each);
    }
}

/// A message for which the bar has no room, with a path mostly, is shown without its middle.
void StatusLine::tell(const QString& message) {
    told_ = message.section('\n', 0, 0);
    const QFontMetrics metrics = bar_.fontMetrics();
    int room = bar_.width() - 2 * metrics.height();
    for (const QWidget* each : std::initializer_list<const QWidget*>{what_, offer_}) {
        if (!each->isHidden()) room -= std::min(each->sizeHint().width(), each->maximumWidth()) + metrics.height();
    }
    bar_.showMessage(metrics.elidedText(told_, Qt::ElideMiddle, room), milliseconds_to_read);
}

void StatusLine::offer(const QString& what, const QString& text, const QString& tip, const std::function<void()>& act) {
    offer_->disconnect(this);
    what_->setText(what);
    offer_->setText(text);
    offer_->setToolTip(tip);
    connect(offer_, &QPushButton::clicked, this, [this, act] {
        withdraw();
        act();
    });
    what_->show();
    offer_->show();
    if (!bar_.currentMessage().isEmpty()) tell(told_);  // which has less room now
}

void StatusLine::withdraw() {
    what_->hide();
    offer_->hide();
}

}  // namespace kernelgen::studio
