// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/studio/start/windows.h"

namespace kernelgen::studio {

Windows::Windows(Session& session) : session_(session) {
    show();
    if (session_.settings().recentProjects().isEmpty()) window_->takeTour();  // the first start
}

void Windows::show() {
    language_.emplace(session_.settings().language());
    window_ = std::make_unique<MainWindow>(session_);
    connect(window_.get(), &MainWindow::languageChosen, this, &Windows::replace, Qt::QueuedConnection);
    window_->show();
}

void Windows::replace() {
    window_->keepLayout();
    const QString note = window_->note();
    const bool is_touring = window_->isTouring();
    window_.reset();
    show();
    window_->setNote(note);
    if (is_touring) window_->takeTour();
}

}  // namespace kernelgen::studio
