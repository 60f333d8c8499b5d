// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/window/status_line.h"

#include <QPushButton>
#include <QStatusBar>

namespace kernelgen::studio {

namespace {

constexpr int milliseconds_to_read = 15000;

}  // namespace

StatusLine::StatusLine(QStatusBar& bar) : QObject(&bar), bar_(bar), offer_(new QPushButton) {
    offer_->setObjectName("offer");
    offer_->setAccessibleName(tr("What to do next"));
    offer_->hide();
    bar_.addPermanentWidget(offer_);
}

void StatusLine::tell(const QString& message) { bar_.showMessage(message.section('\n', 0, 0), milliseconds_to_read); }

void StatusLine::offer(const QString& text, const QString& tip, const std::function<void()>& act) {
    offer_->disconnect(this);
    offer_->setText(text);
    offer_->setToolTip(tip);
    connect(offer_, &QPushButton::clicked, this, [this, act] {
        withdraw();
        act();
    });
    offer_->show();
}

void StatusLine::withdraw() { offer_->hide(); }

}  // namespace kernelgen::studio
