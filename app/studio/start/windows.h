// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <optional>

#include "app/studio/application/language.h"
#include "app/studio/window/main_window.h"

namespace kernelgen::studio {

/// The window, which is made anew when another language is chosen; its layout and the next round's note stay.
class Windows : public QObject {
    Q_OBJECT

public:
    explicit Windows(Session& session);

    MainWindow& window() { return *window_; }

private:
    void show();
    void replace();

    Session& session_;
    std::optional<Language> language_;
    std::unique_ptr<MainWindow> window_;
};

}  // namespace kernelgen::studio
