// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "app/studio/session/session.h"
#include "app/studio/theme/banner.h"

namespace kernelgen::studio {

/// What the user is asked about the open project's files, above the centre of the window.
class Notices : public QWidget {
    Q_OBJECT

public:
    explicit Notices(Session& session, QWidget* parent = nullptr);

signals:
    void problemsWanted();

private:
    void showRecovery();
    void showDisk();
    void showUnread();

    Session& session_;
    Banner* recovery_;
    Banner* disk_;
    Banner* unread_;
};

}  // namespace kernelgen::studio
